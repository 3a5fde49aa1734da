// SPDX-License-Identifier: Apache-2.0
package io.drover.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.web.WebClient;
import io.drover.speculator.DroverCounter;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.HistoryDirectories;
import io.drover.testbed.history.JobHistory;
import io.drover.testbed.history.JobHistoryServer;
import io.drover.testbed.history.JobRecord;
import io.drover.testbed.job.ContainerHolder;
import io.drover.testbed.job.WordCount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * All of Drover once, on Hadoop's small cluster, in a minute: the first test to run. Three jobs run
 * at once. One has a slow map; one is so small that it is cloned, and for a moment another
 * application wants all of the cluster; one runs with Drover switched off.
 */
class SmokeIT {
  private static final String SWITCH = " io.drover.appmaster.DroverAppMaster";
  private static final int LINES = 20;
  private static final int MAPS = 3;
  private static final String DECISIONS = "mapreduce.drover.decision-log.dir";
  private static final String PAUSE = "io.drover.it.smoke.pause-ms";
  private static final String SLOW = "io.drover.it.smoke.slow";
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Path home;
  private static MiniCluster cluster;
  private static Job rescued;
  private static Job cloned;
  private static Job off;
  private static JsonNode reclaimed;

  /** Counts words, and takes its time for each line. */
  public static final class SlowWords extends Mapper<LongWritable, Text, Text, LongWritable> {
    private static final LongWritable ONE = new LongWritable(1);
    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    @SuppressWarnings("ReturnValueIgnored") // the time is over, always
    protected void map(LongWritable position, Text line, Context context)
        throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      boolean isFirst = context.getTaskAttemptID().getId() == 0;
      boolean isSlow = isFirst && context.getTaskAttemptID().getTaskID().getId() == 0;
      long times = isSlow ? conf.getInt(SLOW, 1) : 1;
      never.await(times * conf.getLong(PAUSE, 0), TimeUnit.MILLISECONDS);
      for (String word : line.toString().split(" ")) {
        context.write(new Text(word), ONE);
      }
    }
  }

  @BeforeAll
  static void run() throws Exception {
    home = Files.createTempDirectory("smoke");
    cluster = MiniCluster.start(home, Path.of(System.getProperty("drover.home"), "conf"));

    Configuration small = underDrover("cloned");
    small.setLong(PAUSE, 400);
    cloned = submit("cloned", 1, small);
    Configuration outlier = underDrover("rescued");
    outlier.set("mapreduce.drover.clone.mode", "off");
    outlier.setLong(PAUSE, 150);
    outlier.setInt(SLOW, 50);
    rescued = submit("rescued", MAPS, outlier);
    Configuration stock = cluster.stockJob();
    stock.set(DECISIONS, home.resolve("decisions-off").toString());
    off = submit("off", 1, stock);

    reclaim();
    for (Job job : List.of(cloned, rescued, off)) {
      Awaitility.await(job.getJobName()).atMost(LIMIT).until(job::isComplete);
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    FileUtil.fullyDelete(home.toFile());
  }

  private static Configuration underDrover(String name) {
    Configuration conf = cluster.stockJob();
    conf.set(MRJobConfig.MR_AM_COMMAND_OPTS, conf.get(MRJobConfig.MR_AM_COMMAND_OPTS) + SWITCH);
    conf.set(DECISIONS, home.resolve("decisions-" + name).toString());
    return conf;
  }

  private static Job submit(String name, int maps, Configuration conf) throws Exception {
    Path input = Files.createDirectories(home.resolve("in-" + name));
    for (int map = 0; map < maps; map++) {
      Files.writeString(input.resolve("" + map), "one two two\n".repeat(LINES));
    }
    Job job = Job.getInstance(conf, name);
    job.setMapperClass(SlowWords.class);
    job.setReducerClass(WordCount.Sum.class);
    job.setNumReduceTasks(1);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    FileInputFormat.addInputPath(job, path("in-" + name));
    FileOutputFormat.setOutputPath(job, path("out-" + name));
    job.submit();
    return job;
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(home.resolve(name).toUri());
  }

  /** Wants all of the cluster as soon as clones run, and until one has given way. */
  private static void reclaim() throws Exception {
    try (ContainerHolder all = new ContainerHolder("wants all")) {
      all.start(cluster.conf()); // it takes a second, in which a clone may have ended
      Awaitility.await("clones run").atMost(LIMIT).until(() -> clones("running") > 0);
      for (int i = 0; i < MiniCluster.HOSTS.size() * MiniCluster.TASKS_PER_NODE; i++) {
        all.ask(MiniCluster.TASK_MB);
      }
      Awaitility.await("a clone gives way")
          .atMost(LIMIT)
          .until(
              () -> {
                all.heartbeat();
                return clones("gaveWay") > 0;
              });
    }
    reclaimed = cluster.scheduler();
  }

  private static long clones(String what) throws IOException, InterruptedException {
    JsonNode answer = cluster.scheduler();
    JsonNode count = answer.path("clones").path(what);
    assertThat(count.isNumber()).as("%s in %s", what, answer).isTrue();
    return count.asLong();
  }

  private static void assertRight(Job job, int maps) throws Exception {
    assertThat(job.isSuccessful()).as("%s", job.getStatus()).isTrue();
    Path output = home.resolve("out-" + job.getJobName()).resolve("part-r-00000");
    assertThat(Files.readAllLines(output))
        .containsExactly("one\t" + maps * LINES, "two\t" + 2 * maps * LINES);
  }

  private static long counter(Job job, DroverCounter counter) throws IOException {
    return job.getCounters().findCounter(counter).getValue();
  }

  /** Returns the lines of one type in the decision log of a job; none while there is no log. */
  private static List<JsonNode> decisions(Job job, String type) throws IOException {
    Path log = home.resolve("decisions-" + job.getJobName());
    List<JsonNode> lines = new ArrayList<>();
    if (Files.exists(log)) {
      try (Stream<Path> files = Files.walk(log)) {
        for (Path file : files.filter(SmokeIT::isLog).toList()) {
          for (String line : Files.readAllLines(file)) {
            lines.add(JSON.readTree(line));
          }
        }
      }
    }
    lines.removeIf(line -> !line.path("type").asText().equals(type));
    return lines;
  }

  private static boolean isLog(Path file) {
    return Files.isRegularFile(file) && file.getFileName().toString().endsWith(".jsonl");
  }

  @Test
  void schedulerIsDroppedInByYarnSite() throws Exception {
    JsonNode drover = cluster.scheduler();
    assertThat(drover.path("errors").findValuesAsText("off")).containsOnly("false");
    assertThat(drover.path("badSettings").isNull() || drover.path("badSettings").isEmpty())
        .as("%s", drover)
        .isTrue();
  }

  @Test
  void slowMapIsRescued() throws Exception {
    assertRight(rescued, MAPS);
    assertThat(counter(rescued, DroverCounter.COPIES_WON)).isPositive();
    List<Integer> winners = new ArrayList<>();
    for (TaskCompletionEvent event : rescued.getTaskCompletionEvents(0)) {
      boolean won = event.getStatus() == TaskCompletionEvent.Status.SUCCEEDED;
      if (won && event.isMapTask() && event.getTaskAttemptId().getTaskID().getId() == 0) {
        winners.add(event.getTaskAttemptId().getId());
      }
    }
    assertThat(winners).hasSize(1).doesNotContain(0);
  }

  @Test
  void reduceIsPlacedInTheRackWithMostOfItsInput() {
    List<JsonNode> placed = new ArrayList<>();
    Awaitility.await("the log, which may come after the job's end")
        .atMost(LIMIT)
        .until(() -> placed.addAll(decisions(rescued, "placed")));
    JsonNode last = placed.get(placed.size() - 1);
    assertThat(last.path("rack").asText()).isIn("/rack11", "/rack12", "/rack13");
    assertThat(3 * last.path("bytesInRack").asLong())
        .as("%s: one of three racks has a third, or more", last)
        .isPositive()
        .isGreaterThanOrEqualTo(last.path("bytes").asLong());
  }

  @Test
  void clonesRunAndGiveWayToOthers() throws Exception {
    assertRight(cloned, 1);
    assertThat(counter(cloned, DroverCounter.CLONES_LAUNCHED)).isPositive();
    assertThat(reclaimed.path("killedLately").toString())
        .contains(cloned.getJobID().toString().replace("job_", "application_"));
  }

  @Test
  void withoutTheOneLineItIsOff() throws Exception {
    assertRight(off, 1);
    assertThat(home.resolve("decisions-off")).doesNotExist();
    assertThat(counter(off, DroverCounter.CLONES_LAUNCHED)).isZero();
  }

  @Test
  void serverTellsOfAJobWhatItsHistoryDoes() throws Exception {
    String id = rescued.getJobID().toString();
    WebClient web = new WebClient(LIMIT, System::currentTimeMillis);
    JobHistoryServer server = new JobHistoryServer(cluster.historyServer(), web::json);
    try (FileSystem files = FileSystem.newInstance(cluster.conf())) { // with these directories
      Awaitility.await("the history") // until then the server moves it
          .atMost(LIMIT)
          .ignoreException(IOException.class)
          .untilAsserted(
              () -> {
                JobRecord told = server.read(id);
                org.apache.hadoop.fs.Path file =
                    HistoryDirectories.find(cluster.conf(), id).orElseThrow(IOException::new);
                assertThat(summary(told)).isEqualTo(summary(JobHistory.read(files, file)));
                assertThat(told.attempts()).hasSizeGreaterThan(MAPS + 1);
              });
    }
  }

  /** Returns what both ways of reading a history tell. */
  private static List<Object> summary(JobRecord job) {
    List<Object> all = new ArrayList<>(List.of(job.state(), job.time(), job.name(), job.user()));
    for (AttemptRecord attempt : job.attempts()) {
      all.addAll(List.of(attempt.id(), attempt.node(), attempt.outcome(), attempt.role()));
      all.addAll(List.of(attempt.start(), attempt.finish(), attempt.shuffleFinish()));
      all.addAll(List.of(attempt.figures().records(), attempt.figures().cpuMillis()));
    }
    return all;
  }
}
