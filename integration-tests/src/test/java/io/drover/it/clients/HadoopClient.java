// SPDX-License-Identifier: Apache-2.0
package io.drover.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.testbed.cluster.DroverCluster;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.util.RunJar;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationsRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * A client of a cluster as people have one: a process with Hadoop on its class path and a directory
 * of site files. Nothing of Drover is on its class path. The site files alone say in which
 * AppMaster its jobs run.
 */
final class HadoopClient {
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final Duration LOG_LIMIT = Duration.ofMinutes(3);
  private static final Pattern ARGUMENTS = Pattern.compile("@(\\S+)");
  private static final int TAIL_LINES = 80;
  private static final String LOG4J =
      """
      log4j.rootLogger=INFO,out
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.target=System.err
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=%d{HH:mm:ss} %p %c{2}: %m%n
      """;

  private final DroverCluster cluster;
  private final String name;
  private final boolean underDrover;
  private final Map<String, String> extra = new LinkedHashMap<>();
  private final List<Path> jars = new ArrayList<>();
  private final List<String> options = new ArrayList<>(List.of("-Xmx256m", "-Xss1m"));
  private Duration hold = Duration.ZERO;

  /** Something that runs jobs in this process. */
  @FunctionalInterface
  interface Program {
    /** Runs with a configuration, and returns 0 if all went well. */
    int run(Configuration conf) throws Exception;
  }

  private HadoopClient(DroverCluster cluster, String name, boolean underDrover) {
    this.cluster = cluster;
    this.name = name;
    this.underDrover = underDrover;
  }

  /** Returns a client whose jobs run in Hadoop's AppMaster. */
  static HadoopClient stock(DroverCluster cluster, String name) {
    return new HadoopClient(cluster, name, false);
  }

  /** Returns a client whose jobs run in Drover's AppMaster. */
  static HadoopClient underDrover(DroverCluster cluster, String name) {
    return new HadoopClient(cluster, name, true);
  }

  /** Returns the same client with one more property in its site files. */
  HadoopClient with(String key, String value) {
    extra.put(key, value);
    return this;
  }

  /** Returns the same client with more jars on its class path, behind Hadoop's. */
  HadoopClient with(List<Path> more) {
    jars.addAll(more);
    return this;
  }

  /** Returns the same client with one more option for its JVM. */
  HadoopClient withOption(String option) {
    options.add(option);
    return this;
  }

  /** Returns the same client; in each of its jobs one attempt is held for so long. */
  HadoopClient holding(Duration length) {
    hold = length;
    return this;
  }

  /** Returns the name of a file or directory that only this client writes. */
  String path(String file) {
    return "/clients/" + tag() + "/" + file;
  }

  /** Returns the tag that its jobs carry. */
  String tag() {
    return name + (underDrover ? "-drover" : "-stock");
  }

  /** Does what {@code hadoop jar} does. */
  ClientResult jar(Path jar, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(jar.toString()));
    all.addAll(Arrays.asList(arguments));
    return main(RunJar.class.getName(), all.toArray(String[]::new));
  }

  /** Does what {@code hadoop CLASS} does. */
  ClientResult main(String main, String... arguments) throws Exception {
    Path directory = Files.createDirectories(cluster.directory().resolve("clients").resolve(tag()));
    Path said = directory.resolve("said");
    Path conf = writeConf(directory.resolve("conf"));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + containerArguments(),
                "@" + Path.of(System.getProperty("drover.home"), "config", "hadoop-jdk17.args")));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(conf), main));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile()) // where the cluster finds it when it is closed
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    // Settings of another Hadoop must not leak in.
    builder.environment().keySet().removeIf(key -> key.matches("(HADOOP|YARN|PIG|HIVE|HBASE)_.*"));
    builder.environment().put("HADOOP_CONF_DIR", conf.toString());
    try (MarkedJobs seen = new MarkedJobs()) {
      int exit;
      HeldAttempts held = HeldAttempts.start(cluster, seen::applications, hold);
      try (held) {
        exit = exitOf(builder.start(), said);
      }
      return seen.result(exit, tail(said), held.count());
    }
  }

  /** Runs a program in this process, with what the site files would say. */
  ClientResult program(Program program) throws Exception {
    Configuration conf = cluster.clientConf();
    settings().forEach(conf::set);
    try (MarkedJobs seen = new MarkedJobs()) {
      int exit;
      HeldAttempts held = HeldAttempts.start(cluster, seen::applications, hold);
      try (held) {
        exit = program.run(conf);
      }
      return seen.result(exit, tag(), held.count());
    }
  }

  private static int exitOf(Process process, Path said) throws IOException, InterruptedException {
    try {
      boolean ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended)
          .as(() -> "after " + LIMIT + " it still runs; it said\n" + tail(said))
          .isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String tail(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(MRJobConfig.JOB_TAGS, tag());
    settings.put(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, "1000"); // tasks take seconds
    if (underDrover) {
      settings.putAll(cluster.underDrover());
      settings.put("mapreduce.drover.decision-log.dir", path("decisions"));
    }
    settings.putAll(extra);
    return settings;
  }

  /** Writes the site files: what the cluster tells its clients, with this client's settings. */
  private Path writeConf(Path directory) throws IOException {
    Configuration site = new Configuration(false);
    Configuration known = cluster.clientConf();
    for (Map.Entry<String, String> entry : known) {
      String[] sources = known.getPropertySources(entry.getKey());
      if (sources != null && !sources[sources.length - 1].endsWith("-default.xml")) {
        site.set(entry.getKey(), known.getRaw(entry.getKey()));
      }
    }
    settings().forEach(site::set);
    Files.createDirectories(directory);
    // Each of Hadoop's default files overrides the site files before it.
    for (String file : List.of("core", "hdfs", "yarn", "mapred")) {
      try (OutputStream out = Files.newOutputStream(directory.resolve(file + "-site.xml"))) {
        site.writeXml(out);
      }
    }
    Files.writeString(directory.resolve("log4j.properties"), LOG4J);
    return directory;
  }

  /**
   * Returns Hadoop's jars, which the cluster's containers have as well, in the same order; the
   * cluster's own classes, which its configuration names; the client's; and the site files.
   */
  private String classPath(Path conf) throws IOException, URISyntaxException {
    List<String> lines = Files.readAllLines(containerArguments());
    String ofContainers = lines.get(lines.size() - 1).replace("\"", "");
    Path testbed =
        Path.of(DroverCluster.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> entries = new ArrayList<>();
    for (String entry : ofContainers.split(File.pathSeparator)) {
      Path path = Path.of(entry);
      boolean isHadoops =
          Files.isRegularFile(path) && !path.getFileName().toString().startsWith("drover-");
      if (isHadoops || path.equals(testbed)) {
        entries.add(entry);
      }
    }
    jars.forEach(jar -> entries.add(jar.toString()));
    entries.add(conf.toString());
    return String.join(File.pathSeparator, entries);
  }

  /** Returns the file with the arguments of the cluster's containers. */
  private Path containerArguments() {
    Matcher arguments = ARGUMENTS.matcher(cluster.clientConf().get(MRJobConfig.MAP_JAVA_OPTS, ""));
    assertThat(arguments.find()).isTrue();
    return Path.of(arguments.group(1));
  }

  /** The jobs of this client, which it has marked. */
  private final class MarkedJobs implements AutoCloseable {
    private final YarnClient yarn = YarnClient.createYarnClient();

    MarkedJobs() {
      yarn.init(cluster.clientConf());
      yarn.start();
    }

    List<ApplicationId> applications() throws IOException, YarnException {
      GetApplicationsRequest marked = GetApplicationsRequest.newInstance();
      marked.setApplicationTags(Set.of(tag()));
      return yarn.getApplications(marked).stream()
          .map(ApplicationReport::getApplicationId)
          .sorted()
          .toList();
    }

    ClientResult result(int exit, String said, int held) throws Exception {
      Cluster history = new Cluster(cluster.clientConf()); // the jobs need it as long as they live
      List<Job> jobs = new ArrayList<>();
      for (ApplicationId application : applications()) {
        JobID id = TypeConverter.fromYarn(application);
        // It is unknown for a moment: between its AppMaster's end and its history.
        await(id.toString()).atMost(LOG_LIMIT).until(() -> history.getJob(id) != null);
        jobs.add(history.getJob(id));
      }
      String ids = jobs.stream().map(job -> "" + job.getJobID()).collect(Collectors.joining(" "));
      List<String> decisions = underDrover ? decisions(jobs) : List.of();
      return new ClientResult(exit, said + "\n" + ids, jobs, held, decisions);
    }

    private List<String> decisions(List<Job> jobs) throws IOException {
      FileSystem fs = FileSystem.get(cluster.clientConf());
      List<String> lines = new ArrayList<>();
      for (Job job : jobs) {
        org.apache.hadoop.fs.Path log =
            new org.apache.hadoop.fs.Path(path("decisions"), job.getJobID() + ".jsonl");
        // It comes after the job's end, and not at all where no kind of task is speculated on.
        await("the decision log")
            .atMost(LOG_LIMIT)
            .until(() -> fs.exists(log) || !cluster.isRunning(job.getJobID().toString()));
        if (!fs.exists(log)) {
          continue;
        }
        try (BufferedReader reader =
            new BufferedReader(new InputStreamReader(fs.open(log), StandardCharsets.UTF_8))) {
          reader.lines().forEach(lines::add);
        }
      }
      return lines;
    }

    @Override
    public void close() {
      yarn.stop();
    }
  }
}
