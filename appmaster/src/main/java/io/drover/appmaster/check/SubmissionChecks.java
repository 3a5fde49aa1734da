// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.SampleSettings;
import io.drover.core.config.Setting;
import io.drover.speculator.HadoopSettings;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Finds what is wrong with the way in which jobs of a configuration come to Drover's AppMaster. A
 * job that runs in it has no need of these checks.
 */
final class SubmissionChecks {
  /** What Hadoop 3.4.1 and later replaces with the options that JDK 17 needs. */
  private static final String ADD_OPENS = "<ADD_OPENS>";

  private static final Set<String> FRAMEWORKS = Set.of("yarn", "drover");

  private static final List<Setting<?>> SAMPLES =
      List.of(
          SampleSettings.BLOCKS,
          SampleSettings.RATIO,
          SampleSettings.SAMPLER,
          SampleSettings.RECORD);

  private final Configuration conf;
  private final AppMasterChoice choice;

  SubmissionChecks(Configuration conf, AppMasterChoice choice) {
    this.conf = conf;
    this.choice = choice;
  }

  Checks all() {
    return new Checks()
        .add("job.framework", this::framework)
        .add("job.appmaster-options", this::behindTheClass)
        .add("job.add-opens", this::addOpens)
        .add("job.profile", this::profile)
        .add("job.speculator-variable", this::speculatorVariable)
        .add("job.sample", this::sample);
  }

  private void framework(Consumer<Finding> found) {
    String framework = conf.getTrimmed(MRConfig.FRAMEWORK_NAME, "local");
    if (choice.isOn() && !FRAMEWORKS.contains(framework)) {
      found.accept(
          Finding.wrong(
              "job.framework",
              MRConfig.FRAMEWORK_NAME
                  + " is "
                  + framework
                  + ": jobs do not run in a MapReduce AppMaster on YARN",
              "Set it to yarn, or to drover to send the jar along with each job",
              MRConfig.FRAMEWORK_NAME));
    }
  }

  private void behindTheClass(Consumer<Finding> found) {
    List<String> options =
        choice.behind().stream().filter(word -> word.startsWith("-") || isAddOpens(word)).toList();
    if (!options.isEmpty()) {
      found.accept(
          Finding.wrong(
              "job.appmaster-options",
              MRJobConfig.MR_AM_COMMAND_OPTS
                  + " has "
                  + String.join(" ", options)
                  + " behind the class "
                  + choice.appMaster().className()
                  + ": the JVM ignores what comes behind its class",
              "Put the class last",
              MRJobConfig.MR_AM_COMMAND_OPTS));
    }
  }

  private static boolean isAddOpens(String word) {
    return word.equals(ADD_OPENS);
  }

  /** Returns whether Hadoop's own options come behind the class, which is in the user's. */
  private boolean isClassInOptions() {
    return choice.isDroversAppMaster() && !choice.isShipped();
  }

  private void addOpens(Consumer<Finding> found) {
    String key = MRJobConfig.MAPREDUCE_JVM_ADD_OPENS_JAVA_OPT;
    boolean isOn = conf.getBoolean(key, MRJobConfig.MAPREDUCE_JVM_ADD_OPENS_JAVA_OPT_DEFAULT);
    String options = conf.get(MRJobConfig.MR_AM_COMMAND_OPTS, "");
    if (isOn && isClassInOptions() && !options.contains(ADD_OPENS)) {
      found.accept(
          Finding.warn(
              "job.add-opens",
              key
                  + " is true: Hadoop adds its options behind the class that "
                  + MRJobConfig.MR_AM_COMMAND_OPTS
                  + " ends in, so the AppMaster's JVM ignores them; with Hadoop 3.4 on JDK 17 it"
                  + " then has no web pages",
              "Write " + ADD_OPENS + " before the class",
              key,
              MRJobConfig.MR_AM_COMMAND_OPTS));
    }
  }

  private void profile(Consumer<Finding> found) {
    String key = MRJobConfig.MR_AM_PROFILE;
    if (conf.getBoolean(key, MRJobConfig.DEFAULT_MR_AM_PROFILE) && isClassInOptions()) {
      found.accept(
          Finding.warn(
              "job.profile",
              key
                  + " is true: Hadoop adds "
                  + MRJobConfig.MR_AM_PROFILE_PARAMS
                  + " behind the class, so the AppMaster is not profiled",
              "Write these options before the class in " + MRJobConfig.MR_AM_COMMAND_OPTS,
              key));
    }
  }

  private void speculatorVariable(Consumer<Finding> found) {
    AppMasterChoice.variable(conf)
        .filter(name -> AppMasterChoice.ofEnvironment(conf, name).isEmpty())
        .filter(name -> System.getenv(name) == null)
        .ifPresent(
            name ->
                found.accept(
                    Finding.wrong(
                        "job.speculator-variable",
                        MRJobConfig.MR_AM_JOB_SPECULATOR
                            + " is the value of the variable "
                            + name
                            + ", which "
                            + MRJobConfig.MR_AM_ENV
                            + " does not set: the speculator is always "
                            + conf.getTrimmed(MRJobConfig.MR_AM_JOB_SPECULATOR, "none"),
                        "Set the variable as in conf/mapred-site.xml",
                        MRJobConfig.MR_AM_JOB_SPECULATOR,
                        MRJobConfig.MR_AM_ENV)));
  }

  /** A request for a sample is one job's; where all jobs make it, their results are wrong. */
  private void sample(Consumer<Finding> found) {
    if (!isSampleGood()) {
      return; // another check tells what is wrong with it
    }
    for (Setting<?> setting : SAMPLES) {
      String value = conf.getTrimmed(setting.key(), "");
      if (!value.isEmpty() && choice.isDroversAppMaster()) {
        found.accept(
            Finding.wrong(
                "job.sample",
                setting.key() + " is " + value + ": every job reads only a part of its input",
                "Take it out, and set it for single jobs",
                setting.key()));
      }
    }
  }

  private boolean isSampleGood() {
    try {
      HadoopSettings.readSample(conf);
      return true;
    } catch (BadSettingException e) {
      return false;
    }
  }
}
