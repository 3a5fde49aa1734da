// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import io.drover.cli.doctor.LenientConfiguration.Complaint;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.mapreduce.util.ConfigUtil;

/**
 * The configuration files in a directory, as the processes of a cluster read them. Nothing comes
 * from the class path but Hadoop's defaults.
 */
final class SiteFiles {
  static {
    ConfigUtil.loadResources(); // the old names of keys
    HdfsConfiguration.init();
  }

  /** A file that Drover or something that it depends on is configured in. */
  enum SiteFile {
    CORE("core"),
    HDFS("hdfs"),
    YARN("yarn"),
    MAPRED("mapred"),
    CAPACITY("capacity-scheduler");

    private final String stem;

    SiteFile(String stem) {
      this.stem = stem;
    }

    String fileName() {
      return this == CAPACITY ? stem + ".xml" : stem + "-site.xml";
    }

    private Optional<URL> defaults() {
      return Optional.ofNullable(
          SiteFiles.class.getClassLoader().getResource(stem + "-default.xml"));
    }
  }

  private static final List<SiteFile> OF_JOBS =
      List.of(SiteFile.CORE, SiteFile.HDFS, SiteFile.YARN, SiteFile.MAPRED);

  private static final List<SiteFile> OF_RESOURCE_MANAGERS =
      List.of(SiteFile.CORE, SiteFile.YARN, SiteFile.CAPACITY);

  /** With the scheduler's, the files that a ResourceManager has read once it uses HDFS. */
  private static final List<SiteFile> OF_FILE_SYSTEMS =
      List.of(SiteFile.CORE, SiteFile.HDFS, SiteFile.YARN, SiteFile.CAPACITY);

  private final Path directory;
  private final Map<SiteFile, Configuration> each = new EnumMap<>(SiteFile.class);
  private final SortedMap<String, String> unreadable = new TreeMap<>();
  private final LenientConfiguration jobs;
  private final LenientConfiguration resourceManagers;
  private final LenientConfiguration fileSystems;

  private SiteFiles(Path directory) throws MalformedURLException {
    this.directory = directory;
    for (SiteFile file : SiteFile.values()) {
      if (Files.exists(path(file))) {
        read(file);
      }
    }
    jobs = together(OF_JOBS);
    resourceManagers = together(OF_RESOURCE_MANAGERS);
    fileSystems = together(OF_FILE_SYSTEMS);
  }

  /**
   * Reads the files that there are.
   *
   * @throws IOException if there is none, with a message that names the directory
   */
  static SiteFiles read(Path directory) throws IOException {
    SiteFiles files = new SiteFiles(directory.toAbsolutePath().normalize());
    if (files.each.isEmpty() && files.unreadable.isEmpty()) {
      throw new IOException(
          "no Hadoop configuration in "
              + files.directory
              + ": it has no core-site.xml,"
              + " yarn-site.xml or mapred-site.xml");
    }
    return files;
  }

  private void read(SiteFile file) throws MalformedURLException {
    Configuration alone = new Configuration(false);
    alone.addResource(path(file).toUri().toURL());
    try {
      alone.size(); // reads it
      each.put(file, alone);
    } catch (RuntimeException e) { // what Configuration makes of a file that is no XML
      Throwable cause = e.getCause() == null ? e : e.getCause();
      unreadable.put(file.fileName(), String.valueOf(cause.getMessage()).lines().findFirst().get());
    }
  }

  private LenientConfiguration together(List<SiteFile> files) throws MalformedURLException {
    LenientConfiguration conf = new LenientConfiguration();
    for (SiteFile file : files) {
      file.defaults().ifPresent(conf::addResource);
      if (each.containsKey(file)) {
        conf.addResource(path(file).toUri().toURL());
      }
    }
    return conf;
  }

  private Path path(SiteFile file) {
    return directory.resolve(file.fileName());
  }

  Path directory() {
    return directory;
  }

  /** Returns what clients submit jobs with, and AppMasters read. */
  Configuration jobs() {
    return jobs;
  }

  /** Returns what ResourceManagers read, with the scheduler's file on top. */
  Configuration resourceManagers() {
    return resourceManagers;
  }

  /**
   * Returns by what ResourceManagers find file systems, such as the NameNodes of a nameservice.
   * Nobody looks for their own settings in hdfs-site.xml.
   */
  Configuration fileSystems() {
    return fileSystems;
  }

  /** Returns whether a file is there and can be read. */
  boolean has(SiteFile file) {
    return each.containsKey(file);
  }

  /** Returns what one file sets, without defaults; nothing if it is not there. */
  Configuration alone(SiteFile file) {
    return each.getOrDefault(file, new Configuration(false));
  }

  /** Returns the files that cannot be read, and why. */
  SortedMap<String, String> unreadable() {
    return unreadable;
  }

  /**
   * Returns the values that have been asked for and cannot be read as what they should be, by key.
   */
  SortedMap<String, Complaint> badValues() {
    SortedMap<String, Complaint> all = new TreeMap<>(fileSystems.complaints());
    all.putAll(resourceManagers.complaints());
    all.putAll(jobs.complaints());
    return all;
  }

  /** Returns the lists of hosts that are there, which Hadoop's scripts read. */
  private List<Path> listsOfHosts() {
    return Stream.of("workers", "slaves").map(directory::resolve).filter(Files::exists).toList();
  }

  private static boolean isReadableFile(Path file) {
    return Files.isRegularFile(file) && Files.isReadable(file);
  }

  /** Returns the lists of hosts that cannot be read. */
  List<Path> unreadableListsOfHosts() {
    return listsOfHosts().stream().filter(list -> !isReadableFile(list)).toList();
  }

  /**
   * Returns the names of the hosts in {@code workers}. Names are ASCII, and Hadoop's scripts take
   * comments in whatever encoding.
   */
  List<String> workers() throws IOException {
    for (Path list : listsOfHosts()) {
      if (isReadableFile(list)) {
        List<String> names =
            Files.readString(list, StandardCharsets.ISO_8859_1)
                .lines()
                .map(line -> line.replaceFirst("#.*", "").trim())
                .filter(line -> !line.isEmpty())
                .toList();
        if (!names.isEmpty()) {
          return names;
        }
      }
    }
    return List.of();
  }

  /** Returns the name of the file that sets a key; empty if only Hadoop's defaults do. */
  Optional<String> source(String key) {
    return setting(key).flatMap(conf -> source(conf, key));
  }

  /** Returns the name of the file from which a configuration has a key. */
  static Optional<String> source(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null || sources.length == 0 || sources[0].endsWith("-default.xml")
        ? Optional.empty()
        : Optional.of(sources[0].substring(sources[0].lastIndexOf('/') + 1));
  }

  /** Returns the value of a key; empty if it is not set. */
  Optional<String> value(String key) {
    return setting(key)
        .or(() -> readers(key).stream().filter(conf -> conf.get(key) != null).findFirst())
        .map(conf -> conf.get(key));
  }

  /** Returns the configuration of those who go by a key, if a file sets it there; else another. */
  private Optional<Configuration> setting(String key) {
    return readers(key).stream().filter(conf -> source(conf, key).isPresent()).findFirst();
  }

  /** Returns the configurations, that of those who go by a key first. */
  private List<Configuration> readers(String key) {
    boolean isOfJobs = !key.startsWith("yarn.") || key.startsWith("yarn.app.mapreduce.");
    return isOfJobs ? List.of(jobs, resourceManagers) : List.of(resourceManagers, jobs);
  }
}
