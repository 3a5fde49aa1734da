// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.PhaseOutputs.First;
import io.drover.simulator.engine.PhaseOutputs.RackShares;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Tracks what a reduce has requested of its input, and what it still has to request. */
interface FetchState {
  /** Least share of the input for which a round of fetching begins, except for the last round. */
  double LEAST_ROUND = 0.1;

  /**
   * Returns what to fetch next, and marks it as requested.
   *
   * @return shares of the whole input by rack; empty if it is not worth a round yet
   */
  Optional<double[]> next(double now);

  /** Returns whether all of the input has been requested. */
  boolean isComplete();

  /**
   * A fetch state for runs without losses. It only tracks how much was requested from each rack.
   */
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
   * A fetch state for runs in which outputs may be lost. An output that is lost when the reduce
   * requests it counts as missed: it is made again, and then requested again. What has been
   * requested is safe.
   *
   * <p>Very few outputs are lost. Those that are still where they were made are therefore requested
   * together, rack by rack, and only the others one by one. If each reader checked each output, the
   * time of a run would grow with the square of its phases.
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

    /** Tells the reader that an output that it has missed is there again. */
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
