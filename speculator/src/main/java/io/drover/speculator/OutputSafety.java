// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;

/**
 * Finds out whether a job writes through an output format or committer that must not see two
 * attempts of a task: one that writes before the commit.
 *
 * <p>What the job's configuration names is compared with the excluded patterns, and so is
 * everything that a named class extends or implements. FileOutputCommitter is safe in both its
 * algorithms: only the attempt that was granted the commit moves files, and Drover neither adds to
 * nor kills a task from then on.
 */
public final class OutputSafety {
  /** Where a job says what it writes through, in the old and the new API. */
  private static final List<String> KEYS =
      List.of(
          MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR,
          "mapred.output.format.class",
          "mapred.output.committer.class",
          "mapreduce.outputcommitter.factory.class",
          "mapreduce.outputcommitter.named.classname");

  private final List<Pattern> excluded;

  /**
   * The rule for given patterns.
   *
   * @param patterns class names; a * stands for any characters
   */
  public OutputSafety(List<String> patterns) {
    excluded = patterns.stream().map(OutputSafety::glob).collect(Collectors.toList());
  }

  private static Pattern glob(String text) {
    StringBuilder regex = new StringBuilder();
    for (String literal : text.split("\\*", -1)) {
      regex.append(regex.length() == 0 ? "" : ".*").append(Pattern.quote(literal));
    }
    return Pattern.compile(regex.toString());
  }

  /** What makes the job's output unsafe: the key, its class, the pattern; empty if nothing does. */
  public Optional<String> objection(Configuration conf) {
    List<String> keys = new ArrayList<>(KEYS);
    keys.add(factoryKey(conf));
    for (String key : keys) {
      String name = conf.getTrimmed(key);
      if (name == null) {
        continue;
      }
      for (String candidate : family(conf, name)) {
        for (Pattern pattern : excluded) {
          if (pattern.matcher(candidate).matches()) {
            return Optional.of(key + "=" + name + " is excluded as " + candidate);
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Where Hadoop looks for the factory of committers of the file system that is written to. */
  private static String factoryKey(Configuration conf) {
    String output = conf.get(FileOutputFormat.OUTDIR, "");
    String scheme = output.isEmpty() ? null : new Path(output).toUri().getScheme();
    return String.format(
        PathOutputCommitterFactory.COMMITTER_FACTORY_SCHEME_PATTERN,
        scheme == null ? FileSystem.getDefaultUri(conf).getScheme() : scheme);
  }

  /** The class and all that it extends or implements; only its name if it cannot be loaded. */
  private static List<String> family(Configuration conf, String name) {
    List<String> names = new ArrayList<>();
    names.add(name);
    Class<?> type = conf.getClassByNameOrNull(name);
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      names.add(c.getName());
      for (Class<?> i : c.getInterfaces()) {
        names.add(i.getName());
      }
    }
    return names;
  }
}
