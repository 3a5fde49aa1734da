// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.JobSettings;
import io.drover.core.config.SampleSettings;
import io.drover.speculator.DroverSpeculator;
import io.drover.speculator.HadoopSettings;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the settings of jobs that switch off parts of Drover or fight with it. It reads a
 * configuration and nothing else: no file and no network.
 */
public final class Compatibility {
  private static final Logger LOG = LoggerFactory.getLogger(Compatibility.class);

  private Compatibility() {}

  /**
   * Writes to the log what stands in the way of a job that runs in this process, in Drover's
   * AppMaster.
   *
   * @param context has the job
   * @param conf the job's configuration
   * @param settings Drover's settings in it; if they are bad, so that Drover is off, only what
   *     another AppMaster would have to do is looked for
   */
  public static void log(AppContext context, Configuration conf, Optional<JobSettings> settings) {
    List<Finding> findings =
        settings.map(good -> ofRunning(conf, good)).orElseGet(() -> ofAppMaster(conf));
    for (Finding finding : findings) {
      LOG.warn("Drover: {}", finding.line());
    }
    long heap = Runtime.getRuntime().maxMemory();
    int tasks =
        context.getAllJobs().values().stream()
            .mapToInt(job -> job.getTotalMaps() + job.getTotalReduces())
            .sum();
    AppMasterHeap.tooSmall(
            heap, "the AppMaster's heap is " + (heap >> 20) + " MB", tasks, "the job")
        .ifPresent(finding -> LOG.warn("Drover: {}", finding.line()));
  }

  static List<Finding> ofRunning(Configuration conf, JobSettings settings) {
    String speculator =
        conf.getTrimmed(MRJobConfig.MR_AM_JOB_SPECULATOR, DroverSpeculator.class.getName());
    AppMasterChoice choice = AppMasterChoice.of(conf).inDroversAppMaster();
    return checks(new CheckedJob(conf, settings, true), choice, speculator).run();
  }

  /**
   * Checks what does not depend on Drover's settings: a job can fail of it though Drover is off.
   */
  private static List<Finding> ofAppMaster(Configuration conf) {
    return new AppMasterChecks(conf, AppMasterChoice.of(conf).inDroversAppMaster()).all().run();
  }

  /**
   * Returns the checks of a configuration with which jobs are submitted. If it has neither Drover's
   * AppMaster nor its speculator, the checks say what would stand in the AppMaster's way.
   */
  public static Checks ofSubmitted(Configuration conf) {
    AppMasterChoice choice = AppMasterChoice.of(conf);
    boolean isDroversAppMaster = choice.isDroversAppMaster() || !choice.isOn();
    CheckedJob job = new CheckedJob(conf, goodSettings(conf), isDroversAppMaster);
    String speculator =
        isSpeculatorDrovers(choice)
            ? DroverSpeculator.class.getName()
            : choice.speculator().className();
    return new Checks()
        .add("job.setting", found -> settings(conf, found))
        .addAll(new SubmissionChecks(conf, choice).all())
        .addAll(checks(job, choice, speculator));
  }

  /** In Drover's AppMaster the speculator is Drover's unless the job names another one. */
  private static boolean isSpeculatorDrovers(AppMasterChoice choice) {
    return choice.speculator().isDrovers() || !choice.isOn();
  }

  /**
   * Returns whether reduces may run in the racks where maps run. Only those racks are known, so no
   * rack can be chosen for reduces that are bound to nodes with another label.
   */
  public static boolean areRacksKnown(Configuration conf) {
    return PlaceChecks.areRacksKnown(conf);
  }

  /**
   * Returns whether reduces fetch the outputs of maps from the nodes on which these ran, as
   * Hadoop's shuffle does, or there are no reduces. With another shuffle, nothing is known of where
   * outputs are, and what is served by nodes need not be what reduces read.
   */
  public static boolean areOutputsOnNodes(Configuration conf) {
    return ReportChecks.areOutputsOnNodes(conf);
  }

  private static Checks checks(CheckedJob job, AppMasterChoice choice, String speculator) {
    return new Checks()
        .addAll(new AppMasterChecks(job.conf(), choice).all())
        .add("job.speculator", found -> speculator(job, speculator, found))
        .addAll(new AttemptChecks(job).all())
        .addAll(new PlaceChecks(job).all())
        .addAll(new ReportChecks(job).all());
  }

  private static void settings(Configuration conf, Consumer<Finding> found) {
    SortedMap<String, String> complaints = HadoopSettings.complaints(conf);
    complaints.forEach((key, complaint) -> found.accept(bad(complaint, key)));
    if (complaints.isEmpty()) {
      try {
        HadoopSettings.read(conf);
        HadoopSettings.readSample(conf);
      } catch (BadSettingException e) { // values that contradict each other
        found.accept(bad(e.getMessage()));
      }
    }
  }

  private static Finding bad(String complaint, String... keys) {
    boolean failsJobs = complaint.startsWith(SampleSettings.PREFIX);
    return Finding.wrong(
        "job.setting",
        complaint,
        failsJobs ? "Each job that asks for a sample fails" : "Drover is off in each job with it",
        keys);
  }

  /** Returns the settings, with the defaults in the place of bad values. */
  private static JobSettings goodSettings(Configuration conf) {
    try {
      return HadoopSettings.readGood(conf);
    } catch (BadSettingException e) {
      throw new IllegalStateException("a default value is not allowed", e);
    }
  }

  /** Drover's AppMaster makes clones even where another speculator decides about copies. */
  private static void speculator(CheckedJob job, String named, Consumer<Finding> found) {
    if (job.isDroversAppMaster() && !named.equals(DroverSpeculator.class.getName())) {
      found.accept(
          Finding.warn(
              "job.speculator",
              MRJobConfig.MR_AM_JOB_SPECULATOR
                  + " is "
                  + named
                  + ": that class decides about copies, and there is no decision log",
              "Leave the key unset to let Drover decide",
              MRJobConfig.MR_AM_JOB_SPECULATOR));
    }
  }
}
