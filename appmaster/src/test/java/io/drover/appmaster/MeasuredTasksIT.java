// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Real jobs on a real NodeManager on whose class path nothing of Drover is: only the AppMaster's
 * own has it.
 */
class MeasuredTasksIT {
  private static final Path HERE = Path.of("target", "measured").toAbsolutePath();
  private static final String JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";
  private static MiniMRYarnCluster cluster;

  /** Counts words. */
  public static final class WordMapper extends Mapper<LongWritable, Text, Text, IntWritable> {
    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      // what a task submits with its own job's configuration must not know of Drover
      String collector = context.getConfiguration().get("mapreduce.job.map.output.collector.class");
      context.getCounter("collector", collector).increment(1);
      for (String word : line.toString().split(" ")) {
        context.write(new Text(word), new IntWritable(1));
      }
    }
  }

  @BeforeAll
  static void start() throws Exception {
    Files.createDirectories(HERE.resolve("in"));
    for (int i = 0; i < 3; i++) {
      Files.writeString(HERE.resolve("in/" + i), "one two two\n");
    }
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "file:///");
    conf.set("yarn.app.mapreduce.am.staging-dir", HERE.resolve("staging").toString());
    conf.set("yarn.nodemanager.vmem-check-enabled", "false");
    conf.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    cluster = new MiniMRYarnCluster("MeasuredTasksIT", 1);
    cluster.init(conf);
    cluster.start();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.stop();
    }
  }

  private static String classPath(Predicate<String> which) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(which)
        .collect(Collectors.joining(","));
  }

  /** Of this module's reactor: its own tests, with the mapper, are none of Drover's jar. */
  private static boolean isDrovers(String entry) {
    return entry.endsWith("/target/classes")
        || Path.of(entry).getFileName().toString().startsWith("drover-");
  }

  private static Job run(String name, String... settings) throws Exception {
    Configuration conf = new Configuration(cluster.getConfig());
    conf.setBoolean("yarn.is.minicluster", false); // else tasks get this class path
    conf.set("mapreduce.application.classpath", classPath(entry -> !isDrovers(entry)));
    conf.set(
        "yarn.app.mapreduce.am.env",
        "CLASSPATH=" + classPath(MeasuredTasksIT::isDrovers).replace(",", File.pathSeparator));
    conf.set(
        "yarn.app.mapreduce.am.command-opts",
        "-Xmx300m " + JVM + " <ADD_OPENS> io.drover.appmaster.DroverAppMaster");
    conf.set("mapreduce.map.java.opts", "-Xmx200m " + JVM);
    conf.set("mapreduce.reduce.java.opts", "-Xmx200m " + JVM);
    conf.setInt("mapreduce.map.memory.mb", 256);
    conf.setInt("mapreduce.reduce.memory.mb", 256);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    conf.setInt("mapreduce.task.io.sort.mb", 16);
    conf.setInt("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", 250);
    conf.setInt("mapreduce.client.completion.pollinterval", 200);
    conf.set("mapreduce.drover.clone.mode", "off");
    conf.set("mapreduce.drover.decision-log.dir", HERE.resolve("decisions-" + name).toString());
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    Path out = HERE.resolve("out-" + name);
    Job job = Job.getInstance(conf, name);
    job.setMapperClass(WordMapper.class);
    job.setReducerClass(IntSumReducer.class);
    job.setNumReduceTasks(2);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(HERE.resolve("in").toUri()));
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(out.toUri()));
    org.apache.hadoop.fs.FileSystem.getLocal(conf)
        .delete(new org.apache.hadoop.fs.Path(out.toUri()), true);
    assertThat(job.waitForCompletion(false)).isTrue();
    List<String> counts = new ArrayList<>(Files.readAllLines(out.resolve("part-r-00000")));
    counts.addAll(Files.readAllLines(out.resolve("part-r-00001")));
    assertThat(counts).containsExactlyInAnyOrder("one\t3", "two\t6");
    for (TaskType type : List.of(TaskType.MAP, TaskType.REDUCE)) {
      for (TaskReport task : job.getTaskReports(type)) {
        assertThat(task.getDiagnostics()).isEmpty();
      }
    }
    assertThat(
            job.getCounters()
                .findCounter("collector", "org.apache.hadoop.mapred.MapTask$MapOutputBuffer")
                .getValue())
        .isEqualTo(3);
    return job;
  }

  /** The lines of all logs of a job's containers that contain something. */
  private static List<String> logged(Job job, String what) throws IOException {
    String application = job.getJobID().toString().replace("job_", "application_");
    Path logs = Path.of(cluster.getTestWorkDir().getAbsolutePath());
    try (Stream<Path> files = Files.walk(logs)) {
      return files
          .filter(file -> file.toString().contains(application))
          .filter(file -> file.getFileName().toString().startsWith("syslog"))
          .flatMap(file -> lines(file).stream())
          .filter(line -> line.contains(what))
          .toList();
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> decisions(String name) throws IOException {
    try (Stream<Path> files = Files.walk(HERE.resolve("decisions-" + name))) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .flatMap(file -> lines(file).stream())
          .toList();
    }
  }

  @Test
  void tasksMeasureWithWhatTheirAppMasterSendsThem() throws Exception {
    Job job = run("measured");
    assertThat(logged(job, "Map output collector class = org.apache.hadoop.mapred.DroverMapOutput"))
        .hasSize(3);
    assertThat(logged(job, "Using ShuffleConsumerPlugin: " + MeasuredShuffle.class.getName()))
        .hasSize(2);
    assertThat(logged(job, "The AppMaster is not told")).isEmpty();
    // the reduce's line has come; the AppMaster may end after its job
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> decisions("measured").stream().anyMatch(line -> line.contains("\"link\"")));
  }

  @Test
  void whereAnAttemptMustNotFailHadoopsClassesRun() throws Exception {
    Job job = run("stock", "mapreduce.map.maxattempts", "1", "mapreduce.reduce.maxattempts", "1");
    assertThat(logged(job, "Map output collector class = org.apache.hadoop.mapred.MapTask$"))
        .hasSize(3);
    assertThat(logged(job, "Drover")).noneMatch(line -> line.contains("collector class"));
  }
}
