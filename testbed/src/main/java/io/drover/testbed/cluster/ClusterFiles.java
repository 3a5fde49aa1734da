// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import io.drover.testbed.host.HostNetwork;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Writes the files that a cluster's processes read. */
final class ClusterFiles {
  private static final String LOG4J =
      """
      log4j.rootLogger=INFO,out
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
      """;

  /** What a job brings along, relative to the directory of a container: MRApps.setClasspath. */
  private static final List<String> OF_THE_JOB =
      List.of("job.jar/job.jar", "job.jar/classes/", "job.jar/lib/*", "*");

  private final Layout layout;
  private final HostNetwork network;
  private final ClassPath classPath;
  private final List<String> jvmOptions;

  /**
   * Creates a writer for the files of a cluster.
   *
   * @param jvmOptions options for each of its processes, besides those that each has anyway
   */
  ClusterFiles(Layout layout, HostNetwork network, ClassPath classPath, List<String> jvmOptions) {
    this.layout = layout;
    this.network = network;
    this.classPath = classPath;
    this.jvmOptions = jvmOptions;
  }

  /** Writes all files that daemons read, except the arguments of their JVMs. */
  void write(Map<String, String> daemonConf) throws IOException {
    Files.createDirectories(layout.conf());
    Files.createDirectories(layout.logs());
    Files.createDirectories(layout.signs());
    Files.createDirectories(layout.temp());
    Files.write(layout.hostsFile(), network.hostsFile());
    Files.writeString(layout.conf().resolve("daemon-log4j.properties"), LOG4J);
    writeSite(daemonConf);
    // HDFS's jar has no web pages, but its servers do not start without the directories.
    for (String server : List.of("hdfs", "datanode")) {
      Path pages = layout.conf().resolve("webapps").resolve(server).resolve("WEB-INF");
      Files.createDirectories(pages);
      Files.writeString(pages.resolve("web.xml"), "<web-app/>");
    }
  }

  /**
   * Writes the arguments of all JVMs. They apply to JVMs that start later.
   *
   * @param extra additional options
   */
  void writeArguments(List<String> extra) throws IOException {
    List<String> ofContainers = jvm();
    ofContainers.addAll(extra);
    // Behind the cluster's own, as on any cluster: a class path here overrides the environment's.
    String withTheJobs =
        classPath.all() + File.pathSeparator + String.join(File.pathSeparator, OF_THE_JOB);
    writeArguments(layout.containerArguments(), ofContainers, withTheJobs);
    List<String> ofDaemons = new ArrayList<>(ofContainers);
    ofDaemons.add("-Djava.io.tmpdir=" + layout.temp());
    ofDaemons.add(
        "-Dlog4j.configuration=" + layout.conf().resolve("daemon-log4j.properties").toUri());
    ofDaemons.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    writeArguments(layout.daemonArguments(), ofDaemons, classPath.with(layout.conf()));
  }

  private List<String> jvm() throws IOException {
    List<String> options = new ArrayList<>();
    options.add("-XX:+UseSerialGC");
    options.add("-XX:TieredStopAtLevel=1");
    options.add("-XX:CICompilerCount=1");
    options.add("-XX:-UsePerfData"); // leaves no file behind when killed
    options.add("-Xss512k");
    options.addAll(HugePages.options());
    options.add("-Xshare:auto");
    options.add("-Djava.net.preferIPv4Stack=true");
    options.add("-Djdk.net.hosts.file=" + layout.hostsFile());
    options.addAll(jvmOptions);
    return options;
  }

  /** Writes an argument file for {@code java}. */
  static void writeArguments(Path file, List<String> options, String classPath) throws IOException {
    List<String> lines = new ArrayList<>();
    options.forEach(option -> lines.add(quote(option)));
    lines.add("-cp");
    lines.add(quote(classPath));
    Files.write(file, lines);
  }

  /** Quotes an argument as java's argument files require. */
  static String quote(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private void writeSite(Map<String, String> properties) throws IOException {
    Configuration site = new Configuration(false);
    properties.forEach(site::set);
    // All sites have the same: each of Hadoop's default files overrides the site files before it.
    for (String name : List.of("core", "hdfs", "yarn", "mapred")) {
      try (OutputStream out = Files.newOutputStream(layout.conf().resolve(name + "-site.xml"))) {
        site.writeXml(out);
      }
    }
  }

  /**
   * The option that lets a JVM request huge pages for its heap, if Linux grants them. A process
   * that lives for seconds spends much of its time on the first touch of each page, especially on a
   * virtual machine, whose page tables the host keeps. There, huge pages save a task of the demo a
   * quarter of its processor time.
   */
  static final class HugePages {
    private static final Path SWITCH = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    private HugePages() {}

    /** Returns the options for a JVM on this machine. */
    static List<String> options() throws IOException {
      return Files.isReadable(SWITCH) ? options(Files.readString(SWITCH)) : List.of();
    }

    /** Returns the options for the kernel's setting, such as {@code always [madvise] never}. */
    static List<String> options(String state) {
      // If there are no huge pages, a JVM that requests them prints a warning.
      boolean granted = state.contains("[madvise]") || state.contains("[always]");
      return granted ? List.of("-XX:+UseTransparentHugePages") : List.of();
    }
  }
}
