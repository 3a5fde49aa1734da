// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.client.ClonedJob;
import io.drover.client.JobCopy;
import io.drover.speculator.DroverCounter;
import io.drover.testbed.cluster.Await;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Drover's AppMaster does beyond the speculator, on a real cluster. */
@ExtendWith(SharedCluster.class)
class AppMasterIT {
  private static DroverCluster cluster;
  private static JobRunner runner;

  @BeforeAll
  static void start(DroverCluster shared) {
    cluster = shared;
    runner = new JobRunner(cluster);
  }

  private static RunResult run(
      DemoJobSpec spec, RunMode mode, Map<String, String> extra, RunListener ear) throws Exception {
    RunResult result = JobsUnderTest.succeeded(runner.run(spec, mode, extra, ear));
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
    return result;
  }

  /** For tests that run {@link BesideOthers}. */
  private static RunResult runBeside(DemoJobSpec spec, Map<String, String> extra, RunListener ear)
      throws Exception {
    return JobsUnderTest.succeeded(runner.run(spec, RunMode.DROVER, extra, ear));
  }

  /** Containers that are left over would still be there. */
  @AfterAll
  static void nothingIsLeftBehind() throws Exception {
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }

  @Alone
  @Test
  void smallJobStartsWithClonesOnOtherNodesAndTheFirstToFinishFeedsTheReduce() throws Exception {
    DemoJobSpec spec = JobsUnderTest.lean(Scenario.SMALL_JOBS);
    Map<String, String> asPrinted =
        Map.of(
            "mapreduce.drover.clone.copy-wait",
            "0.3",
            "mapreduce.drover.restart.slower-attempt-factor",
            "1000000");
    RunResult result = run(spec, RunMode.DROVER, asPrinted, RunListener.NONE);
    assertThat(result.output()).isEqualTo(runner.outputAlone(result.spec()));
    long clones = JobsUnderTest.counter(result, DroverCounter.CLONES_LAUNCHED);
    assertThat(clones).isEqualTo(5); // one of each of 4 maps and 1 reduce, by the formula
    assertThat(JobsUnderTest.lines(result, "clone")).hasSize((int) clones);
    assertThat(result.tally().failed()).isZero();
    assertThat(result.attempts())
        .filteredOn(a -> a.won() && a.taskName().equals(result.faultTask().orElseThrow()))
        .extracting(AttemptRecord::attempt)
        .containsExactly(1); // the slow map's clone
    assertThat(JobsUnderTest.counter(result, DroverCounter.CLONES_WON)).isPositive();
    assertThat(
            JobsUnderTest.counter(result, DroverCounter.CLONES_WON)
                + JobsUnderTest.counter(result, DroverCounter.CLONES_LOST))
        .isEqualTo(clones);
    assertThat(JobsUnderTest.counter(result, DroverCounter.CLONE_WASTED_MILLIS)).isPositive();
    assertApart(result);
    assertCloneOfReduceFetchesFromOtherNodes(result, spec.maps());
  }

  /** Where the clone of the reduce was told of a copy of its own, the reduce itself was not. */
  private static void assertCloneOfReduceFetchesFromOtherNodes(RunResult result, int maps) {
    List<String> fetches = JobsUnderTest.lines(result, "fetch");
    assertThat(fetches).extracting(line -> field(line, "task")).doesNotHaveDuplicates();
    assertThat(fetches).hasSize(maps);
    List<String> own = fetches.stream().filter(line -> line.contains("\"own\":true")).toList();
    assertThat(own).isNotEmpty().hasSizeLessThan(maps); // nobody waits for the slow attempt
    for (String line : own) {
      assertThat(field(line, "from")).isNotEqualTo(field(line, "firstFrom"));
      assertThat(node(result, field(line, "copy"))).isEqualTo(host(field(line, "from")));
      assertThat(node(result, field(line, "first"))).isEqualTo(host(field(line, "firstFrom")));
    }
  }

  private static String node(RunResult result, String attempt) {
    return result.attempts().stream()
        .filter(a -> a.id().equals(attempt))
        .map(AttemptRecord::node)
        .collect(Collectors.joining());
  }

  private static String host(String url) {
    return URI.create(url).getHost();
  }

  /** No two attempts of a task that ran at the same time ran on one node. */
  private static void assertApart(RunResult result) {
    for (AttemptRecord one : result.attempts()) {
      for (AttemptRecord other : result.attempts()) {
        boolean siblings =
            one.taskName().equals(other.taskName()) && one.attempt() < other.attempt();
        boolean together = siblings && other.start().isBefore(one.finish());
        if (together) {
          assertThat(one.node()).as("%s and %s", one.id(), other.id()).isNotEqualTo(other.node());
        }
      }
    }
  }

  @Alone
  @Test
  void observedClonesAreLoggedAndNotMade() throws Exception {
    RunResult result =
        run(
            JobsUnderTest.quick(),
            RunMode.DROVER,
            Map.of("mapreduce.drover.clone.mode", "observe"),
            RunListener.NONE);
    assertThat(JobsUnderTest.counter(result, DroverCounter.CLONES_LAUNCHED)).isZero();
    assertThat(JobsUnderTest.lines(result, "clone"))
        .isNotEmpty()
        .allMatch(l -> l.contains("\"observe\""));
  }

  @Alone
  @Test
  void jobThatForbidsAllCopiesStartsNoClones() throws Exception {
    Map<String, String> noCopies =
        Map.of(
            "mapreduce.job.speculative.minimum-allowed-tasks", "0",
            "mapreduce.job.speculative.speculative-cap-total-tasks", "0",
            "mapreduce.job.speculative.speculative-cap-running-tasks", "0");
    RunResult result = run(JobsUnderTest.quick(), RunMode.DROVER, noCopies, RunListener.NONE);
    assertThat(JobsUnderTest.counter(result, DroverCounter.CLONES_LAUNCHED)).isZero();
    assertThat(JobsUnderTest.lines(result, "clone")).isEmpty();
  }

  @Alone
  @Test
  void reducesRunInTheRacksThatWereChosenAndTheBusiestLinkCarriesLess() throws Exception {
    DemoJobSpec spec =
        DemoJobSpec.of(Scenario.PLACEMENT)
            .with()
            .tasks(6, 10)
            .pace(Duration.ofSeconds(3), Duration.ofSeconds(1))
            .build();
    // links so narrow that the racks are worth waiting for on the slowest of machines
    Map<String, String> narrow =
        Map.of(
            "mapreduce.drover.placement.links",
            "/rack1=.01:.01,/rack2=.01:.01,/rack3=.01:.01",
            "mapreduce.drover.placement.patience",
            "60s");
    RunResult stock = run(spec, RunMode.STOCK, Map.of(), RunListener.NONE);
    RunResult result = run(spec, RunMode.DROVER, narrow, RunListener.NONE);
    assertThat(result.output()).isEqualTo(stock.output());
    Map<String, String> chosen = new HashMap<>();
    for (String line : JobsUnderTest.lines(result, "placed")) {
      chosen.put(field(line, "task"), field(line, "rack"));
    }
    List<AttemptRecord> reduces =
        result.attempts().stream().filter(a -> a.won() && a.taskName().startsWith("r")).toList();
    long matches =
        reduces.stream()
            .filter(
                a ->
                    a.rack()
                        .equals(
                            chosen.get(
                                a.id().replaceFirst("attempt", "task").replaceFirst("_\\d+$", ""))))
            .count();
    assertThat(matches).as("%s", chosen).isGreaterThanOrEqualTo(9); // of 10
    long before = stock.shuffled().orElseThrow().busiest();
    long now = result.shuffled().orElseThrow().busiest();
    assertThat(now).isLessThan(Math.round(0.7 * before));
    assertMeasured(result);
  }

  /** What reduces tell of their fetches agrees with what their own logs say. */
  private static void assertMeasured(RunResult result) {
    List<String> links = JobsUnderTest.lines(result, "link");
    assertThat(links).isNotEmpty();
    for (String line : links) {
      long sent = result.shuffled().orElseThrow().up().get(field(line, "rack"));
      long received = result.shuffled().orElseThrow().down().get(field(line, "rack"));
      assertThat(number(line, "sentBytes")).isBetween(0L, sent);
      assertThat(number(line, "receivedBytes")).isBetween(0L, received);
    }
  }

  private static long number(String line, String name) {
    return Long.parseLong(line.replaceFirst(".*\"" + name + "\":(\\d+).*", "$1"));
  }

  private static String field(String line, String name) {
    return line.replaceFirst(".*\"" + name + "\":\"([^\"]*)\".*", "$1");
  }

  @BesideOthers
  @Test
  void jobWithinTheAppMasterIsLeftToStock() throws Exception {
    RunResult result =
        runBeside(
            JobsUnderTest.quick(),
            Map.of(
                "mapreduce.job.ubertask.enable",
                "true",
                "mapreduce.job.ubertask.maxmaps",
                "9",
                "mapreduce.map.memory.mb",
                "128",
                "mapreduce.reduce.memory.mb",
                "128"),
            RunListener.NONE);
    assertThat(result.attempts()).extracting(AttemptRecord::node).containsOnly(result.amNode());
    assertThat(JobsUnderTest.counter(result, DroverCounter.CLONES_LAUNCHED)).isZero();
  }

  @BesideOthers
  @Test
  void badSettingIsNamedInTheJobsDiagnosticsWithoutASpeculatorToo() throws Exception {
    RunResult result =
        runBeside(
            JobsUnderTest.quick(),
            Map.of(
                "mapreduce.drover.clone.eps",
                "7",
                "mapreduce.map.speculative",
                "false",
                "mapreduce.reduce.speculative",
                "false"),
            RunListener.NONE);
    assertThat(result.diagnostics()).contains("mapreduce.drover.clone.eps is '7'; allowed:");
    assertThat(JobsUnderTest.counter(result, DroverCounter.CLONES_LAUNCHED)).isZero();
  }

  /** Counts lines; in the first copy of its job it never gets to it. */
  public static final class StallsInTheFirstCopy
      extends Mapper<LongWritable, Text, Text, LongWritable> {
    @Override
    protected void setup(Context context) throws InterruptedException {
      if (FileOutputFormat.getOutputPath(context).getName().contains(".drover-copy-1-")) {
        new CountDownLatch(1).await();
      }
    }

    @Override
    protected void map(LongWritable position, Text line, Context context)
        throws IOException, InterruptedException {
      context.write(line, new LongWritable(1));
    }
  }

  @Alone
  @Test
  void secondCopyOfAJobGivesItsOutputWhereTheFirstIsSlowAndBothRunByTheFrameworksName()
      throws Exception {
    Configuration conf = cluster.clientConf();
    conf.set("mapreduce.framework.name", "drover");
    FileSystem fs = FileSystem.get(conf);
    Path base = new Path("/job-clones");
    try (OutputStream in = fs.create(new Path(base, "in/lines"))) {
      in.write("b\na\nb\n".getBytes(StandardCharsets.UTF_8));
    }
    Path output = new Path(base, "results/out");
    Job job = Job.getInstance(conf, "lines");
    job.setMapperClass(StallsInTheFirstCopy.class);
    job.setReducerClass(LongSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    FileInputFormat.addInputPath(job, new Path(base, "in"));
    FileOutputFormat.setOutputPath(job, output);

    FutureTask<ClonedJob.Outcome> run = new FutureTask<>(ClonedJob.of(job, 2)::run);
    new Thread(run, "client").start();
    assertThat(
            Await.until(
                JobsUnderTest.LIMIT,
                Duration.ofMillis(100),
                () -> run.isDone() || appMastersOfDrover() == 2))
        .isTrue();
    assertThat(run.isDone()).isFalse();

    JobCopy winner = run.get(10, TimeUnit.MINUTES).winner().orElseThrow();
    assertThat(winner.number()).isEqualTo(2);
    assertThat(winner.job().getCounters().findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue())
        .isEqualTo(3);
    assertThat(run.get().copies().get(0).job().getJobState()).isEqualTo(JobStatus.State.KILLED);
    assertThat(fs.listStatus(output.getParent()))
        .extracting(FileStatus::getPath)
        .extracting(Path::getName)
        .containsExactly("out");
    try (InputStream out = fs.open(new Path(output, "part-r-00000"))) {
      assertThat(out).hasContent("a\t1\nb\t2\n");
    }
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }

  /** How many AppMasters run now that are Drover's. */
  private static long appMastersOfDrover() throws IOException {
    return cluster.liveContainers().stream()
        .filter(container -> container.attemptId().isEmpty())
        .flatMap(container -> ProcessHandle.of(container.pid()).stream())
        .filter(am -> am.info().commandLine().orElse("").contains("io.drover.appmaster"))
        .count();
  }

  /** The AppMaster is killed when the maps, or the reduces, are so far. */
  @BesideOthers
  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.9, 1.3})
  void jobOutlivesItsAppMaster(double progress) throws Exception {
    DemoJobSpec spec =
        JobsUnderTest.lean(Scenario.SMALL_JOBS)
            .with()
            .tasks(3, 1)
            .pace(Duration.ofSeconds(4), Duration.ofSeconds(3))
            .build();
    AppMasterDeath death = new AppMasterDeath(progress);
    RunResult result = runBeside(spec, Map.of(), death);
    assertThat(death.killed).isTrue();
    assertThat(result.output()).isEqualTo(runner.outputAlone(result.spec()));
  }

  @Alone
  @Test
  void jobOutlivesAStormOfKills() throws Exception {
    long seed = System.nanoTime();
    Storm storm = new Storm(new Random(seed));
    RunResult result =
        run(JobsUnderTest.lean(Scenario.SMALL_JOBS), RunMode.DROVER, Map.of(), storm);
    assertThat(storm.killed).as("seed %d", seed).isNotEmpty();
    assertThat(result.output()).as("seed %d", seed).isEqualTo(runner.outputAlone(result.spec()));
  }

  /**
   * Kills the processes of task attempts, a task's twice at most: the fourth failure ends a job.
   */
  private static final class Storm implements RunListener {
    private static final int EVERY = 8; // times that the job is looked at
    private static final int KILLS_OF_A_TASK = 2;

    private final Random random;
    private final Map<String, Integer> killed = new HashMap<>();
    private int looks;

    Storm(Random random) {
      this.random = random;
    }

    @Override
    public void progress(JobProgress job) throws IOException {
      looks++;
      if (looks % EVERY != 0) {
        return;
      }
      List<LiveContainer> victims =
          cluster.liveContainers().stream()
              .filter(c -> c.attemptId().isPresent())
              .filter(c -> killed.getOrDefault(task(c), 0) < KILLS_OF_A_TASK)
              .toList();
      if (!victims.isEmpty()) {
        LiveContainer victim = victims.get(random.nextInt(victims.size()));
        ProcessHandle.of(victim.pid()).ifPresent(ProcessHandle::destroyForcibly);
        killed.merge(task(victim), 1, Integer::sum);
      }
    }

    private static String task(LiveContainer container) {
      return container.attemptId().orElseThrow().replaceFirst("_\\d+$", "");
    }
  }

  private static final class AppMasterDeath implements RunListener {
    private final double at;
    private String jobId;
    private boolean killed;

    AppMasterDeath(double at) {
      this.at = at;
    }

    @Override
    public void submitted(String id) {
      jobId = id;
    }

    @Override
    public void progress(JobProgress job) throws IOException {
      if (killed || job.maps() + job.reduces() < at) {
        return;
      }
      for (LiveContainer container : cluster.liveContainers()) {
        if (container.isOf(jobId) && container.attemptId().isEmpty()) { // its AppMaster
          killed |=
              ProcessHandle.of(container.pid()).map(ProcessHandle::destroyForcibly).orElse(false);
        }
      }
    }
  }
}
