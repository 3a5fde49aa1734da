// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskModel;
import io.drover.simulator.engine.FetchState.LossyFetchState;
import io.drover.simulator.engine.FetchState.RackFetchState;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.Overheads;
import io.drover.simulator.world.PhaseKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** A phase that has begun, so that its tasks may get slots. */
public final class PhaseRun {
  /** Lower limit of Delta, seconds: Hadoop's tasks can report at most once a second. */
  private static final double SHORTEST_PERIOD = 1;

  /** Least number of reports in a task's life (Mantri section 5). */
  private static final double REPORTS_A_LIFE = 10;

  private final JobRun job;
  private final int index;
  private final PhaseSpec spec;
  private final PhaseRun source;
  private final double begunAt;
  private final double period;
  private final PhaseModel model;
  private final List<TaskRun> tasks;
  private final PhaseOrder starts;
  private final List<TaskRun> running = new ArrayList<>();
  private final List<TaskRun> remaking = new ArrayList<>(0);
  private final Set<AttemptRun> waitForInput = new LinkedHashSet<>(0);
  private final PhaseOutputs outputs;
  private final OutputShares shares;
  private final PhaseCount count = new PhaseCount();
  private PhaseRun reader;
  private BlockBinding binding;
  private int done;
  private boolean scanned;
  private boolean wasScanned;
  private double endedAt;

  /**
   * Begins a phase.
   *
   * @param source the phase that it reads; null if it does not read from other tasks
   * @param candidates number of its tasks, including those that may be done in place of others
   */
  PhaseRun(JobRun job, int index, PhaseRun source, boolean asksCore, int candidates, double now) {
    this.job = job;
    this.index = index;
    this.spec = job.spec().phases().get(index);
    this.source = source;
    this.begunAt = now;
    this.period = period(spec, job.simulation().settings());
    this.model = asksCore ? newModel() : null;
    this.tasks = new ArrayList<>(candidates);
    for (int i = 0; i < candidates; i++) {
      TaskModel task = asksCore ? model.addTask(spec.bytes(i)) : null;
      tasks.add(new TaskRun(this, i, task));
    }
    this.starts = new PhaseOrder(candidates);
    this.shares = new OutputShares(spec, job.simulation().shape().racks());
    this.outputs = job.simulation().recomputations().outputsOf(this);
    if (source != null) {
      source.reader = this;
    }
  }

  private PhaseModel newModel() {
    Duration delta = Duration.ofNanos(Math.round(period * 1e9));
    return new PhaseModel(spec.kind(), job.simulation().settings().estimator(delta));
  }

  private static double period(PhaseSpec spec, SimulationSettings settings) {
    double mean = (double) spec.totalBytes() / spec.tasks() * spec.secondsPerByte();
    double life = settings.overheads().startSeconds() + mean;
    return Math.min(settings.longestPeriod(), Math.max(SHORTEST_PERIOD, life / REPORTS_A_LIFE));
  }

  void largestFirst() {
    starts.largestFirst(model, begunAt);
  }

  /** Lets core decide, slot by slot, which block each task reads. */
  void bind(BlockBinding blocks) {
    binding = blocks;
  }

  /** Returns the task that is to read a block, which has got a slot. */
  TaskRun begin(int block) {
    TaskRun task = tasks.get(isOfAny() ? starts.begin() : block);
    binding.begin(task, block);
    return task;
  }

  // --- events

  /** Notes that all of the phase that it reads is done. */
  void inputsAreReady(double now) {
    if (model != null && !source.isAnyMissed()) {
      model.inputsReady(now);
    }
    moreInput(now);
  }

  /** Notes that an output that it reads is lost and made again. */
  void inputIsMissing() {
    if (model != null) {
      model.inputsNotReady();
    }
  }

  /** Tells its fetching attempts that there is more input. */
  void moreInput(double now) {
    for (TaskRun task : running) {
      task.live().forEach(attempt -> attempt.moreInput(now));
    }
  }

  void launched(AttemptRun attempt) {
    TaskRun task = attempt.task();
    if (task.place() < 0) {
      task.place(running.size());
      running.add(task);
    }
  }

  /** Notes that an attempt has left its slot. */
  void released(AttemptRun attempt) {
    count.released(attempt);
    if (binding != null) {
      binding.ended(attempt);
    }
    TaskRun task = attempt.task();
    boolean runs = task.live().stream().anyMatch(AttemptRun::isRunning);
    if (task.place() >= 0 && (task.isDone() || !runs)) {
      TaskRun last = running.remove(running.size() - 1);
      if (last != task) {
        running.set(task.place(), last);
        last.place(task.place());
      }
      task.place(-1);
    }
  }

  /** Notes that a task is done, with its output on the attempt's machine. */
  void done(AttemptRun by) {
    done++;
    count.done(by, job.simulation().now());
    if (binding != null) {
      binding.done(by);
    }
    if (!isOfAny()) {
      shares.add(rackOf(by.machine()), share(by.task()));
    }
  }

  private int rackOf(int machine) {
    return job.simulation().shape().rackOf(machine);
  }

  /** Returns a task's share of all output of the phase. */
  double share(TaskRun task) {
    return shares.of(task.bytes());
  }

  /** Returns the size of a task's output for the phase that reads this one, bytes. */
  long outputBytes(TaskRun task) {
    return Math.round(share(task) * job.spec().phases().get(index + 1).totalBytes());
  }

  /** Notes that a done task is to be run again. */
  void undone(TaskRun task) {
    remaking.add(task);
  }

  /** Notes that an attempt has done its task again. */
  void remade(AttemptRun by) {
    TaskRun task = by.task();
    count.done(by, job.simulation().now());
    shares.move(rackOf(task.undoneOn()), rackOf(by.machine()), share(task));
    task.remade();
    remaking.remove(task);
  }

  /** Notes that one of its outputs is there again. */
  void outputIsBack(TaskRun task, double now) {
    if (reader != null && reader.model != null && isDone() && !isAnyMissed()) {
      reader.model.inputsReady(now);
    }
    outputs.isBack(task, now);
  }

  /** Sets whether the scheme scans it periodically. */
  void isScanned(boolean value) {
    scanned = value;
    wasScanned |= value;
  }

  boolean isScanned() {
    return scanned;
  }

  /** Returns whether the scheme has ever scanned it. */
  boolean wasScanned() {
    return wasScanned;
  }

  void ended(double now) {
    endedAt = now;
  }

  /**
   * Fixes the K tasks, by index, whose outputs the job uses.
   *
   * @throws IllegalArgumentException if they are not K different tasks
   * @throws IllegalStateException if one of them is not done
   */
  void fix(List<Integer> chosen) {
    binding.fix(chosen.stream().map(i -> tasks.get(i).block()).toList());
    double all = chosen.stream().mapToLong(i -> OutputShares.weight(tasks.get(i).bytes())).sum();
    for (int i : chosen) {
      TaskRun task = tasks.get(i);
      AttemptRun winner = task.winner().orElseThrow();
      if (winner.block() != task.block()) {
        throw new IllegalStateException(
            task + " counts for block " + task.block() + " and has read " + winner.block());
      }
      shares.add(rackOf(winner.machine()), OutputShares.weight(task.bytes()) / all);
    }
  }

  /** Notes that a task was given up because its output is not needed. */
  void givenUp(TaskRun task) {
    binding.givenUp(task);
  }

  /** Returns how many outputs were made but not chosen. */
  int spare() {
    return isOfAny() ? done - spec.tasks() : 0;
  }

  /** Returns how its outputs are spread over the racks. */
  OutputShares shares() {
    return shares;
  }

  // --- properties

  Overheads overheads() {
    return job.simulation().settings().overheads();
  }

  /** Returns the binding of its blocks to slots, if it has one. */
  Optional<BlockBinding> binding() {
    return Optional.ofNullable(binding);
  }

  /** Returns whether the job needs any K of a larger number of outputs. */
  boolean isOfAny() {
    return binding != null && binding.isOfAny();
  }

  /** Returns the order in which its tasks begin, and their preferred racks. */
  PhaseOrder starts() {
    return starts;
  }

  /** Returns whether its tasks read the outputs of an earlier phase. */
  boolean reads() {
    return source != null;
  }

  /** Returns whether another phase reads its outputs. */
  boolean isRead() {
    return index + 1 < job.spec().phases().size();
  }

  /** Returns whether, as far as is known, an attempt still has to begin to read its outputs. */
  public boolean isUnread() {
    return isRead() && (reader == null || reader.waiting() > 0 || reader.isAnyToRead());
  }

  private boolean isAnyToRead() {
    boolean starts =
        running.stream()
            .flatMap(task -> task.live().stream())
            .anyMatch(attempt -> !attempt.hasBegunToRead());
    return starts || job.hasQueued(this);
  }

  /** Returns the phase that reads it, which must have begun. */
  PhaseRun reader() {
    return reader;
  }

  /** Returns its outputs; null if they are never lost. */
  PhaseOutputs outputs() {
    return outputs;
  }

  /** Creates the fetch state of an attempt that begins to read it. */
  FetchState newIntake(AttemptRun by) {
    return outputs == null
        ? new RackFetchState(this, shares.racks())
        : new LossyFetchState(by, outputs, shares.racks());
  }

  /** Returns its tasks that are being run again or are waiting for that. */
  List<TaskRun> remaking() {
    return remaking;
  }

  private boolean isAnyMissed() {
    return remaking.stream().anyMatch(TaskRun::isMissed);
  }

  /** Returns the phase that it reads, if it reads one. */
  public Optional<PhaseRun> readFrom() {
    return Optional.ofNullable(source);
  }

  /** Returns the phase that it reads. There must be one. */
  PhaseRun source() {
    return source;
  }

  /** Returns the share in each rack of the input that is there now. */
  public double[] inputShare() {
    return source.shares.ofWhatIsThere();
  }

  /** Returns the indices of its tasks that have not begun, in the order in which they begin. */
  public List<Integer> notBegun() {
    return starts.notBegun();
  }

  /** Returns its job. */
  public JobRun job() {
    return job;
  }

  /** Returns its index in the job, from 0. */
  public int index() {
    return index;
  }

  /** Returns what the phase has to do. */
  public PhaseSpec spec() {
    return spec;
  }

  /** Returns its key in the workload. */
  public long key() {
    return PhaseKey.of(job.number(), index);
  }

  /** Returns Delta, the seconds between two reports of a task. */
  public double period() {
    return period;
  }

  /** Returns its tasks by index; M of them if the job needs any K of its blocks. */
  public List<TaskRun> tasks() {
    return Collections.unmodifiableList(tasks);
  }

  /** Returns its tasks that hold slots and are not done, in no particular order. */
  public List<TaskRun> running() {
    return Collections.unmodifiableList(running);
  }

  /** Sets whether an attempt that holds a slot waits for its input. */
  void waitsForInput(AttemptRun attempt, boolean waits) {
    if (waits) {
      waitForInput.add(attempt);
    } else {
      waitForInput.remove(attempt);
    }
  }

  /** Returns the attempts that hold slots and wait for their input. */
  Set<AttemptRun> waitForInput() {
    return Collections.unmodifiableSet(waitForInput);
  }

  /** Returns how many tasks have not begun; with a block binding, how many slots it wants. */
  public int waiting() {
    return binding == null ? starts.waiting() : binding.wanted();
  }

  /** Returns how many of its tasks are done and, as far as is known, need not be done again. */
  public int done() {
    return done - remaking.size();
  }

  /** Returns how many of its tasks have been done, including those that are being done again. */
  int everDone() {
    return done;
  }

  /**
   * Returns whether all of its tasks have been done, even if some are being done again. If any K
   * outputs are enough, returns whether the K have been chosen.
   */
  public boolean isDone() {
    return isOfAny() ? binding.isFixed() : done == spec.tasks();
  }

  /** Returns when it ended, seconds: when all outputs were first made, or the K were chosen. */
  double endedAt() {
    return endedAt;
  }

  /** Returns when its tasks were first allowed to begin, seconds. */
  public double begunAt() {
    return begunAt;
  }

  /** Returns core's model of the phase; empty if the scheme does not use core. */
  public Optional<PhaseModel> model() {
    return Optional.ofNullable(model);
  }

  PhaseCount count() {
    return count;
  }

  @Override
  public String toString() {
    return "phase " + index + " of job " + job.spec().id();
  }

  /** Tracks how the outputs of a phase are spread over the racks, as shares of all output. */
  static final class OutputShares {
    private final double[] inRack;
    private final double whole;

    OutputShares(PhaseSpec spec, int racks) {
      inRack = new double[racks];
      whole = IntStream.range(0, spec.tasks()).mapToLong(i -> weight(spec.bytes(i))).sum();
    }

    /** Returns the weight of a task's output: its input, but at least 1. */
    static long weight(long bytes) {
      return Math.max(1, bytes);
    }

    /** Returns the share of all output of a task with so many bytes of input. */
    double of(long bytes) {
      return weight(bytes) / whole;
    }

    void add(int rack, double share) {
      inRack[rack] += share;
    }

    /** Moves a lost output to the rack where it was made again. */
    void move(int from, int to, double share) {
      inRack[from] = Math.max(0, inRack[from] - share);
      inRack[to] += share;
    }

    double in(int rack) {
      return inRack[rack];
    }

    int racks() {
      return inRack.length;
    }

    /** Returns the share in each rack of the output that is there. */
    double[] ofWhatIsThere() {
      double there = Arrays.stream(inRack).sum();
      return Arrays.stream(inRack).map(share -> share / there).toArray();
    }
  }
}
