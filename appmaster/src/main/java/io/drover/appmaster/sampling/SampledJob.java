// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.appmaster.sampling.SampleState.MapAttempt;
import io.drover.client.sampling.SampleBlock;
import io.drover.client.sampling.SampleLineage;
import io.drover.client.sampling.SampleLineage.UsedBlock;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.Mode;
import io.drover.core.config.SampleSettings;
import io.drover.core.sampling.BlockChoice;
import io.drover.core.sampling.InputBlock;
import io.drover.speculator.HadoopSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sample of a job's input: whether the job asks for one, how it is planned, and what it came
 * to.
 *
 * <p>A request that cannot be met fails the job before its tasks start, with the reason, even if
 * the rest of Drover is off: a result on the whole input is not what the job has asked for. If late
 * binding is off, the blocks are drawn at random before the start, and the job runs as usual.
 */
public final class SampledJob {
  private static final Logger LOG = LoggerFactory.getLogger(SampledJob.class);

  private final Optional<SampleSettings> request;
  private final Optional<String> objection;
  private final SampledInput input;
  private final BooleanSupplier late;
  private final JobAccess access;
  private volatile SampledInput.Plan plan;
  private volatile LateBinding binding;
  private volatile Observation observation;

  private SampledJob(
      Optional<SampleSettings> request,
      Optional<String> objection,
      SampledInput input,
      BooleanSupplier late,
      JobAccess access) {
    this.request = request;
    this.objection = objection;
    this.input = input;
    this.late = late;
    this.access = access;
  }

  /** Returns the sample of a job that reads its whole input. */
  public static SampledJob wholeInput() {
    return new SampledJob(Optional.empty(), Optional.empty(), null, () -> false, null);
  }

  /**
   * Reads a job's request.
   *
   * @param mayBindLate tells, once the job's classes are known, whether late binding works with its
   *     other settings and its output
   * @param classes returns the job's class loader
   * @param ratio returns M/K; gets N and may wait for the scheduler's answer
   * @param appAttempt number of this AppMaster, from 1
   */
  public static SampledJob of(
      Configuration conf,
      BooleanSupplier mayBindLate,
      Supplier<ClassLoader> classes,
      ToDoubleFunction<Integer> ratio,
      int appAttempt,
      JobAccess access) {
    SampleSettings request;
    try {
      request = HadoopSettings.readSample(conf);
    } catch (BadSettingException e) {
      return new SampledJob(
          Optional.empty(), Optional.of(e.getMessage()), null, () -> false, access);
    }
    if (!request.isAsked()) {
      return wholeInput();
    }
    boolean isAsked = request.mode() == Mode.ON && request.record().isEmpty();
    BooleanSupplier late = () -> isAsked && isTrue(mayBindLate);
    return new SampledJob(
        Optional.of(request),
        Optional.empty(),
        new SampledInput(request, late, classes, ratio, appAttempt),
        late,
        access);
  }

  /** An error here would end the AppMaster; blocks can be drawn before the start in any case. */
  private static boolean isTrue(BooleanSupplier mayBindLate) {
    try {
      return mayBindLate.getAsBoolean();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Drover binds no map late: it could not find out whether that is safe", e);
      return false;
    }
  }

  /** Returns whether the job asks for a sample, or has a setting of a sample that is bad. */
  public boolean isAsked() {
    return request.isPresent() || objection.isPresent();
  }

  /**
   * Makes the history of the AppMaster before this one readable for this one, if the job samples.
   * Without it, all tasks run again.
   */
  public void takeHistory(Configuration conf, ApplicationAttemptId attempt) {
    if (isAsked()) {
      SampleHistory.take(conf, attempt);
    }
  }

  /** Returns the number that the job history of an AppMaster has in the name of its file. */
  public int historyNumber(int appAttempt) {
    return isAsked() ? SampleHistory.number(appAttempt) : appAttempt;
  }

  /**
   * Returns whether maps are to take their blocks when their containers come: the job asks for it,
   * and it works with its other settings and its output. Called once the job's classes are known.
   */
  public boolean isLate() {
    return late.getAsBoolean();
  }

  /** Returns the job's late binding, once it is planned. */
  public Optional<LateBinding> late() {
    return Optional.ofNullable(binding);
  }

  /**
   * Plans the input of a job that {@link #isAsked} for a sample.
   *
   * @param conf the job's configuration; gets the settings without which a sample cannot be right
   * @param staging the job's staging directory
   * @param splits the splits of all N blocks
   * @param recovered tasks of an earlier AppMaster; those that must run again are removed
   * @return the splits of the M maps
   * @throws SampleRefusedException if the sample cannot be had, or a file fails
   */
  public TaskSplitMetaInfo[] plan(
      Configuration conf,
      JobId job,
      Path staging,
      TaskSplitMetaInfo[] splits,
      Map<TaskId, TaskInfo> recovered) {
    objection.ifPresent(
        why -> {
          throw new SampleRefusedException(why);
        });
    try {
      plan = input.plan(conf, job, staging, splits);
    } catch (BadSettingException e) {
      throw new SampleRefusedException(e.getMessage());
    } catch (IOException e) {
      throw new SampleRefusedException("the sample could not be planned: " + e);
    }
    if (!plan.knowsHistory()) {
      forget(recovered);
    }
    conf.setInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 0); // K blocks, and never fewer
    if (!plan.state().late()) {
      if (request.orElseThrow().mode() == Mode.OBSERVE) {
        observation = new Observation(choice());
      }
      return plan.state().blockOf().stream()
          .map(block -> splits[block])
          .toArray(TaskSplitMetaInfo[]::new);
    }
    conf.setBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, false);
    BlockBinder binder = new BlockBinder(choice(), plan.state());
    LateBinding made =
        new LateBinding(
            plan,
            binder,
            new OutputSelector(
                plan.settings(),
                request.orElseThrow().chooseBySize(),
                input.history(conf),
                access.bandwidths()),
            access);
    if (plan.recovers()) {
      Set<MapAttempt> there = new LinkedHashSet<>();
      successes(recovered).forEach(attempt -> there.add(LateBinding.of(attempt)));
      binder.restore(plan.state(), there);
      recovered
          .entrySet()
          .removeIf(
              task ->
                  task.getKey().getTaskType() == TaskType.MAP
                      && !made.isKnown(
                          TypeConverter.toYarn(task.getValue().getSuccessfulAttemptId())));
    }
    binding = made;
    return plan.placeholders(binder);
  }

  /**
   * Lets all tasks run again that an AppMaster has finished which knew nothing of the sample.
   *
   * @throws SampleRefusedException if one has written output, which may be of any block and may
   *     already be in the output directory
   */
  private void forget(Map<TaskId, TaskInfo> recovered) {
    TaskType writers = access.hasReduces() ? TaskType.REDUCE : TaskType.MAP;
    if (recovered.keySet().stream().anyMatch(task -> task.getTaskType() == writers)) {
      throw new SampleRefusedException(
          "an earlier AppMaster of the job, which was not Drover's, has finished tasks that write"
              + " the output of its whole input");
    }
    recovered.clear();
  }

  /** Handles an event of a task after the task has handled it. Runs on the dispatcher thread. */
  public void onTaskEvent(Job job, TaskEvent event) {
    if (binding != null) {
      binding.onTaskEvent(job, event);
    } else if (observation != null && event instanceof TaskTAttemptEvent of) {
      observe(job, of);
    }
  }

  private void observe(Job job, TaskTAttemptEvent event) {
    TaskId map = event.getTaskID();
    if (event.getType() == TaskEventType.T_ATTEMPT_LAUNCHED && map.getTaskType() == TaskType.MAP) {
      String host = JobAccess.host(job.getTask(map).getAttempt(event.getTaskAttemptID()));
      boolean isLocal = SampledInput.hosts(block(map.getId())).contains(host);
      observation.started(map, host, access.racks(List.of(host)).get(0), isLocal, access.seconds());
    }
  }

  /** Fails the job, if an error may have left its sample in a wrong state. */
  public void onError() {
    late().ifPresent(LateBinding::fail);
  }

  private static List<TaskAttemptId> successes(Map<TaskId, TaskInfo> recovered) {
    return recovered.entrySet().stream()
        .filter(task -> task.getKey().getTaskType() == TaskType.MAP)
        .map(task -> TypeConverter.toYarn(task.getValue().getSuccessfulAttemptId()))
        .toList();
  }

  private BlockChoice choice() {
    List<String> hosts =
        plan.blocks().stream().map(SampledInput::hosts).flatMap(List::stream).distinct().toList();
    List<String> racks = access.racks(hosts);
    Map<String, String> rackOf = new HashMap<>();
    for (int i = 0; i < hosts.size(); i++) {
      rackOf.put(hosts.get(i), racks.get(i));
    }
    List<InputBlock> blocks = new ArrayList<>();
    for (SampleBlock block : plan.blocks()) {
      List<String> of = SampledInput.hosts(block);
      blocks.add(new InputBlock(of, of.stream().map(rackOf::get).toList()));
    }
    int k = plan.state().needed();
    int m = plan.state().maps();
    Random random = new Random(plan.seed());
    return plan.state().samples().isEmpty()
        ? BlockChoice.anyOf(blocks, k, m, plan.settings(), random)
        : BlockChoice.oneOf(blocks, plan.state().samples(), k, m, plan.settings(), random);
  }

  // --- the record

  /** Returns a committer that checks and records the sample when it commits the job's output. */
  public OutputCommitter recording(OutputCommitter committer) {
    return request.isPresent() ? new RecordingCommitter(committer, this::lineage) : committer;
  }

  /**
   * Returns what the result is made of.
   *
   * @throws IOException if it is not of K blocks, so that it must not be committed
   */
  private SampleLineage lineage() throws IOException {
    Job job = access.job();
    List<UsedBlock> used = binding != null ? chosen() : drawn(job);
    int needed = plan.state().needed();
    if (used.size() != needed) {
      throw new IOException(
          "Drover: the result is of %d blocks and must be of %d".formatted(used.size(), needed));
    }
    if (observation != null) {
      access.write(Mode.OBSERVE, "sampleObserved", observation.fields());
    }
    return new SampleLineage(
        TypeConverter.fromYarn(job.getID()).toString(),
        needed,
        plan.state().total(),
        binding != null,
        used.stream().sorted(Comparator.comparingInt(block -> block.block().index())).toList(),
        job.getTasks(TaskType.MAP).values().stream()
            .flatMap(map -> firstSuccess(map).stream())
            .map(by -> (by.getFinishTime() - by.getLaunchTime()) / 1e3)
            .toList());
  }

  private static Optional<TaskAttempt> firstSuccess(Task map) {
    return map.getAttempts().values().stream()
        .filter(attempt -> attempt.getState() == TaskAttemptState.SUCCEEDED)
        .min(Comparator.comparingLong(TaskAttempt::getFinishTime));
  }

  /**
   * Returns the blocks of the chosen maps. Without reduces, their outputs must be there. With
   * reduces, these have read the outputs, which may be lost since.
   */
  private List<UsedBlock> chosen() throws IOException {
    if (!access.hasReduces()) { // else only what this AppMaster's reduces have read is committed
      input.checkThatNoOtherWasChosen(access.conf(), plan, binding.chosen());
    }
    Map<Integer, Optional<LateBinding.Success>> successes = new LinkedHashMap<>();
    for (int map : binding.chosen()) {
      if (access.hasReduces() || binding.isThere(map)) {
        successes.put(map, binding.success(map));
      }
    }
    return ranked(successes);
  }

  private List<UsedBlock> drawn(Job job) {
    Map<Integer, Optional<LateBinding.Success>> successes = new LinkedHashMap<>();
    for (Task map : job.getTasks(TaskType.MAP).values()) {
      Optional<LateBinding.Success> first =
          firstSuccess(map)
              .map(
                  by ->
                      new LateBinding.Success(by.getID(), JobAccess.host(by), by.getFinishTime()));
      successes.put(map.getID().getId(), first);
    }
    return ranked(successes);
  }

  /** Returns the blocks of maps in the order of their successes; those that are not known last. */
  private List<UsedBlock> ranked(Map<Integer, Optional<LateBinding.Success>> successes) {
    List<Integer> maps = new ArrayList<>(successes.keySet());
    maps.sort(
        Comparator.comparingLong(
            map -> successes.get(map).map(LateBinding.Success::at).orElse(Long.MAX_VALUE)));
    List<UsedBlock> used = new ArrayList<>();
    for (int map : maps) {
      Optional<LateBinding.Success> success = successes.get(map);
      used.add(
          new UsedBlock(
              block(map),
              success.map(LateBinding.Success::node).orElse(""),
              success.map(by -> TypeConverter.fromYarn(by.attempt()).toString()).orElse(""),
              used.size() + 1));
    }
    return used;
  }

  private SampleBlock block(int map) {
    return plan.blocks()
        .get(binding != null ? binding.block(map) : plan.state().blockOf().get(map));
  }
}
