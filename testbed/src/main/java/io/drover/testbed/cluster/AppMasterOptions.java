// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.util.regex.Pattern;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** The options of a job that end in the class of its AppMaster, if that is not Hadoop's. */
final class AppMasterOptions {
  /** The job's key for them. */
  static final String KEY = MRJobConfig.MR_AM_COMMAND_OPTS;

  /** By name, for it is found on the class path of the AppMaster. */
  private static final String DROVER = "io.drover.appmaster.DroverAppMaster";

  /** The class alone, or as in conf/, where the shell looks first whether the node has the jar. */
  private static final Pattern CHOICE =
      Pattern.compile("\\$\\([^()]*" + Pattern.quote(DROVER) + "\\)|" + Pattern.quote(DROVER));

  private AppMasterOptions() {}

  /** Whether Drover's AppMaster is started with these. */
  static boolean areDrovers(String options) {
    return CHOICE.matcher(options).find();
  }

  /** Those that start Drover's. */
  static String forDrover(String options) {
    return areDrovers(options) ? options : options + " " + DROVER;
  }

  /** Those that start Hadoop's. */
  static String forHadoop(String options) {
    return CHOICE.matcher(options).replaceAll("").strip();
  }
}
