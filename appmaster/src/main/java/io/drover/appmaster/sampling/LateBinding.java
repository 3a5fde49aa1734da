// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.appmaster.sampling.OutputSelector.Selection;
import io.drover.appmaster.sampling.SampleState.MapAttempt;
import io.drover.core.config.Mode;
import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.core.sampling.OfferAnswer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a job with late binding: gives each map a block when its container comes, chooses the K maps
 * that the result is made of, and ends the others.
 *
 * <p><b>The order of things.</b> A map is bound ({@link BlockBinder}). K maps succeed, and those
 * without a block are ended. A choice of K is made ({@link OutputSelector}), at once or after a
 * wait. The choice is written to the state file ({@link SampleStateFile}). Only then the reduces
 * learn of the chosen outputs ({@link ChosenOutputStream}), and the maps that still run are ended.
 *
 * <p><b>A job without reduces.</b> A map that asks to commit is chosen, if fewer than K are, and
 * may commit once the state file says so. It stays chosen: if its commit fails, it runs again on
 * the same block. A map of a job with reduces that has files of its own to commit is treated alike.
 *
 * <p><b>Lost outputs.</b> Before K are chosen, a lost output does not count any more, and any other
 * may be chosen. Afterwards the map reads the same block again. Hadoop would also run a map again
 * that has succeeded and was not chosen; it is ended.
 */
public final class LateBinding {
  private static final Logger LOG = LoggerFactory.getLogger(LateBinding.class);
  private static final double SHORTEST_WAIT = 0.2;
  private static final double LONGEST_WAIT = 5;

  private final SampledInput.Plan plan;
  private final BlockBinder binder;
  private final SampleStateFile file;
  private final OutputSelector selector;
  private final ChosenOutputStream stream;
  private final JobAccess job;
  private volatile boolean published;

  /** The last success of each map, also after its output is lost. */
  private final Map<Integer, Success> successes = new ConcurrentHashMap<>();

  // used on the dispatcher thread only
  private final Set<TaskId> told = new HashSet<>();
  private boolean isSelecting;
  private boolean selectsAgain;
  private boolean looksAgain;
  private double chooseAt = Double.POSITIVE_INFINITY;

  /**
   * A success of a map.
   *
   * @param at when, milliseconds since the epoch
   */
  record Success(TaskAttemptId attempt, String node, long at) {}

  LateBinding(SampledInput.Plan plan, BlockBinder binder, OutputSelector selector, JobAccess job) {
    this.plan = plan;
    this.binder = binder;
    this.selector = selector;
    this.job = job;
    this.file =
        new SampleStateFile(
            job, plan.file(), binder::state, () -> job.onDispatcher(() -> proceed(job.job())));
    this.stream =
        new ChosenOutputStream(
            from -> job.job().getMapAttemptCompletionEvents(from, Integer.MAX_VALUE),
            map -> binder.isChosen(map.getId()),
            attempt -> binder.countsFor(of(attempt)));
  }

  static MapAttempt of(TaskAttemptId attempt) {
    return new MapAttempt(attempt.getTaskId().getId(), attempt.getId());
  }

  private static boolean isMap(TaskAttemptId attempt) {
    return attempt.getTaskId().getTaskType() == TaskType.MAP;
  }

  // --- containers; on the allocator's thread

  /** Returns whether an attempt waits for the container with which its map gets its first block. */
  public boolean isWaiting(TaskAttemptId attempt) {
    return isMap(attempt) && binder.isWaiting(of(attempt));
  }

  /**
   * Offers a container to an attempt that {@link #isWaiting}. If the answer has a binding, the
   * attempt must get the container.
   */
  public OfferAnswer offer(TaskAttemptId attempt, String host, String rack) {
    OfferAnswer answer = binder.offer(of(attempt), host, rack, job.seconds());
    answer
        .binding()
        .ifPresent(
            binding -> {
              Map<String, Object> fields = new LinkedHashMap<>();
              fields.put("attempt", attempt);
              fields.put("block", binding.block());
              fields.put("node", host);
              fields.put("nearness", binding.nearness().name().toLowerCase(Locale.ROOT));
              fields.put("waited", answer.waitedSeconds());
              job.write(Mode.ON, "blockBound", fields);
            });
    return answer;
  }

  /** Returns how near the block is that a map with one would read on a host now. */
  public Optional<BlockLocality> nearness(TaskAttemptId attempt, String host, String rack) {
    return binder.nearness(attempt.getTaskId().getId(), host, rack);
  }

  /** Returns how many blocks maps may still take. */
  public int openCount() {
    return binder.openCount();
  }

  /** Returns the hosts of each block that a map may still take. */
  public List<List<String>> openHosts() {
    return binder.open().stream()
        .map(block -> SampledInput.hosts(plan.blocks().get(block)))
        .toList();
  }

  /**
   * Returns whether reduces may start: half of K maps have succeeded, and no map waits for a
   * container that a reduce could take. They have nothing to fetch before K maps are chosen, but
   * then their processes are there.
   */
  public boolean mayReduce() {
    boolean areMapsServed = binder.missing() == 0 || binder.wanted() == 0;
    return published || (areMapsServed && 2 * binder.missing() <= needed());
  }

  /** Returns K. */
  public int needed() {
    return plan.state().needed();
  }

  // --- attempts; on the dispatcher thread

  /**
   * Returns the split that an attempt is to read, which has its container and starts now.
   *
   * @return empty if there is none; the attempt is then ended before it can run
   */
  public Optional<TaskSplitMetaInfo> bind(TaskAttemptId attempt, String host, String rack) {
    try {
      OptionalInt block = binder.bind(of(attempt), host, rack);
      if (block.isPresent()) {
        file.writeSoon();
        return Optional.of(plan.splits().get(block.getAsInt()));
      }
      job.end(attempt, "no block is left for it");
      return Optional.empty();
    } catch (RuntimeException e) {
      LOG.error("{} could not be bound to a block", attempt, e);
      fail();
      return Optional.empty();
    }
  }

  /** Notes that an attempt has failed, although Hadoop counts it as killed. */
  public void failedByItself(TaskAttemptId attempt) {
    binder.failedByItself(of(attempt));
  }

  /** Returns whether the success of an attempt counts: no other block stands for its map. */
  public boolean maySucceed(TaskAttemptId attempt) {
    return binder.decide(of(attempt));
  }

  /** Fails the job after an error that may have left the sample in a wrong state. */
  void fail() {
    job.failAfterAnError();
  }

  /** Returns the split of a map that has a block. */
  public Optional<TaskSplitMetaInfo> split(TaskId map) {
    OptionalInt block = binder.blockOf(map.getId());
    return block.isPresent() ? Optional.of(plan.splits().get(block.getAsInt())) : Optional.empty();
  }

  /**
   * Returns the split on whose hosts a further attempt asks for a container: also on those of other
   * blocks that it may take, unless it replaces an attempt that has failed.
   *
   * @param isBeside whether another attempt of the map is alive
   */
  public Optional<TaskSplitMetaInfo> splitToAsk(TaskId map, boolean hasFailed, boolean isBeside) {
    List<Integer> others = hasFailed ? List.of() : binder.alternatives(map.getId(), isBeside);
    return split(map).map(own -> plan.splitOnHostsOf(own, others));
  }

  /** Returns whether a map is not part of the result, so that its counters must not count. */
  public boolean isLeftOut(TaskId map) {
    return binder.isComplete() && !binder.isChosen(map.getId());
  }

  /** Returns whether the output that an earlier AppMaster's map has left may be used again. */
  boolean isKnown(TaskAttemptId attempt) {
    return binder.countsFor(of(attempt));
  }

  /** Handles an event of a map after the map has handled it. */
  void onTaskEvent(Job of, TaskEvent event) {
    if (event.getTaskID().getTaskType() != TaskType.MAP) {
      return;
    }
    Task map = of.getTask(event.getTaskID());
    if (event instanceof TaskTAttemptEvent attempt) {
      onAttempt(map, attempt);
    } else if (event.getType() == TaskEventType.T_RECOVER) {
      map.getAttempts().values().stream()
          .filter(attempt -> attempt.getState() == TaskAttemptState.SUCCEEDED)
          .forEach(attempt -> succeeded(map, attempt.getID()));
    }
    if (map.getState() == TaskState.KILLED) { // or it waits for the ends of its attempts
      binder.dropped(map.getID().getId());
    }
    if (published) {
      endIfLeftOut(map);
    } else {
      if (map.isFinished() && map.getState() == TaskState.KILLED && !binder.isComplete()) {
        failIfNothingIsLeft(of); // one that failed ends the job by itself
      }
      proceed(of);
    }
  }

  private void onAttempt(Task map, TaskTAttemptEvent event) {
    TaskAttemptId attempt = event.getTaskAttemptID();
    switch (event.getType()) {
      case T_ATTEMPT_SUCCEEDED -> succeeded(map, attempt);
      case T_ATTEMPT_FAILED, T_ATTEMPT_KILLED -> {
        binder.ended(of(attempt), event.getType() == TaskEventType.T_ATTEMPT_FAILED);
        if (map.getState() == TaskState.SCHEDULED || map.getState() == TaskState.RUNNING) {
          told.remove(map.getID()); // it runs again
        }
        endStrays(map);
      }
      default -> {}
    }
  }

  private void succeeded(Task map, TaskAttemptId attempt) {
    if (map.getState() != TaskState.SUCCEEDED) {
      return;
    }
    if (!binder.succeeded(of(attempt))) {
      if (!isThere(map.getID().getId())) { // so that Hadoop runs the map again
        job.end(attempt, "its output is of another block than the map stays with");
      }
    } else {
      TaskAttempt by = map.getAttempt(attempt);
      int number = map.getID().getId();
      successes.put(number, new Success(attempt, JobAccess.host(by), by.getFinishTime()));
      if (!job.hasReduces()) {
        binder.choose(number);
      }
    }
  }

  /** Ends the attempts of a map that read another block than the one that it stays with. */
  private void endStrays(Task map) {
    for (MapAttempt stray : binder.strays(map.getID().getId())) {
      map.getAttempts().keySet().stream()
          .filter(attempt -> attempt.getId() == stray.attempt())
          .forEach(attempt -> job.end(attempt, "the map stays with another block"));
    }
  }

  private void proceed(Job of) {
    if (binder.isComplete()) {
      publish(of);
    } else if (binder.missing() == 0) {
      for (TaskId map : of.getTasks(TaskType.MAP).keySet()) {
        if (binder.isUnbound(map.getId())) {
          end(map);
        }
      }
      if (job.hasReduces()) {
        select(of);
      } else {
        file.write();
      }
    }
  }

  private void failIfNothingIsLeft(Job of) {
    if (binder.missing() > 0
        && of.getTasks(TaskType.MAP).values().stream().allMatch(Task::isFinished)) {
      job.fail(
          "%d of %d blocks were read, and no map is left to read another one"
              .formatted(needed() - binder.missing(), needed()));
    }
  }

  /** Ends a map, once. Hadoop may run it again if it has succeeded and its output is lost. */
  private void end(TaskId map) {
    if (told.add(map)) {
      job.end(map);
    }
  }

  private void endIfLeftOut(Task map) {
    if (!binder.isChosen(map.getID().getId()) && !map.isFinished()) {
      end(map.getID());
    }
  }

  // --- the choice

  private void select(Job of) {
    if (isSelecting) {
      selectsAgain = true;
      return;
    }
    isSelecting = true;
    OutputSelector.Maps maps = job.maps(of, binder);
    job.onWorker(
        () -> {
          Optional<Selection> selection = Optional.empty();
          try {
            selection = Optional.of(selector.select(maps, needed()));
          } finally { // without a decision, the reduces get the first outputs
            Optional<Selection> made = selection;
            job.onDispatcher(() -> apply(of, maps, made));
          }
        });
  }

  private void apply(Job of, OutputSelector.Maps maps, Optional<Selection> selection) {
    isSelecting = false;
    boolean again = selectsAgain;
    selectsAgain = false;
    if (binder.isComplete() || binder.missing() > 0) {
      return; // or an output was lost meanwhile, and the next success begins anew
    }
    if (selection.isPresent() && waits(selection.get(), maps.now())) {
      if (again) {
        select(of);
      }
      return;
    }
    List<Integer> best =
        selection
            .map(made -> made.chosen().outputs().stream().map(i -> maps.done().get(i).map()))
            .orElseGet(() -> maps.done().stream().map(OutputSelector.Done::map))
            .toList();
    Set<Integer> there = new LinkedHashSet<>(binder.finished());
    if (selection.isPresent() && !there.containsAll(best)) {
      select(of);
      return;
    }
    List<Integer> all = new ArrayList<>(best);
    all.addAll(there); // in case that others were chosen already because they have committed files
    all.stream().filter(there::contains).forEach(binder::choose);
    writeChoice(maps, selection);
    file.write();
    proceed(of);
  }

  /**
   * Returns whether to wait for a better choice, and looks again when there may be one. The first
   * decision to wait sets the limit: a forecast that does not come true is not extended.
   */
  private boolean waits(Selection selection, double now) {
    if (selection.delay().startsNow()) {
      return false;
    }
    double delay = Math.max(SHORTEST_WAIT, selection.delay().delaySeconds());
    chooseAt = Math.min(chooseAt, now + delay);
    if (now >= chooseAt) {
      return false;
    }
    if (!looksAgain) {
      looksAgain = true;
      job.onWorkerLater(
          Math.min(LONGEST_WAIT, chooseAt - now), () -> job.onDispatcher(this::lookAgain));
    }
    return true;
  }

  private void lookAgain() {
    looksAgain = false;
    if (!published) {
      proceed(job.job());
    }
  }

  private void writeChoice(OutputSelector.Maps maps, Optional<Selection> selection) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("needed", needed());
    fields.put("maps", plan.state().maps());
    fields.put("done", maps.done().size());
    fields.put("running", maps.going().size());
    selection.ifPresent(made -> fields.putAll(made.fields()));
    job.write(Mode.ON, "outputsChosen", fields);
  }

  private void publish(Job of) {
    boolean isWritten =
        file.written().filter(state -> state.chosen().size() == needed()).isPresent();
    if (!isWritten) {
      file.write();
      return;
    }
    List<TaskId> others =
        of.getTasks(TaskType.MAP).keySet().stream()
            .filter(map -> !binder.isChosen(map.getId()))
            .toList();
    stream.begin(others);
    published = true;
    others.forEach(map -> endIfLeftOut(of.getTask(map)));
    of.getTasks(TaskType.MAP).values().forEach(this::endStrays);
  }

  // --- on the threads of the RPC server

  /** Returns at most a number of the events that reduces receive, from an index on. */
  public TaskCompletionEvent[] events(int from, int most) {
    return stream.next(from, most);
  }

  /**
   * Returns whether an attempt of a map may commit now, as far as the sample is concerned. If not
   * yet, the attempt asks again.
   */
  public boolean mayCommit(TaskAttemptId attempt) {
    if (!isMap(attempt)) {
      return true;
    }
    MapAttempt of = of(attempt);
    if (!binder.choose(of)) {
      return false;
    }
    if (!binder.strays(of.map()).isEmpty()) {
      job.onDispatcher(() -> endStrays(job.job().getTask(attempt.getTaskId())));
    }
    boolean isWritten =
        file.written()
            .filter(state -> Collections.binarySearch(state.chosen(), of.map()) >= 0)
            .filter(state -> state.reads().containsKey(of))
            .isPresent();
    if (!isWritten) {
      file.write();
    }
    return isWritten;
  }

  // --- the record

  /** Returns the maps that the result is made of. */
  List<Integer> chosen() {
    return binder.chosen();
  }

  /** Returns whether the output of a chosen map is there. */
  boolean isThere(int map) {
    return binder.successOf(map).isPresent();
  }

  /** Returns the last success of a map, also if its output has been lost since. */
  Optional<Success> success(int map) {
    return Optional.ofNullable(successes.get(map));
  }

  /** Returns the block of a map that has one. */
  int block(int map) {
    return binder.blockOf(map).orElseThrow();
  }
}
