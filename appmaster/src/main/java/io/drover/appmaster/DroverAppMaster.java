// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.check.Compatibility;
import io.drover.appmaster.input.InputHolders;
import io.drover.appmaster.protect.OutputProtection;
import io.drover.appmaster.protect.ShuffleProbe;
import io.drover.appmaster.protect.Surroundings;
import io.drover.appmaster.sampling.JobAccess;
import io.drover.appmaster.sampling.SampledJob;
import io.drover.core.clone.DelayAssignment;
import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import io.drover.core.protect.ProtectSettings;
import io.drover.speculator.AttemptBudget;
import io.drover.speculator.AttemptPlacementHook;
import io.drover.speculator.Breakers;
import io.drover.speculator.CopyableTasks;
import io.drover.speculator.DroverSpeculator;
import io.drover.speculator.JobCounters;
import io.drover.speculator.NodeBlacklisting;
import io.drover.speculator.SecondAttempts;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.DroverTaskListener;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.commit.CommitterEvent;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobFinishEvent;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverJob;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.DroverContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.RMCommunicator;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.hadoop.yarn.util.RackResolver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's MapReduce AppMaster with Drover's job, container allocator and speculator.
 *
 * <p>It runs if {@code yarn.app.mapreduce.am.command-opts} ends in the name of this class. A job
 * that runs inside the AppMaster (uber) is left to stock Hadoop. A job with a bad setting runs as
 * in stock Hadoop, and one line says so.
 */
public class DroverAppMaster extends MRAppMaster {
  private static final Logger LOG = LoggerFactory.getLogger(DroverAppMaster.class);

  private final AppMasterAddress place;
  private final Clock clock;
  private AllocatorRouter router;
  private AMPreemptionPolicy preemptionPolicy;
  private SwitchedFeatures features;
  private final Breakers breakers =
      new Breakers(
          System::nanoTime, (counter, amount) -> JobCounters.post(getContext(), counter, amount));
  private ClassLoader jobClasses = DroverAppMaster.class.getClassLoader();
  private final ClusterChannel cluster = new ClusterChannel();
  private final Headroom headroom = new Headroom(System::nanoTime, breakers);
  private final AttemptReports reports = new AttemptReports();
  private OutcomeReporter news;
  private ExtraAttempts extraAttempts;
  private CopyAntiAffinity antiAffinity;
  private AvoidedNodes avoided;
  private SecondAttempts second;
  private final CloneLedger cloneLedger = new CloneLedger(cluster::acted);
  private MapCopies copies;
  private Cloner cloner;
  private ReducePlacer placer;
  private ReduceOrder reduceOrder;
  private DroverSpeculator speculator;
  private MeasuredLaunches launches;
  private SampledJob sampled;
  private OutputProtection protection;
  private final boolean endsTheProcess;

  /** Creates the AppMaster, with which the process may end. */
  DroverAppMaster(AppMasterAddress place, Clock clock, boolean endsTheProcess) {
    super(
        place.attempt(),
        place.container(),
        place.host(),
        place.port(),
        place.httpPort(),
        clock,
        place.submitted());
    this.place = place;
    this.clock = clock;
    this.endsTheProcess = endsTheProcess;
  }

  /** Starts the AppMaster in its container. Ignores the arguments, which include Hadoop's class. */
  public static void main(String[] args) {
    AppMasterProcess.start();
  }

  static void run(DroverAppMaster appMaster, JobConf conf, String user)
      throws IOException, InterruptedException {
    initAndStartAppMaster(appMaster, conf, user);
  }

  @Override
  protected void serviceInit(Configuration conf) throws Exception {
    features = SwitchedFeatures.of(conf);
    boolean acts =
        features.mode(JobSettings::restartMode) == Mode.ON
            || features.mode(JobSettings::cloneMode) == Mode.ON;
    second = new SecondAttempts(acts, (why, seenHere) -> extraAttempts.end(why, seenHere));
    UnaryOperator<String> rackOf = host -> RackResolver.resolve(conf, host).getNetworkLocation();
    antiAffinity =
        new CopyAntiAffinity(
            new BadPlaces(
                host -> cluster.isSlow(host) || protection.isSlowSource(host),
                racks -> placer.links().now(racks),
                rackOf,
                System::nanoTime),
            features.settings().map(JobSettings::antiAffinityPatience).orElse(Duration.ZERO));
    avoided = new AvoidedNodes(NodeBlacklisting.of(conf), host -> protection.isSlowSource(host));
    placer =
        new ReducePlacer(
            conf.getInt(MRJobConfig.NUM_REDUCES, 0),
            features.settings().map(JobSettings::placement).orElse(null),
            Compatibility.areRacksKnown(conf)
                ? features.ofOutputs(JobSettings::placementMode)
                : Mode.OFF,
            rackOf,
            cluster,
            this::write);
    news =
        new OutcomeReporter(
            cluster,
            place.attempt(),
            antiAffinity,
            placer.outputs(),
            reports,
            work -> getRMHeartbeatHandler().runOnNextHeartbeat(work),
            breakers);
    extraAttempts = new ExtraAttempts(this::getContext, this::getJobId, this::write, news);
    sampled = sampled(conf);
    sampled.takeHistory(conf, place.attempt());
    reduceOrder =
        new ReduceOrder(placer.outputs(), features.mode(JobSettings::orderMode), this::write);
    super.serviceInit(conf);
    cloner = cloner(conf);
    EventHandler<DispatcherTask> runs =
        work -> breakers.contain("Work on the dispatcher thread", work::run);
    getDispatcher().register(DispatcherTask.Type.class, runs);
    new TaskEventFollower(
            this::getContext,
            reports,
            cloneLedger,
            task -> Optional.ofNullable(speculator).ifPresent(copying -> copying.ended(task)),
            news,
            placer,
            sampled,
            protection(),
            needsOutputs(),
            breakers)
        .register(getDispatcher());
    copies().register(getDispatcher());
  }

  /**
   * Returns the copies of map outputs that clones of reduces get, the same each time. It is called
   * as {@link #protection()}. With late binding there are none: all reduces get the same events.
   */
  private MapCopies copies() {
    if (copies == null) {
      boolean feeds = features.ofOutputs(JobSettings::cloneMode) == Mode.ON && !sampled.isLate();
      copies =
          new MapCopies(
              feeds ? features.settings().orElseThrow().copyWait() : new DelayAssignment(0),
              () -> cloner,
              reports,
              clock,
              () -> getContext().getStartTime(),
              this::write,
              breakers);
    }
    return copies;
  }

  private SampledJob sampled(Configuration conf) {
    JobAccess access =
        new JobAccess(
            conf,
            this::getJobId,
            this::getContext,
            reports::progress,
            racks -> placer.links().now(racks),
            this::onDispatcher,
            this::write,
            breakers);
    return SampledJob.of(
        conf,
        () ->
            features.settings().isPresent()
                && Compatibility.areOutputsOnNodes(conf)
                && CopyableTasks.areSpareMapsSafe(
                    conf, getCommitter(), features.settings().get().outputs(), jobClasses),
        () -> jobClasses,
        blocks -> cluster.upstreamRatio(getConfig(), place.attempt(), currentUser, blocks),
        place.attempt().getAttemptId(),
        access);
  }

  /** Returns the same each time. It is called as soon as the job's classes are known. */
  private OutputProtection protection() {
    if (protection != null) {
      return protection;
    }
    Configuration conf = getConfig();
    ProtectSettings protect =
        features.settings().map(JobSettings::protect).orElse(ProtectSettings.DEFAULT);
    protection =
        new OutputProtection(
            sampled.isLate() // it looks after itself
                ? Mode.OFF
                : features.ofOutputs(JobSettings::protectMode),
            protect,
            conf,
            new Surroundings(
                () -> getContext().getJob(getJobId()),
                new ShuffleProbe.Factory(conf, this::getJobId, this::getCredentials),
                headroom.isFresh(conf),
                new RepeatableTasks(conf, features.settings().orElse(null), jobClasses, second),
                () -> headroom.slots(TaskKind.MAP).orElse(0),
                avoided::silent,
                cluster::lossProbability,
                cluster::lost,
                cluster::acted,
                antiAffinity::flees,
                ReplicaLauncher.replicator(
                    conf,
                    this::getJobId,
                    this::getCredentials,
                    () -> taskAttemptListener,
                    () -> launches,
                    protect.replicaBytesPerSecond(),
                    breakers),
                this::onDispatcher,
                this::write,
                breakers));
    return protection;
  }

  private void onDispatcher(Runnable work) {
    getContext().getEventHandler().handle(new DispatcherTask(work));
  }

  @Override
  protected EventHandler<CommitterEvent> createCommitterEventHandler(
      AppContext context, OutputCommitter committer) {
    return super.createCommitterEventHandler(context, sampled.recording(committer));
  }

  private Cloner cloner(Configuration conf) {
    Mode mode = features.mode(JobSettings::cloneMode);
    Set<TaskKind> kinds =
        mode == Mode.OFF
            ? Set.of()
            : CloneCounts.kinds(conf, features.settings().orElseThrow().outputs(), jobClasses);
    return new Cloner(
        () -> getContext().getJob(getJobId()),
        this::onDispatcher,
        features.settings().map(JobSettings::clones).orElse(null),
        kinds,
        AttemptBudget.of(conf, true),
        second,
        cloneLedger,
        copies(),
        cluster,
        mode,
        this::write,
        breakers);
  }

  private void write(String type, Map<String, Object> fields) {
    if (speculator != null) {
      speculator.record(type, fields);
    } else {
      LOG.info("{} {}", type, fields);
    }
  }

  private boolean needsOutputs() {
    return placer.isOn() || reduceOrder.isOn();
  }

  // --- Drover's parts

  @Override
  public int getStartCount() {
    return sampled.historyNumber(super.getStartCount());
  }

  @Override
  protected Job createJob(Configuration conf, JobStateInternal forcedState, String diagnostic) {
    Job job =
        new DroverJob(
            getJobId(),
            getAttemptID(),
            conf,
            getDispatcher().getEventHandler(),
            taskAttemptListener,
            jobTokenSecretManager,
            getCredentials(),
            clock,
            getCompletedTaskFromPreviousRun(),
            metrics,
            getCommitter(),
            isNewApiCommitter(),
            currentUser.getUserName(),
            place.submitted(),
            getAllAMInfos(),
            getContext(),
            forcedState,
            diagnostic,
            new DroverJob.Parts(
                TaskStartOrder.of(features.mode(JobSettings::orderMode), breakers),
                copies(),
                attempt -> cloner.isProvisional(attempt),
                sampled,
                second,
                protection,
                breakers));
    getContext().getAllJobs().put(job.getID(), job);
    getDispatcher().register(JobFinishEvent.Type.class, createJobFinishEventHandler());
    return job;
  }

  /** Also takes the job's class loader, which Hadoop sets for this call and shows nowhere else. */
  @Override
  protected AMPreemptionPolicy createPreemptionPolicy(Configuration conf) {
    jobClasses = conf.getClassLoader();
    preemptionPolicy = super.createPreemptionPolicy(conf);
    return preemptionPolicy;
  }

  @Override
  protected ClientService createClientService(AppContext context) {
    return new JobClientService(context);
  }

  @Override
  protected ContainerAllocator createContainerAllocator(
      ClientService clientService, AppContext context) {
    router = new AllocatorRouter(() -> allocator(clientService, context));
    return router;
  }

  /** Creates the allocator. By now, the kind of job and its preemption policy are known. */
  private RMCommunicator allocator(ClientService clientService, AppContext context) {
    Job job = context.getJob(getJobId());
    if (!job.isUber()) {
      cluster.open(getConfig(), place.attempt(), currentUser);
      news.begin(job, cloner.isOn(), getConfig());
      if (launches != null) {
        boolean sizes = needsOutputs() && job.getTotalReduces() > 1; // a single part is the whole
        launches.prepare(
            job.getID(),
            place.attempt(),
            currentUser,
            new TaskDuties(sizes, placer.isOn(), protection.isOn(), protection.acts()));
      }
      breakers.contain("The AppMaster's own rack", () -> placer.works(place.host()));
      Runnable orders =
          new EndOrders(cluster::endOrder, () -> job, this::onDispatcher, this::write, breakers);
      return new DroverContainerAllocator(
          clientService,
          context,
          preemptionPolicy,
          antiAffinity,
          features.mode(JobSettings::antiAffinityMode),
          avoided,
          new InputHolders(getConfig(), jobClasses, protection::acts, breakers),
          cloner,
          placer,
          reduceOrder,
          sampled,
          protection.replicator(),
          headroom.andThen(room -> orders.run()).andThen(room -> protection.heartbeat()),
          breakers);
    }
    return AllocatorRouter.local(getConfig(), clientService, context, place);
  }

  @Override
  protected ContainerLauncher createContainerLauncher(AppContext context) {
    ContainerLauncher hadoops =
        new ImpatientLauncher(
            super.createContainerLauncher(context), protection().launches()::mayStopHang);
    launches = new MeasuredLaunches(hadoops, context, second, breakers);
    addService(launches);
    addIfService(protection().isOn() ? protection.watch() : null);
    addIfService(protection().isOn() ? protection.launches().watch() : null);
    return protection.launches().around(launches::handle, context.getEventHandler()); // no service
  }

  /** Creates Drover's in any case: Hadoop's would keep tasks' lines as diagnostic messages. */
  @Override
  protected TaskAttemptListener createTaskAttemptListener(
      AppContext context, AMPreemptionPolicy policy) {
    Measurements reader =
        new Measurements(this::getContext, placer.outputs(), placer.links(), protection());
    UmbilicalMessageQueue lines = new UmbilicalMessageQueue(reader, () -> currentUser, breakers);
    addService(lines);
    return new DroverTaskListener(
        context,
        jobTokenSecretManager,
        getRMHeartbeatHandler(),
        policy,
        needsOutputs() || protection.isOn() ? lines::add : (attempt, line) -> {},
        new CompletionStreams(
            () -> getContext().getJob(getJobId()),
            attempt -> cloner.number(attempt),
            copies(),
            output -> protection.replica(output),
            clock,
            this::write,
            breakers),
        sampled,
        protection,
        SpillKey.create(getConfig()));
  }

  @Override
  protected Speculator createSpeculator(Configuration conf, AppContext context) {
    String chosen = conf.get(MRJobConfig.MR_AM_JOB_SPECULATOR);
    if (chosen != null && !chosen.equals(DroverSpeculator.class.getName())) {
      return super.createSpeculator(conf, context);
    }
    AttemptPlacementHook placementHook =
        new AppMasterPlacementHook(
            antiAffinity, avoided, () -> cloner, news, second, cluster, headroom, protection());
    speculator =
        new DroverSpeculator(conf, context, Optional.of(placementHook), breakers, jobClasses);
    return speculator;
  }

  @Override
  protected void startJobs() {
    breakers.contain(
        "Checks", () -> Compatibility.log(getContext(), getConfig(), features.settings()));
    if (features.objection().isPresent() && speculator == null) { // it would have reported it
      String objection = features.objection().get();
      getContext().getEventHandler().handle(new JobDiagnosticsUpdateEvent(getJobId(), objection));
    }
    super.startJobs();
  }

  @Override
  public void notifyIsLastAMRetry(boolean isLast) {
    if (router != null) {
      router.setShouldUnregister(isLast);
    }
    super.notifyIsLastAMRetry(isLast);
  }

  void signalled() {
    if (router != null) {
      router.setSignalled(true);
    }
  }

  @Override
  public void shutDownJob() {
    news.end();
    breakers.logFailures(); // the job may have no decision log
    super.shutDownJob();
    if (endsTheProcess) {
      AppMasterProcess.end();
    }
  }
}
