// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.awaitility.Awaitility.await;

import io.drover.appmaster.protect.OutputProtection;
import io.drover.appmaster.sampling.SampledJob;
import io.drover.core.clone.DelayAssignment;
import io.drover.core.config.Mode;
import io.drover.core.config.PlacementSettings;
import io.drover.speculator.AttemptBudget;
import io.drover.speculator.Breakers;
import io.drover.speculator.NodeBlacklisting;
import io.drover.speculator.SecondAttempts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.jobhistory.EventType;
import org.apache.hadoop.mapreduce.jobhistory.HistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobFinishEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverJob;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.CountedRequests;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.state.StateMachine;
import org.apache.hadoop.yarn.util.RackResolver;

/**
 * Hadoop's own AppMaster, without RPC and processes, with Drover's job and tasks in it. Containers
 * come at once, or never.
 */
final class TestApp extends PatientApp {
  private static final AtomicInteger STARTED = new AtomicInteger();

  private final int maps;
  private final int reduces;
  private final boolean givesContainers;
  private final Optional<FakeCluster> cluster;
  private final AtomicInteger requests = new AtomicInteger();
  private final AttemptReports reports = new AttemptReports();
  private final MapCopies copies;
  private final CompletionStreams streams;
  private final List<Map<String, Object>> fetches = new CopyOnWriteArrayList<>();
  private final Map<TaskId, TaskInfo> recovered = new HashMap<>();
  final List<HistoryEvent> history = new CopyOnWriteArrayList<>();
  final Breakers ofTheJob = Breakers.uncounted();
  private OutputProtection protection = CopiesUnderTest.noProtection();
  private Job job;
  private Cloner cloner;
  private ReducePlacer placer;
  private CopyAntiAffinity antiAffinity;
  private final SecondAttempts second =
      new SecondAttempts(
          (why, seenHere) -> send(new DispatcherTask(() -> ExtraAttempts.end(job, why))));
  private final AvoidedNodes avoided =
      new AvoidedNodes(NodeBlacklisting.of(new JobConf()), host -> protection.isSlowSource(host));

  private TestApp(int maps, int reduces, boolean givesContainers, Optional<FakeCluster> cluster) {
    this(maps, reduces, givesContainers, cluster, new AtomicLong(System.currentTimeMillis()), 0);
  }

  private TestApp(
      int maps,
      int reduces,
      boolean givesContainers,
      Optional<FakeCluster> cluster,
      AtomicLong time,
      double copyWait) {
    // a directory of its own: one that is being stopped may still write its commit's marker
    super(maps, reduces, "TestApp" + STARTED.incrementAndGet(), 1, time);
    this.maps = maps;
    this.reduces = reduces;
    this.givesContainers = givesContainers;
    this.cluster = cluster;
    copies =
        new MapCopies(
            new DelayAssignment(copyWait),
            () -> cloner,
            reports,
            time::get,
            () -> getContext().getStartTime(),
            this::write,
            Breakers.uncounted());
    streams =
        new CompletionStreams(
            () -> job,
            id -> cloner.number(id),
            copies,
            output -> protection.replica(output),
            time::get,
            this::write,
            Breakers.uncounted());
  }

  private void write(String type, Map<String, Object> fields) {
    if (type.equals("fetch")) {
      fetches.add(fields);
    }
  }

  static TestApp start(int maps, int reduces) throws Exception {
    return start(new TestApp(maps, reduces, true, Optional.empty()), conf());
  }

  static TestApp start(int maps, int reduces, Configuration conf) throws Exception {
    return start(new TestApp(maps, reduces, true, Optional.empty()), conf);
  }

  /** An app in which no attempt ever gets a container. */
  static TestApp starved(int maps, int reduces) throws Exception {
    return start(new TestApp(maps, reduces, false, Optional.empty()), conf());
  }

  /** An app with Drover's allocator, whose reduces start at once. */
  static TestApp on(FakeCluster cluster, int maps, int reduces) throws Exception {
    return on(cluster, maps, reduces, 0);
  }

  /** An app with Drover's allocator, in which the outputs of maps are protected. */
  static TestApp protecting(
      FakeCluster cluster, int maps, int reduces, Function<TestApp, OutputProtection> how)
      throws Exception {
    TestApp app = new TestApp(maps, reduces, true, Optional.of(cluster));
    app.successfullyUnregistered.set(false); // nor has a real one while its job runs
    app.protection = how.apply(app);
    return start(app, conf(cluster, 0));
  }

  /**
   * An app with Drover's allocator, in which clones wait for copies of map outputs.
   *
   * @param copyWait share of the job's time
   * @param time what the clock shows
   * @param before tasks that are recovered; if there are any, maps have Hadoop's attempts
   */
  static TestApp feeding(
      FakeCluster cluster,
      int maps,
      int reduces,
      double copyWait,
      AtomicLong time,
      List<TaskInfo> before)
      throws Exception {
    TestApp app = new TestApp(maps, reduces, true, Optional.of(cluster), time, copyWait);
    before.forEach(info -> app.recovered.put(TypeConverter.toYarn(info.getTaskId()), info));
    Configuration conf = conf(cluster, 0);
    conf.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, before.isEmpty() ? 1000 : 4);
    conf.setInt(MRJobConfig.REDUCE_MAX_ATTEMPTS, 1000);
    return start(app, conf);
  }

  @Override
  public Map<TaskId, TaskInfo> getCompletedTaskFromPreviousRun() {
    return recovered;
  }

  /** An app with Drover's allocator and settings of the job. */
  static TestApp on(FakeCluster cluster, int maps, int reduces, Map<String, String> settings)
      throws Exception {
    Configuration conf = conf(cluster, 0);
    settings.forEach(conf::set);
    return start(new TestApp(maps, reduces, true, Optional.of(cluster)), conf);
  }

  /** An app with Drover's allocator, whose reduces start when a share of the maps is done. */
  static TestApp on(FakeCluster cluster, int maps, int reduces, float slowStart) throws Exception {
    return start(new TestApp(maps, reduces, true, Optional.of(cluster)), conf(cluster, slowStart));
  }

  private static Configuration conf(FakeCluster cluster, float slowStart) {
    Configuration conf = conf();
    conf.setInt(MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, 20);
    conf.setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, slowStart);
    cluster.scheduler().racks().forEach(StaticMapping::addNodeToRack);
    return conf;
  }

  private static TestApp start(TestApp app, Configuration conf) throws Exception {
    app.job =
        app.submit(
            conf,
            conf.getBoolean(MRJobConfig.MAP_SPECULATIVE, true),
            conf.getBoolean(MRJobConfig.REDUCE_SPECULATIVE, true));
    EventHandler<Marker> handler = Marker::reach;
    app.getDispatcher().register(Marker.Type.class, handler);
    return app;
  }

  static Configuration conf() {
    Configuration conf = new Configuration();
    conf.setBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, false);
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        StaticMapping.class,
        DNSToSwitchMapping.class);
    // else each app leaves a directory in the machine's temporary one
    conf.set("hadoop.http.temp.dir", Path.of("target", "http").toAbsolutePath().toString());
    return conf;
  }

  @Override
  protected Job createJob(Configuration conf, JobStateInternal forcedState, String diagnostic) {
    Job made = new NoFiles(conf, System.getProperty("user.name"));
    getContext().getAllJobs().put(made.getID(), made);
    EventHandler<JobFinishEvent> stops = event -> stop();
    getDispatcher().register(JobFinishEvent.Type.class, stops);
    return made;
  }

  /** A job that makes its splits up, which lie on all hosts. */
  private final class NoFiles extends DroverJob {
    private final StateMachine<JobStateInternal, JobEventType, JobEvent> states;

    NoFiles(Configuration conf, String user) {
      super(
          getJobId(),
          getAttemptID(),
          conf,
          getContext().getEventHandler(),
          getTaskAttemptListener(),
          new JobTokenSecretManager(),
          new Credentials(),
          getContext().getClock(),
          getCompletedTaskFromPreviousRun(),
          TestApp.this.metrics,
          getCommitter(),
          isNewApiCommitter(),
          user,
          System.currentTimeMillis(),
          getAllAMInfos(),
          getContext(),
          null,
          null,
          new Parts(
              UnaryOperator.identity(),
              copies,
              attempt -> cloner != null && cloner.isProvisional(attempt),
              SampledJob.wholeInput(),
              second,
              protection,
              ofTheJob));
      states =
          stateMachineFactory
              .addTransition(
                  JobStateInternal.NEW,
                  EnumSet.of(JobStateInternal.INITED, JobStateInternal.FAILED),
                  JobEventType.JOB_INIT,
                  new MadeUpSplits(maps, reduces, cluster))
              .make(this);
    }

    @Override
    protected StateMachine<JobStateInternal, JobEventType, JobEvent> getStateMachine() {
      return states;
    }
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    super.serviceInit(conf);
    EventHandler<DispatcherTask> runs = DispatcherTask::run;
    EventHandler<JobEvent> observes = copies::observe;
    EventHandler<SpeculatorEvent> hears = reports::onEvent;
    EventHandler<TaskEvent> follows =
        event -> protection.onTaskEvent(getContext().getJob(getJobId()), event);
    EventHandler<JobHistoryEvent> records = event -> history.add(event.getHistoryEvent());
    getDispatcher().register(DispatcherTask.Type.class, runs);
    getDispatcher().register(EventType.class, records);
    getDispatcher().register(TaskEventType.class, follows);
    getDispatcher().register(JobEventType.class, observes);
    getDispatcher().register(Speculator.EventType.class, hears);
  }

  @Override
  protected ContainerAllocator createContainerAllocator(
      ClientService clientService, AppContext context) {
    if (cluster.isPresent()) {
      return allocator(cluster.get(), clientService, context);
    }
    ContainerAllocator giving = super.createContainerAllocator(clientService, context);
    return new CountingAllocator(requests, givesContainers ? giving : null);
  }

  private ContainerAllocator allocator(
      FakeCluster where, ClientService clientService, AppContext context) {
    Mode cloning = where.clones().maxTasks() > 0 ? Mode.ON : Mode.OFF;
    cloner =
        new Cloner(
            () -> context.getJob(getJobId()),
            work -> context.getEventHandler().handle(new DispatcherTask(work)),
            where.clones(),
            where.kinds(),
            AttemptBudget.of(getConfig(), true),
            second,
            new CloneLedger((kind, more) -> {}),
            copies,
            where.cluster(),
            cloning,
            (type, fields) -> {},
            Breakers.uncounted());
    antiAffinity =
        new CopyAntiAffinity((attempt, host) -> where.cluster().isSlow(host), where.patience());
    PlacementSettings placement =
        new PlacementSettings(where.patience(), where.scheduler().narrowLinks(), where.patience());
    placer =
        new ReducePlacer(
            reduces,
            placement,
            where.placement(),
            host -> RackResolver.resolve(host).getNetworkLocation(),
            new ClusterChannel(),
            (type, fields) -> {});
    where.scheduler().racks().forEach(placer::sees); // before a heartbeat may want to know
    return new CountedRequests(
        requests,
        clientService,
        context,
        antiAffinity,
        avoided,
        cloner,
        placer,
        new ReduceOrder(placer.outputs(), Mode.ON, (type, fields) -> {}),
        protection.replicator()) {
      @Override
      protected ApplicationMasterProtocol createHadoopsProxy() {
        eventHandler = where.scheduler().tokens().before(eventHandler);
        return where.scheduler();
      }
    };
  }

  AvoidedNodes avoided() {
    return avoided;
  }

  SecondAttempts second() {
    return second;
  }

  CopyAntiAffinity antiAffinity() {
    return antiAffinity;
  }

  Cloner cloner() {
    return cloner;
  }

  MapCopies copies() {
    return copies;
  }

  CompletionStreams streams() {
    return streams;
  }

  List<Map<String, Object>> fetches() {
    return fetches;
  }

  ReducePlacer placer() {
    return placer;
  }

  @Override
  protected ContainerLauncher createContainerLauncher(AppContext context) {
    ContainerLauncher launcher = super.createContainerLauncher(context);
    ContainerLauncher reached =
        event -> {
          if (cluster.isEmpty() || cluster.get().scheduler().launcherHears(event)) {
            launcher.handle(event);
          }
        };
    MeasuredLaunches launches = new MeasuredLaunches(reached, context, second, ofTheJob);
    return protection.launches().around(launches, context.getEventHandler());
  }

  int requests() {
    return requests.get();
  }

  Job job() {
    return job;
  }

  Task task(TaskType type, int index) {
    return job.getTask(MRBuilderUtils.newTaskId(job.getID(), index, type));
  }

  static TaskAttempt attempt(Task task, int number) {
    return task.getAttempt(MRBuilderUtils.newTaskAttemptId(task.getID(), number));
  }

  static List<TaskAttempt> inState(Task task, TaskAttemptState state) {
    return task.getAttempts().values().stream().filter(a -> a.getState() == state).toList();
  }

  /** As {@link #waitForState}, which looks ten times a second only. */
  static void awaitState(TaskAttempt attempt, TaskAttemptState state) {
    await(attempt.getID().toString())
        .pollInterval(Duration.ofMillis(3))
        .until(() -> attempt.getState() == state);
  }

  static void awaitRunning(Task task, int number) {
    await()
        .pollInterval(Duration.ofMillis(3))
        .until(() -> task.getAttempts().keySet().stream().anyMatch(id -> id.getId() == number));
    awaitState(attempt(task, number), TaskAttemptState.RUNNING);
  }

  @SuppressWarnings("unchecked")
  void send(Event<?> event) {
    getContext().getEventHandler().handle((Event) event);
  }

  void send(TaskAttempt attempt, TaskAttemptEventType type) {
    send(new TaskAttemptEvent(attempt.getID(), type));
  }

  /** Runs on the dispatcher thread, and waits for it. */
  void onDispatcher(Runnable work) throws Exception {
    FutureTask<Void> done = new FutureTask<>(work, null);
    send(new DispatcherTask(done));
    settle();
    done.get();
  }

  /** Waits until the dispatcher has handled all that was sent before, and what that sent. */
  void settle() throws InterruptedException {
    for (int i = 0; i < 6; i++) { // an event that sends an event that sends an event …
      CountDownLatch reached = new CountDownLatch(1);
      send(new Marker(reached));
      boolean open = true;
      while (open && !reached.await(20, TimeUnit.MILLISECONDS)) {
        open = isInState(STATE.STARTED) && !job.isUber();
      }
    }
  }
}
