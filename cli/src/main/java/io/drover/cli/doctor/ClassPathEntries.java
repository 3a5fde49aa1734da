// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The class path of AppMasters, as far as this machine can tell. Hadoop fills in variables on the
 * node: {@code $NAME}, <code>${NAME}</code> and {@code {{NAME}}}. Here they have the values of this
 * process, and Hadoop's homes are that of the whole installation if only that is known.
 */
final class ClassPathEntries {
  private static final Pattern VARIABLE = Pattern.compile("\\{\\{(\\w+)}}|\\$\\{(\\w+)}|\\$(\\w+)");

  private static final Set<String> HOMES =
      Set.of("HADOOP_COMMON_HOME", "HADOOP_HDFS_HOME", "HADOOP_YARN_HOME", "HADOOP_MAPRED_HOME");

  private final Map<String, String> environment;
  private final List<String> raw;

  private ClassPathEntries(Collection<String> raw, Map<String, String> environment) {
    this.raw = List.copyOf(raw);
    this.environment = environment;
  }

  /**
   * Returns the class path of AppMasters, in the order of {@code MRApps.setMRFrameworkClasspath}.
   * If MapReduce comes in an archive, nodes' own jars are not on it unless they are named.
   */
  static ClassPathEntries ofAppMasters(Configuration conf, Map<String, String> environment) {
    List<String> entries = new ArrayList<>();
    if (conf.getTrimmed(MRJobConfig.MAPREDUCE_APPLICATION_FRAMEWORK_PATH, "").isEmpty()) {
      entries.addAll(
          strings(
              conf,
              YarnConfiguration.YARN_APPLICATION_CLASSPATH,
              YarnConfiguration.DEFAULT_YARN_CROSS_PLATFORM_APPLICATION_CLASSPATH));
    }
    entries.addAll(
        strings(
            conf,
            MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH,
            StringUtils.getStrings(
                MRJobConfig.DEFAULT_MAPREDUCE_CROSS_PLATFORM_APPLICATION_CLASSPATH)));
    return new ClassPathEntries(entries, environment);
  }

  /** Returns the entries of a variable such as HADOOP_CLASSPATH. */
  static ClassPathEntries ofVariable(String value, Map<String, String> environment) {
    return new ClassPathEntries(Arrays.asList(value.split(":")), environment);
  }

  private static List<String> strings(Configuration conf, String key, String... defaults) {
    String[] set = conf.getTrimmedStrings(key);
    return Arrays.asList(set.length == 0 ? defaults : set);
  }

  /** Returns an entry with its variables filled in; empty if one is not known here. */
  private Optional<String> filledIn(String entry) {
    Matcher variable = VARIABLE.matcher(entry);
    StringBuilder text = new StringBuilder();
    while (variable.find()) {
      String value = value(variable);
      if (value == null) {
        return Optional.empty();
      }
      variable.appendReplacement(text, Matcher.quoteReplacement(value));
    }
    return Optional.of(variable.appendTail(text).toString());
  }

  private String value(MatchResult variable) {
    String name =
        Stream.of(variable.group(1), variable.group(2), variable.group(3))
            .filter(group -> group != null)
            .findFirst()
            .orElseThrow();
    String value = environment.get(name);
    return value == null && HOMES.contains(name) ? environment.get("HADOOP_HOME") : value;
  }

  /** Returns the entries that cannot be looked into here. */
  List<String> unseen() {
    return raw.stream()
        .filter(entry -> filledIn(entry).map(ClassPathEntries::isClosed).orElse(true))
        .toList();
  }

  /** Returns whether an entry is a directory of jars that this user may not list. */
  private static boolean isClosed(String entry) {
    if (!isOfDirectory(entry)) {
      return false;
    }
    Path directory = directory(entry);
    return Files.exists(directory) ? !Files.isReadable(directory) : !Files.notExists(directory);
  }

  /** Returns whether there may be jars on the class path that cannot be seen here. */
  boolean mayHaveMore() {
    return unseen().stream().anyMatch(ClassPathEntries::isOfJars);
  }

  /** Returns whether a file would be on the class path, whether or not it is there. */
  boolean covers(String file) {
    String wanted = filledIn(file).orElse(file);
    return raw.stream()
        .map(entry -> filledIn(entry).orElse(entry))
        .anyMatch(entry -> entry.equals(wanted) || entry.equals(allBeside(wanted)));
  }

  /** Returns whether a file would be on the class path with some value of unknown variables. */
  boolean mayCover(String file) {
    Optional<String> wanted = filledIn(file);
    return wanted.isEmpty()
        || raw.stream()
            .filter(ClassPathEntries::isOfJars)
            .map(this::withAnyValues)
            .anyMatch(
                entry ->
                    entry.matcher(wanted.get()).matches()
                        || entry.matcher(allBeside(wanted.get())).matches());
  }

  /** Returns the entry by which a jar would be on a class path with all of its directory. */
  private static String allBeside(String file) {
    return file.endsWith(".jar") ? file.replaceFirst("/[^/]*$", "/*") : file;
  }

  private static boolean isOfDirectory(String entry) {
    return entry.endsWith("/*");
  }

  private static boolean isOfJars(String entry) {
    return isOfDirectory(entry) || entry.endsWith(".jar");
  }

  /** Returns what an entry may be, if variables that are not known here may have any value. */
  private Pattern withAnyValues(String entry) {
    Matcher variable = VARIABLE.matcher(entry);
    StringBuilder regex = new StringBuilder();
    int from = 0;
    while (variable.find()) {
      String value = value(variable);
      regex.append(Pattern.quote(entry.substring(from, variable.start())));
      regex.append(value == null ? ".*" : Pattern.quote(value));
      from = variable.end();
    }
    return Pattern.compile(regex.append(Pattern.quote(entry.substring(from))).toString());
  }

  /** Returns whether this machine has a file, in whose name variables are filled in. */
  boolean exists(String file) {
    return filledIn(file).map(name -> Files.exists(Path.of(name))).orElse(false);
  }

  /** Returns the jars that this machine has on the class path, each once. */
  List<Path> jars() throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String entry : raw) {
      Optional<String> filled = filledIn(entry);
      if (filled.isPresent() && filled.get().startsWith("/")) {
        add(filled.get(), jars);
      }
    }
    return jars.stream().distinct().toList();
  }

  /** Adds what an entry has: files only, as there may be links to nothing beside them. */
  private static void add(String entry, List<Path> jars) throws IOException {
    if (isOfDirectory(entry)) {
      Path directory = directory(entry);
      if (Files.isDirectory(directory) && Files.isReadable(directory)) {
        try (Stream<Path> files = Files.list(directory)) {
          files
              .filter(file -> file.toString().endsWith(".jar") && Files.isRegularFile(file))
              .sorted()
              .forEach(jars::add);
        }
      }
    } else if (entry.endsWith(".jar") && Files.isRegularFile(Path.of(entry))) {
      jars.add(Path.of(entry));
    }
  }

  private static Path directory(String entry) {
    return Path.of(entry.substring(0, entry.length() - 1));
  }
}
