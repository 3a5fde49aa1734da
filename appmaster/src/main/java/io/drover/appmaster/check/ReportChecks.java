// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.JobSettings;
import io.drover.speculator.ShuffleService;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;

/** Finds the settings that keep tasks from telling the AppMaster what it decides by. */
final class ReportChecks {
  /** The longest period of decisions, milliseconds: {@code RestartKeys}. */
  private static final long LONGEST_PERIOD = 10_000;

  private static final String HADOOPS_COLLECTOR =
      "org.apache.hadoop.mapred.MapTask$MapOutputBuffer";

  private static final String DROVERS_COLLECTOR = "org.apache.hadoop.mapred.DroverMapOutput";
  private static final String HADOOPS_SHUFFLE = "org.apache.hadoop.mapreduce.task.reduce.Shuffle";
  private static final String DROVERS_SHUFFLE = "io.drover.appmaster.MeasuredShuffle";

  private final CheckedJob job;

  ReportChecks(CheckedJob job) {
    this.job = job;
  }

  Checks all() {
    return new Checks()
        .add("job.report-interval", this::reportInterval)
        .add("job.collector", this::collector)
        .add("job.shuffle", this::shuffle)
        .add("job.class-loader", this::classLoader)
        .add("job.fetch-failures", this::fetchFailures);
  }

  private void reportInterval(Consumer<Finding> found) {
    String timeout = MRJobConfig.TASK_TIMEOUT;
    String interval = MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL;
    long millis = MRJobConfUtil.getTaskProgressReportInterval(job.conf());
    boolean isSet = job.conf().get(interval) != null;
    String cause =
        isSet
            ? job.is(interval)
            : job.is(timeout) + " and " + interval + ", by default a hundredth of it, is not set";
    String advice = "Set " + interval + " to 3000";
    if (millis <= 0) {
      found.accept(
          Finding.wrong(
              "job.no-reports",
              cause + ": tasks report nothing before their end, so nothing can be estimated",
              advice,
              interval,
              timeout));
    } else if (millis > LONGEST_PERIOD) {
      found.accept(
          Finding.warn(
              "job.report-interval",
              cause + ": tasks report every " + millis + " ms, and outliers are found late",
              advice,
              interval,
              timeout));
    }
  }

  private void collector(Consumer<Finding> found) {
    String key = MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR;
    List<String> classes = List.of(job.conf().getTrimmedStrings(key, HADOOPS_COLLECTOR));
    boolean matters = job.has(JobSettings::placementMode) && areOutputsOnNodes(job.conf());
    if (classes.contains(DROVERS_COLLECTOR)) {
      found.accept(namesOurs("job.collector", key));
    } else if (matters && !isService() && !classes.equals(List.of(HADOOPS_COLLECTOR))) {
      found.accept(
          Finding.warn(
              "job.collector",
              job.is(key)
                  + ": maps do not tell how large each reduce's part is, and reduces are placed by"
                  + " what maps write in all",
              "Leave it unset to have the parts measured",
              key));
    }
  }

  private void shuffle(Consumer<Finding> found) {
    String key = MRConfig.SHUFFLE_CONSUMER_PLUGIN;
    String named = job.conf().getTrimmed(key, HADOOPS_SHUFFLE);
    boolean matters = job.has(JobSettings::placementMode) || job.has(JobSettings::protectMode);
    if (named.equals(DROVERS_SHUFFLE)) {
      found.accept(namesOurs("job.shuffle", key));
    } else if (matters && !isService() && !areOutputsOnNodes(job.conf())) {
      found.accept(
          Finding.warn(
              "job.shuffle",
              job.is(key)
                  + ": where outputs of maps are is not known, so reduces are not placed, outputs"
                  + " are not protected, and samples are drawn before the start",
              "Nothing to do if that shuffle is meant; leave it unset to have Hadoop's",
              key));
    }
  }

  /** Another check tells of these classes, with which tasks fail in Drover's AppMaster. */
  private boolean isService() {
    return ShuffleService.of(job.conf()).isPresent();
  }

  /** Returns whether reduces fetch the outputs of maps from the nodes on which these ran. */
  static boolean areOutputsOnNodes(Configuration conf) {
    String shuffle = conf.getTrimmed(MRConfig.SHUFFLE_CONSUMER_PLUGIN, HADOOPS_SHUFFLE);
    return conf.getInt(MRJobConfig.NUM_REDUCES, 1) == 0
        || Set.of(HADOOPS_SHUFFLE, DROVERS_SHUFFLE).contains(shuffle);
  }

  /** Nodes without the jar have no such class, and the AppMaster sends it along by itself. */
  private Finding namesOurs(String check, String key) {
    return Finding.warn(
        check,
        job.is(key) + ": tasks fail on nodes without the jar",
        "Take it out: the AppMaster sends the class along with the tasks",
        key);
  }

  private void classLoader(Consumer<Finding> found) {
    String key = MRJobConfig.MAPREDUCE_JOB_CLASSLOADER;
    if (job.conf().getBoolean(key, false) && job.has(JobSettings::placementMode)) {
      found.accept(
          Finding.warn(
              "job.class-loader",
              key
                  + " is true: tasks do not measure outputs and links, and have no replicas of"
                  + " outputs",
              "Set it to false, Hadoop's default, for jobs that can do without",
              key));
    }
  }

  private void fetchFailures(Consumer<Finding> found) {
    String key = MRJobConfig.SHUFFLE_FETCH_FAILURES;
    String[] sources = job.conf().getPropertySources(key);
    boolean isDefault =
        sources == null || sources.length == 0 || sources[0].endsWith("-default.xml");
    if (!isDefault && job.has(JobSettings::protectMode) && job.conf().getInt(key, 1) > 1) {
      found.accept(
          Finding.warn(
              "job.fetch-failures",
              job.is(key)
                  + ": reduces report an output that they cannot fetch so many attempts"
                  + " later",
              "Leave it unset: Drover then has reduces report at once",
              key));
    }
  }
}
