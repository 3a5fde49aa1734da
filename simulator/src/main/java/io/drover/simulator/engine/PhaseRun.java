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

/** One phase of a job that has begun: its tasks may get slots. */
public final class PhaseRun {
  /** Delta is at least so long: a report each second is what Hadoop's tasks can be set to. */
  private static final double SHORTEST_PERIOD = 1;

  /** Mantri section 5: a task reports at least so often in its life. */
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
   * A phase that begins.
   *
   * @param source the phase that it reads; null if it does not read from other tasks
   * @param candidates its tasks, and those that may be done in place of others
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
    this.starts = new PhaseOrder(spec.tasks());
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

  /** Lets the tasks with the most data begin first. */
  void largestFirst() {
    starts.largestFirst(model, begunAt);
  }

  /** Which block each task reads is core's to say, slot by slot. */
  void bind(BlockBinding blocks) {
    binding = blocks;
  }

  // --- what happens in it

  /** All that it reads is there. */
  void inputsAreReady(double now) {
    if (model != null && !source.isAnyMissed()) {
      model.inputsReady(now);
    }
    moreInput(now);
  }

  /** Something that it reads is lost, and made again. */
  void inputIsMissing() {
    if (model != null) {
      model.inputsNotReady();
    }
  }

  /** There is more that those of its attempts can fetch that wait for it. */
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

  /** An attempt that held a slot does so no more. */
  void released(AttemptRun attempt) {
    count.released(attempt);
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

  /** A task is done: its output lies where the attempt ran. */
  void done(AttemptRun by) {
    done++;
    count.done(by, job.simulation().now());
    if (binding != null) {
      binding.done(by.task().index());
    }
    if (!isOfAny()) {
      shares.add(rackOf(by.machine()), share(by.task()));
    }
  }

  private int rackOf(int machine) {
    return job.simulation().shape().rackOf(machine);
  }

  /** The share of all of its output that a task puts out. */
  double share(TaskRun task) {
    return shares.of(task.bytes());
  }

  /** What a task puts out for the phase that reads this one, bytes. */
  long outputBytes(TaskRun task) {
    return Math.round(share(task) * job.spec().phases().get(index + 1).totalBytes());
  }

  /** A task that was done is to be done again. */
  void undone(TaskRun task) {
    remaking.add(task);
  }

  /** A task is done again, by this attempt. */
  void remade(AttemptRun by) {
    TaskRun task = by.task();
    count.done(by, job.simulation().now());
    shares.move(rackOf(task.undoneOn()), rackOf(by.machine()), share(task));
    task.remade();
    remaking.remove(task);
  }

  /** An output of it is there again. */
  void outputIsBack(TaskRun task, double now) {
    if (reader != null && reader.model != null && isDone() && !isAnyMissed()) {
      reader.model.inputsReady(now);
    }
    outputs.isBack(task, now);
  }

  /** Whether the scheme looks at it from time to time. */
  void isScanned(boolean value) {
    scanned = value;
    wasScanned |= value;
  }

  boolean isScanned() {
    return scanned;
  }

  /** Whether it ever did. */
  boolean wasScanned() {
    return wasScanned;
  }

  /** All of its tasks are done for the first time. */
  void ended(double now) {
    endedAt = now;
  }

  /**
   * The K tasks whose outputs go on, by index.
   *
   * @throws IllegalStateException unless they are K, each once, and done
   */
  void fix(List<Integer> chosen) {
    binding.fix(chosen);
    double all = chosen.stream().mapToLong(i -> OutputShares.weight(spec.bytes(i))).sum();
    for (int i : chosen) {
      TaskRun task = tasks.get(i);
      shares.add(
          rackOf(task.winner().orElseThrow().machine()), OutputShares.weight(task.bytes()) / all);
    }
  }

  /** A task is given up, since its output is not needed. */
  void givenUp(TaskRun task) {
    binding.givenUp(task.index());
  }

  /** Outputs that were made and do not go on. */
  int spare() {
    return isOfAny() ? done - spec.tasks() : 0;
  }

  /** How what it has put out lies in the racks. */
  OutputShares shares() {
    return shares;
  }

  // --- what it is

  /** What its tasks take beside the work on their bytes. */
  Overheads overheads() {
    return job.simulation().settings().overheads();
  }

  /** The choice of its blocks, where there is one. */
  Optional<BlockBinding> binding() {
    return Optional.ofNullable(binding);
  }

  /** Whether the outputs of any K of more tasks will do. */
  boolean isOfAny() {
    return binding != null && binding.isOfAny();
  }

  /** The order in which its tasks begin, and where they are wished to run. */
  PhaseOrder starts() {
    return starts;
  }

  /** Whether its tasks read what tasks before them put out. */
  boolean reads() {
    return source != null;
  }

  /** Whether another phase reads what it puts out. */
  boolean isRead() {
    return index + 1 < job.spec().phases().size();
  }

  /** Whether some attempt has still to begin to read what it put out, as far as is known. */
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

  /** The phase that reads it and has begun; there must be one. */
  PhaseRun reader() {
    return reader;
  }

  /** What it has put out; null if that is never lost. */
  PhaseOutputs outputs() {
    return outputs;
  }

  /** For an attempt that begins to read it. */
  FetchState newIntake(AttemptRun by) {
    return outputs == null
        ? new RackFetchState(this, shares.racks())
        : new LossyFetchState(by, outputs, shares.racks());
  }

  /** Its tasks that are done again, or are to be. */
  List<TaskRun> remaking() {
    return remaking;
  }

  private boolean isAnyMissed() {
    return remaking.stream().anyMatch(TaskRun::isMissed);
  }

  /** The phase that it reads, if it reads one. */
  public Optional<PhaseRun> readFrom() {
    return Optional.ofNullable(source);
  }

  /** The phase that it reads; there must be one. */
  PhaseRun source() {
    return source;
  }

  /** The share of the input that lies in each rack, of what is there. */
  public double[] inputShare() {
    return source.shares.ofWhatIsThere();
  }

  /** Its tasks that have not begun, by index, in the order in which they are to begin. */
  public List<Integer> notBegun() {
    return starts.notBegun();
  }

  /** The job it belongs to. */
  public JobRun job() {
    return job;
  }

  /** Its place in the job, from 0. */
  public int index() {
    return index;
  }

  /** What it has to do. */
  public PhaseSpec spec() {
    return spec;
  }

  /** A number that names it in the workload. */
  public long key() {
    return PhaseKey.of(job.number(), index);
  }

  /** Delta: how often its tasks report, seconds. */
  public double period() {
    return period;
  }

  /** Its tasks, by index; of a job any K of whose blocks will do, one for each block. */
  public List<TaskRun> tasks() {
    return Collections.unmodifiableList(tasks);
  }

  /** Its tasks that hold slots and are not done, in no particular order. */
  public List<TaskRun> running() {
    return Collections.unmodifiableList(running);
  }

  /** An attempt that holds a slot waits, or no longer waits, for others to make its input. */
  void waitsForInput(AttemptRun attempt, boolean waits) {
    if (waits) {
      waitForInput.add(attempt);
    } else {
      waitForInput.remove(attempt);
    }
  }

  /** Attempts that hold slots and can do nothing until others have made their input. */
  Set<AttemptRun> waitForInput() {
    return Collections.unmodifiableSet(waitForInput);
  }

  /** How many of its tasks have not begun. */
  public int waiting() {
    return binding == null ? starts.waiting() : binding.wanted();
  }

  /** How many of its tasks are done, and need not be done again as far as is known. */
  public int done() {
    return done - remaking.size();
  }

  /** How many of its tasks have been done, those that are being done again included. */
  int everDone() {
    return done;
  }

  /**
   * Whether all of its tasks have been done, even if some are being done again; or K, and it is
   * known which of them go on.
   */
  public boolean isDone() {
    return isOfAny() ? binding.isFixed() : done == spec.tasks();
  }

  /** When all of its tasks had been done for the first time, seconds. */
  double endedAt() {
    return endedAt;
  }

  /** When its tasks might begin, seconds. */
  public double begunAt() {
    return begunAt;
  }

  /** What core knows of it; empty where the scheme does not ask core. */
  public Optional<PhaseModel> model() {
    return Optional.ofNullable(model);
  }

  /** Its attempts, counted. */
  PhaseCount count() {
    return count;
  }

  @Override
  public String toString() {
    return "phase " + index + " of job " + job.spec().id();
  }

  /** How what a phase has put out lies in the racks, as shares of all that its tasks put out. */
  static final class OutputShares {
    private final double[] inRack;
    private final double whole;

    /** Nothing is there yet. */
    OutputShares(PhaseSpec spec, int racks) {
      inRack = new double[racks];
      whole = IntStream.range(0, spec.tasks()).mapToLong(i -> weight(spec.bytes(i))).sum();
    }

    /** A task that reads nothing puts something out, too. */
    static long weight(long bytes) {
      return Math.max(1, bytes);
    }

    /** What a task that reads so many bytes puts out. */
    double of(long bytes) {
      return weight(bytes) / whole;
    }

    void add(int rack, double share) {
      inRack[rack] += share;
    }

    /** What lay in one rack was lost, and is there again in another. */
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

    /** The share of what is there that lies in each rack. */
    double[] ofWhatIsThere() {
      double there = Arrays.stream(inRack).sum();
      return Arrays.stream(inRack).map(share -> share / there).toArray();
    }
  }
}
