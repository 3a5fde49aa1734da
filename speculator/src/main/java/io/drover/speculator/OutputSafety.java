// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.OutputSettings;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.FilterOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a job writes through an output format or committer that must not see two
 * attempts of a task, because it writes before the commit.
 *
 * <p>The classes that the job's configuration names, and all that they extend or implement, are
 * compared with the excluded patterns. Formats inside wrappers are checked, too: those inside
 * LazyOutputFormat and MultipleOutputs are in the configuration; the one inside another
 * FilterOutputFormat is read from an instance, just as Hadoop's AppMaster creates an instance of
 * the job's format. A class that cannot be loaded, or a wrapper whose inner format cannot be seen,
 * counts as unsafe, because nobody knows what it does. If the job declares a class safe, that class
 * is not checked any further.
 *
 * <p>FileOutputCommitter is safe in both its algorithms: only the attempt that was granted the
 * commit moves files, and from then on Drover adds no attempt to the task and kills none.
 */
public final class OutputSafety {
  private static final Logger LOG = LoggerFactory.getLogger(OutputSafety.class);

  /** The keys that name a job's output formats and committers, in the old and the new API. */
  private static final List<String> KEYS =
      List.of(
          MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR,
          LazyOutputFormat.OUTPUT_FORMAT,
          "mapred.output.format.class",
          "mapred.output.committer.class",
          "mapreduce.outputcommitter.factory.class",
          "mapreduce.outputcommitter.named.classname");

  /** The keys under which the new and the old MultipleOutputs find the format of a named output. */
  private static final Pattern NAMED_OUTPUT =
      Pattern.compile(
          "(?:mapreduce\\.multipleoutputs\\.namedOutput|mo\\.namedOutput)\\..+\\.format");

  /** The deepest nesting of formats that is followed. Deeper nesting is probably a cycle. */
  private static final int DEEPEST = 10;

  private final List<Pattern> excluded;
  private final List<Pattern> safe;

  /**
   * The reason why an output is unsafe.
   *
   * @param why the key, its class, and what is wrong with it
   * @param alsoBesides whether tasks of both kinds may write through it, including maps of a job
   *     whose reduces write its output
   */
  public record Objection(String why, boolean alsoBesides) {}

  /** Creates the check for the lists in the job's settings. */
  public OutputSafety(OutputSettings settings) {
    excluded = settings.excluded().stream().map(OutputSafety::glob).toList();
    safe = settings.safe().stream().map(OutputSafety::glob).toList();
  }

  private static Pattern glob(String text) {
    StringBuilder regex = new StringBuilder();
    for (String literal : text.split("\\*", -1)) {
      regex.append(regex.length() == 0 ? "" : ".*").append(Pattern.quote(literal));
    }
    return Pattern.compile(regex.toString());
  }

  /**
   * Returns why the job's outputs are unsafe; empty if they are safe. It first checks the outputs
   * through which tasks of both kinds may write.
   *
   * @param classes the job's class loader, or the AppMaster's if the job has none of its own
   */
  public Optional<Objection> objection(Configuration conf, ClassLoader classes) {
    JobConf jobs = new JobConf(conf); // another thread may set the class loader of conf
    jobs.setClassLoader(classes);
    for (Map.Entry<String, String> named : named(conf).entrySet()) {
      Optional<String> why = objection(named.getKey(), named.getValue(), jobs);
      if (why.isPresent()) {
        return Optional.of(new Objection(why.get(), true));
      }
    }
    List<String> keys = new ArrayList<>(KEYS);
    keys.add(factoryKey(conf));
    for (String key : keys) {
      String name = conf.getTrimmed(key);
      if (name != null && !name.isEmpty()) {
        Optional<String> why = objection(key, name, jobs);
        if (why.isPresent()) {
          return Optional.of(new Objection(why.get(), false));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the key that names the committer factory of the file system of the output. */
  private static String factoryKey(Configuration conf) {
    String output = conf.get(FileOutputFormat.OUTDIR, "");
    String scheme = output.isEmpty() ? null : new Path(output).toUri().getScheme();
    return String.format(
        PathOutputCommitterFactory.COMMITTER_FACTORY_SCHEME_PATTERN,
        scheme == null ? FileSystem.getDefaultUri(conf).getScheme() : scheme);
  }

  private static Map<String, String> named(Configuration conf) {
    Map<String, String> named = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : conf) {
      if (NAMED_OUTPUT.matcher(entry.getKey()).matches()) {
        named.put(entry.getKey(), conf.getTrimmed(entry.getKey()));
      }
    }
    return named;
  }

  private Optional<String> objection(String key, String name, Configuration jobs) {
    if (isSafe(name)) {
      return Optional.empty();
    }
    String what = key + "=" + name;
    Optional<String> byName = excluded(Set.of(name));
    if (byName.isPresent()) {
      return Optional.of(what + " is excluded as " + byName.get());
    }
    try {
      return objection(what, Class.forName(name, false, jobs.getClassLoader()), jobs, 0);
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.of(what + " cannot be loaded: " + e);
    }
  }

  private Optional<String> objection(String what, Class<?> type, Configuration jobs, int depth) {
    if (isSafe(type.getName())) {
      return Optional.empty();
    }
    Optional<String> match = excluded(family(type));
    if (match.isPresent()) {
      return Optional.of(what + " is excluded as " + match.get());
    }
    boolean isWrapper =
        FilterOutputFormat.class.isAssignableFrom(type)
            || org.apache.hadoop.mapred.lib.FilterOutputFormat.class.isAssignableFrom(type);
    if (!isWrapper || isLazy(type)) {
      return Optional.empty();
    }
    Optional<Class<?>> inner = depth < DEEPEST ? wrapped(type, jobs) : Optional.empty();
    return inner.isPresent()
        ? objection(what + ", which wraps " + inner.get().getName(), inner.get(), jobs, depth + 1)
        : Optional.of(what + " wraps an unknown output format");
  }

  /** Returns whether a key of the configuration names the inner format, which is checked there. */
  private static boolean isLazy(Class<?> type) {
    return LazyOutputFormat.class.isAssignableFrom(type)
        || org.apache.hadoop.mapred.lib.LazyOutputFormat.class.isAssignableFrom(type);
  }

  /** Returns the class of the format inside a new instance; empty if that is not possible. */
  private static Optional<Class<?>> wrapped(Class<?> type, Configuration jobs) {
    Class<?> filter =
        FilterOutputFormat.class.isAssignableFrom(type)
            ? FilterOutputFormat.class
            : org.apache.hadoop.mapred.lib.FilterOutputFormat.class;
    try {
      Field inner = filter.getDeclaredField("baseOut");
      inner.setAccessible(true);
      return Optional.ofNullable(inner.get(ReflectionUtils.newInstance(type, jobs)))
          .map(Object::getClass);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.info("Drover cannot see what {} wraps", type.getName(), e);
      return Optional.empty();
    }
  }

  private boolean isSafe(String name) {
    return safe.stream().anyMatch(pattern -> pattern.matcher(name).matches());
  }

  /** Returns the first of the names that is excluded. */
  private Optional<String> excluded(Set<String> names) {
    return names.stream()
        .filter(name -> excluded.stream().anyMatch(p -> p.matcher(name).matches()))
        .findFirst();
  }

  /** Returns the names of the class and of all that it extends or implements. */
  private static Set<String> family(Class<?> type) {
    Set<String> names = new LinkedHashSet<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      names.add(c.getName());
      addInterfaces(c, names);
    }
    return names;
  }

  private static void addInterfaces(Class<?> type, Set<String> names) {
    for (Class<?> i : type.getInterfaces()) {
      names.add(i.getName());
      addInterfaces(i, names);
    }
  }
}
