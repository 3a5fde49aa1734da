// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.PhaseOutputs.First;
import io.drover.simulator.engine.PhaseOutputs.RackShares;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What one reduce has asked for of the output that it reads, and what it has still to ask for. */
interface FetchState {
  /** Share of the input that is worth a round of fetching, unless it is the last round. */
  double LEAST_ROUND = 0.1;

  /**
   * What is to be fetched next, which then counts as asked for.
   *
   * @return shares of the whole input by rack; empty if it is not worth a round yet
   */
  Optional<double[]> next(double now);

  /** Whether all of the input has been asked for. */
  boolean isComplete();

  /** Where nothing is lost it is enough to know how much has come from each rack. */
  final class RackFetchState implements FetchState {
    private final PhaseRun source;
    private final double[] asked;

    RackFetchState(PhaseRun source, int racks) {
      this.source = source;
      this.asked = new double[racks];
    }

    @Override
    public Optional<double[]> next(double now) {
      double[] share = new double[asked.length];
      double all = 0;
      for (int rack = 0; rack < share.length; rack++) {
        share[rack] = source.shares().in(rack) - asked[rack];
        all += share[rack];
      }
      if (!source.isDone() && all < LEAST_ROUND) {
        return Optional.empty();
      }
      for (int rack = 0; rack < share.length; rack++) {
        asked[rack] = source.shares().in(rack);
      }
      return Optional.of(share);
    }

    @Override
    public boolean isComplete() {
      for (int rack = 0; rack < asked.length; rack++) {
        if (asked[rack] != source.shares().in(rack)) {
          return false;
        }
      }
      return source.isDone();
    }
  }

  /**
   * Where outputs may be lost: one that is not there when it is asked for is missed, so that it is
   * made again, and asked for once more when it is there; what has been asked for is safe.
   *
   * <p>Hardly any are lost, so those that still are where they were made are asked for together,
   * rack by rack, and only the others one by one: a look at each output by each reader would make
   * the time of a run grow with the square of its phases.
   */
  final class LossyFetchState implements FetchState {
    private final AttemptRun reader;
    private final PhaseRun source;
    private final PhaseOutputs outputs;
    private final RackShares asked;
    private List<TaskRun> back = new ArrayList<>(0);
    private double shareBack;
    private int awaited;

    LossyFetchState(AttemptRun reader, PhaseOutputs outputs, int racks) {
      this.reader = reader;
      this.source = reader.phase().source();
      this.outputs = outputs;
      this.asked = new RackShares(racks);
    }

    @Override
    public Optional<double[]> next(double now) {
      boolean last = source.isDone() && awaited == 0;
      double all = outputs.made().share() - asked.share() + shareBack;
      return last || all >= LEAST_ROUND ? Optional.of(take(now)) : Optional.empty();
    }

    private double[] take(double now) {
      List<First> lost =
          outputs.lostBy(now).stream()
              .filter(output -> output.number() >= asked.count())
              .sorted(Comparator.comparingInt(First::number))
              .toList();
      for (First output : lost) {
        asked.add(output.rack(), source.share(output.task()));
      }
      double[] share = outputs.made().beyond(asked);
      asked.set(outputs.made());
      List<TaskRun> askedBefore = back;
      back = new ArrayList<>(0);
      shareBack = 0;
      askedBefore.forEach(task -> ask(task, now, share));
      lost.forEach(output -> ask(output.task(), now, share));
      return share;
    }

    private void ask(TaskRun task, double now, double[] share) {
      if (!outputs.read(task, now, share)) {
        awaited++;
        outputs.await(task, this);
      }
    }

    /** An output that it has missed is there again. */
    void isBack(TaskRun task, double now) {
      awaited--;
      back.add(task);
      shareBack += source.share(task);
      reader.moreInput(now);
    }

    @Override
    public boolean isComplete() {
      boolean all = source.isDone() && asked.count() == outputs.made().count();
      return all && awaited == 0 && back.isEmpty();
    }
  }
}
