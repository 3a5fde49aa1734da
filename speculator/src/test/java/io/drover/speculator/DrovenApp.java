// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.model.Decision;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.Evidence;
import io.drover.core.model.Evidence.Basis;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import io.drover.core.restart.SlowTasks;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerAssignedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.Token;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.awaitility.Awaitility;

/** Hadoop's own AppMaster with Drover's speculator, without RPC and processes. */
final class DrovenApp extends MRApp {
  /** A busy machine takes many seconds for what takes milliseconds on others. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  static {
    Awaitility.setDefaultTimeout(LIMIT);
  }

  private final boolean givesContainers;
  private final AtomicLong leap = new AtomicLong();
  private final AtomicBoolean isBroken = new AtomicBoolean();
  private final Set<String> slowLinked = ConcurrentHashMap.newKeySet();
  private final SecondAttempts second = new SecondAttempts((why, seenHere) -> {});
  private boolean isWatched;
  private boolean isCrowded;
  private Optional<ClassLoader> jobClasses = Optional.empty();
  private Speculator speculator;
  private Job job;

  private DrovenApp(int maps, int reduces, boolean givesContainers, int appAttempt) {
    super(maps, reduces, false, "DrovenApp", true, appAttempt);
    this.givesContainers = givesContainers;
  }

  static Configuration conf() {
    Configuration conf = new Configuration();
    conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, true);
    conf.setBoolean(MRJobConfig.REDUCE_SPECULATIVE, true);
    conf.setBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, false);
    conf.set(MRJobConfig.MR_AM_JOB_SPECULATOR, DroverSpeculator.class.getName());
    conf.setInt(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, 100);
    // All attempts of a task are on one host, so a copy could never move
    conf.setInt("mapreduce.drover.restart.max-moves", 0);
    // Otherwise, each app leaves a directory in the machine's temporary directory
    conf.set("hadoop.http.temp.dir", Path.of("target", "http").toAbsolutePath().toString());
    return conf;
  }

  static DrovenApp start(int maps, int reduces, Configuration conf) throws Exception {
    return start(maps, reduces, conf, 1);
  }

  /** Starts the AppMaster attempt with the given number. */
  static DrovenApp start(int maps, int reduces, Configuration conf, int appAttempt)
      throws Exception {
    DrovenApp app = new DrovenApp(maps, reduces, true, appAttempt);
    app.job = app.speculating(conf);
    return app;
  }

  /** Starts an app whose clock can leap, and in which passes over tasks with copies can fail. */
  static DrovenApp watched(int maps, int reduces, Configuration conf) throws Exception {
    DrovenApp app = new DrovenApp(maps, reduces, true, 1);
    app.isWatched = true;
    app.job = app.speculating(conf);
    return app.withMarkers();
  }

  /** Starts an app of which all attempts run on one host, whose name is quickly resolved. */
  static DrovenApp crowded(int maps, Configuration conf) throws Exception {
    DrovenApp app = new DrovenApp(maps, 0, true, 1);
    app.isCrowded = true;
    app.job = app.speculating(conf);
    return app.withMarkers();
  }

  /** Starts an app whose job has a class loader of its own. */
  static DrovenApp start(int maps, int reduces, Configuration conf, ClassLoader jobClasses)
      throws Exception {
    DrovenApp app = new DrovenApp(maps, reduces, true, 1);
    app.jobClasses = Optional.of(jobClasses);
    app.job = app.speculating(conf);
    return app;
  }

  /** Does what mapreduce.job.classloader=true would do in a process of its own. */
  private void useJobClasses() {
    try {
      Field field = MRAppMaster.class.getDeclaredField("jobClassLoader");
      field.setAccessible(true);
      field.set(this, jobClasses.orElse(null));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Advances the clock that circuit breakers read. */
  void leap(Duration time) {
    leap.addAndGet(time.toNanos());
  }

  /** Sets whether each check of a task with several attempts throws. */
  void breakPasses(boolean now) {
    isBroken.set(now);
  }

  /** Ends the newest attempt of a task as soon as it runs. */
  void finishNewest(Task task) throws Exception {
    waitForState(task, TaskState.RUNNING);
    TaskAttempt newest =
        task.getAttempts().values().stream()
            .max(Comparator.comparingInt(a -> a.getID().getId()))
            .orElseThrow();
    waitForState(newest, TaskAttemptState.RUNNING);
    done(newest);
  }

  /** Notes that a machine's link is slow. */
  void hasSlowLink(String machine) {
    slowLinked.add(machine);
  }

  /** Simulates that attempts which Drover added to a task have failed. */
  void loseCopies(Task task, int count) {
    for (int i = 1; i <= count; i++) {
      TaskAttempt lost = mock();
      when(lost.getID()).thenReturn(MRBuilderUtils.newTaskAttemptId(task.getID(), 50 + i));
      second.added(lost.getID());
      second.excuse(task, lost, 0);
    }
  }

  private record FakePlacementHook(
      AtomicBoolean isBroken, Set<String> slowLinked, SecondAttempts secondAttempts)
      implements AttemptPlacementHook {
    @Override
    public void flees(TaskAttemptId attempt) {}

    @Override
    public void fledBefore(TaskId task, String host) {}

    @Override
    public boolean avoid(String machine) {
      return true;
    }

    @Override
    public OptionalDouble outlierProbability(String machine) {
      return OptionalDouble.empty();
    }

    @Override
    public Set<String> deadMachines() {
      return Set.of();
    }

    @Override
    public Set<String> machinesWithSlowLinks() {
      return slowLinked;
    }

    @Override
    public OptionalInt freeSlots(TaskKind kind) {
      return OptionalInt.empty();
    }

    @Override
    public SlowTasks earlierSlowTasks() {
      return SlowTasks.NONE;
    }

    @Override
    public void slowTasks(SlowTasks seen) {}

    @Override
    public void acted(ActionKind kind, ActionTotals more) {}

    @Override
    public double successProbability() {
      return 1;
    }

    @Override
    public boolean isClone(TaskAttemptId attempt) {
      if (isBroken.get()) {
        throw new AssertionError("broken");
      }
      return false;
    }

    @Override
    public void endedAsSlower(TaskAttemptId attempt, double remaining) {}
  }

  /** Starts an app in which no attempt gets a container. */
  static DrovenApp starved(int maps, int reduces, Configuration conf) throws Exception {
    DrovenApp app = new DrovenApp(maps, reduces, false, 1);
    app.job = app.speculating(conf);
    return app;
  }

  /** Keeps the configured speculation, which MRApp would set itself. */
  private Job speculating(Configuration conf) throws Exception {
    return submit(
        conf,
        conf.getBoolean(MRJobConfig.MAP_SPECULATIVE, false),
        conf.getBoolean(MRJobConfig.REDUCE_SPECULATIVE, false));
  }

  @Override
  protected Speculator createSpeculator(Configuration conf, AppContext context) {
    useJobClasses();
    Breakers breakers =
        new Breakers(
            () -> System.nanoTime() + leap.get(),
            (counter, amount) -> JobCounters.post(context, counter, amount));
    speculator =
        isWatched
            ? new DroverSpeculator(
                conf,
                context,
                Optional.of(new FakePlacementHook(isBroken, slowLinked, second)),
                breakers,
                getClass().getClassLoader())
            : super.createSpeculator(conf, context);
    // As if another thread were using the loader: Hadoop then delivers events without setting it.
    jobClasses.ifPresent(conf::setClassLoader);
    return speculator;
  }

  @Override
  protected ContainerAllocator createContainerAllocator(
      ClientService clientService, AppContext context) {
    ContainerAllocator giving = new Hosts();
    return new Containers(givesContainers ? giving : null);
  }

  /** Assigns containers immediately, each map to a host of its own, all reduces to one host. */
  private final class Hosts implements ContainerAllocator {
    private int containers;

    @Override
    public void handle(ContainerAllocatorEvent event) {
      TaskAttemptId attempt = event.getAttemptID();
      ContainerId id = ContainerId.newContainerId(getAttemptID(), ++containers);
      boolean isMap = attempt.getTaskId().getTaskType() == TaskType.MAP;
      String host = isMap && !isCrowded ? "h" + attempt.getTaskId().getId() : NM_HOST;
      NodeId node = NodeId.newInstance(host, 1234);
      Resource size = Resource.newInstance(1024, 1);
      long expiry = System.currentTimeMillis() + 600_000;
      Token token =
          newContainerToken(
              NodeId.newInstance("127.0.0.1", 1234), // this address must resolve
              "password".getBytes(StandardCharsets.UTF_8),
              new ContainerTokenIdentifier(
                  id, node.toString(), "user", size, expiry, 1, 1, Priority.newInstance(0), 0));
      Container container =
          Container.newInstance(id, node, node.getHost() + ":8042", size, null, token);
      send(new TaskAttemptContainerAssignedEvent(attempt, container, Map.of()));
    }
  }

  /** Passes on requests only. MRApp's allocator takes failures of containers for requests, too. */
  private record Containers(ContainerAllocator giving)
      implements ContainerAllocator, RMHeartbeatHandler {
    @Override
    public void handle(ContainerAllocatorEvent event) {
      if (giving != null && event.getType() != EventType.CONTAINER_FAILED) {
        giving.handle(event);
      }
    }

    @Override
    public long getLastHeartbeatTime() {
      return System.currentTimeMillis();
    }

    @Override
    public void runOnNextHeartbeat(Runnable callback) {
      callback.run();
    }
  }

  Job job() {
    return job;
  }

  /** Returns the second attempts that the speculator of a watched app uses. */
  SecondAttempts second() {
    return second;
  }

  DroverSpeculator speculator() {
    return (DroverSpeculator) speculator;
  }

  long counter(DroverCounter counter) {
    return job.getAllCounters().findCounter(counter).getValue();
  }

  TaskAttempt attempt(Task task, int number) {
    for (Map.Entry<TaskAttemptId, TaskAttempt> entry : task.getAttempts().entrySet()) {
      if (entry.getKey().getId() == number) {
        return entry.getValue();
      }
    }
    throw new AssertionError(task.getID() + " has no attempt " + number);
  }

  private static void awaitUntil(Callable<Boolean> isSo) {
    await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20)).until(isSo);
  }

  // Those of MRApp give up after ten seconds.

  @Override
  public void waitForState(Job waiting, JobState state) {
    awaitUntil(() -> waiting.getState() == state);
  }

  @Override
  public void waitForInternalState(JobImpl waiting, JobStateInternal state) {
    awaitUntil(() -> waiting.getInternalState() == state);
  }

  @Override
  public void waitForState(Task task, TaskState state) {
    awaitUntil(() -> task.getState() == state);
  }

  @Override
  public void waitForState(TaskAttempt attempt, TaskAttemptState state) {
    awaitUntil(() -> attempt.getState() == state);
  }

  /** Waits until the AppMaster has stopped, with all of its services. */
  void awaitStopped() {
    assertThat(waitForServiceToStop(LIMIT.toMillis())).isTrue();
  }

  void awaitRunning(Task task, int number) throws Exception {
    waitForState(attempt(task, number), TaskAttemptState.RUNNING);
  }

  @SuppressWarnings("unchecked")
  void send(Event<?> event) {
    getContext().getEventHandler().handle((Event) event);
  }

  void send(TaskAttempt attempt, TaskAttemptEventType type) {
    send(new TaskAttemptEvent(attempt.getID(), type));
  }

  /** Finishes an attempt successfully. Tasks send a last report before they finish. */
  void done(TaskAttempt attempt) {
    report(attempt, 1);
    send(attempt, TaskAttemptEventType.TA_DONE);
  }

  void report(TaskAttempt attempt, double progress) {
    TaskAttemptStatus status = new TaskAttemptStatus();
    status.id = attempt.getID();
    status.progress = (float) progress;
    status.phase = Phase.MAP;
    status.stateString = "";
    status.counters = new Counters();
    send(
        new TaskAttemptStatusUpdateEvent(
            attempt.getID(), new java.util.concurrent.atomic.AtomicReference<>(status)));
  }

  /** Waits until the dispatcher has handled all earlier events and those that they caused. */
  void settle() throws InterruptedException {
    for (int i = 0; i < 5; i++) { // events cause events, which cause events …
      CountDownLatch reached = new CountDownLatch(1);
      send(new Marker(reached));
      boolean open = true;
      while (open && !reached.await(20, TimeUnit.MILLISECONDS)) {
        open = isInState(STATE.STARTED) && !job.getState().equals(JobState.SUCCEEDED);
      }
    }
  }

  /** Registers the marker's handler. Must be called once before {@link #settle}. */
  DrovenApp withMarkers() {
    getDispatcher()
        .register(
            Marker.Type.class,
            (org.apache.hadoop.yarn.event.EventHandler<Marker>) m -> m.reached.countDown());
    return this;
  }

  static final class Marker extends org.apache.hadoop.yarn.event.AbstractEvent<Marker.Type> {
    enum Type {
      MARK
    }

    private final CountDownLatch reached;

    Marker(CountDownLatch reached) {
      super(Type.MARK);
      this.reached = reached;
    }
  }

  static Actuator.Command command(Rule rule, TaskId task, TaskAttemptId victim) {
    PhaseModel phase =
        new PhaseModel(TaskKind.MAP, EstimatorSettings.withPeriod(Duration.ofSeconds(1)));
    TaskModel model = phase.addTask();
    Evidence evidence =
        new Evidence(model, false, 0, 10, Basis.PROGRESS, Double.NaN, Double.NaN, Double.NaN, 0);
    Decision decision = new Decision(0, model, Optional.empty(), rule, evidence);
    return new Actuator.Act(decision, task, Optional.ofNullable(victim));
  }
}
