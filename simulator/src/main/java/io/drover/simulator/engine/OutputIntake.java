// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where outputs may be lost: each is looked at as it is asked for. One that is not there is missed,
 * so that it is made again, and asked for once more when it is there; what has been asked for is
 * safe.
 */
final class OutputIntake implements Intake {
  private final AttemptRun reader;
  private final PhaseRun source;
  private final PhaseOutputs outputs;
  private final int racks;
  private List<TaskRun> back = new ArrayList<>(0);
  private double shareBack;
  private int awaited;
  private int seen;
  private double shareSeen;

  OutputIntake(AttemptRun reader, PhaseOutputs outputs, int racks) {
    this.reader = reader;
    this.source = reader.phase().source();
    this.outputs = outputs;
    this.racks = racks;
  }

  @Override
  public Optional<double[]> next(double now) {
    boolean last = source.isDone() && awaited == 0;
    double all = outputs.shareMade() - shareSeen + shareBack;
    return last || all >= LEAST_ROUND ? Optional.of(take(now)) : Optional.empty();
  }

  private double[] take(double now) {
    double[] share = new double[racks];
    List<TaskRun> askedBefore = back;
    back = new ArrayList<>(0);
    shareBack = 0;
    for (TaskRun task : askedBefore) {
      ask(task, now, share);
    }
    while (seen < outputs.made().size()) {
      ask(outputs.made().get(seen++), now, share);
    }
    shareSeen = outputs.shareMade();
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
    return source.isDone() && seen == outputs.made().size() && awaited == 0 && back.isEmpty();
  }
}
