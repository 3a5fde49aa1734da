// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log of an AppMaster that is not Drover's that it is this one that runs, and what that
 * means for the job. Drover's own AppMaster has checks for that, which do not run here.
 *
 * <p>The JVM knows the class that it was started with and the words behind it. The configuration
 * does not tell for certain, because the node's shell may have had a say.
 */
public final class AppMasterNotice {
  /** The name of Drover's AppMaster. */
  public static final String DROVERS = "io.drover.appmaster.DroverAppMaster";

  private static final Logger LOG = LoggerFactory.getLogger(AppMasterNotice.class);

  private AppMasterNotice() {}

  static void log(Configuration conf) {
    String command = System.getProperty("sun.java.command", "");
    LOG.info("Drover: {}", runs(command));
    warnings(conf, command).forEach(warning -> LOG.warn("Drover: {}", warning));
  }

  /**
   * Returns which AppMaster runs.
   *
   * @param command the class with which the JVM was started and its arguments; empty if not known
   */
  static String runs(String command) {
    String itself = itself(command).orElse("another AppMaster than Drover's");
    return "the job runs in " + itself + ", where only restarts and copies of Drover's work";
  }

  /** Returns what is likely not to be meant so. */
  static List<String> warnings(Configuration conf, String command) {
    List<String> warnings = new ArrayList<>();
    itself(command)
        .ifPresent(
            itself -> {
              if (words(command).contains(DROVERS)) {
                warnings.add(
                    MRJobConfig.MR_AM_COMMAND_OPTS
                        + " names "
                        + itself
                        + " before "
                        + DROVERS
                        + ": Java runs the first");
              }
              ShuffleService.of(conf)
                  .filter(service -> !service.appMaster().equals(itself))
                  .ifPresent(service -> warnings.add(needsAnother(service, conf, itself)));
            });
    return warnings;
  }

  private static String needsAnother(ShuffleService service, Configuration conf, String itself) {
    String key = service.key(conf).orElseThrow();
    return key
        + " is "
        + conf.get(key, "").trim()
        + ", which works only in "
        + service.appMaster()
        + ": tasks fail in "
        + itself;
  }

  private static Optional<String> itself(String command) {
    return words(command).stream().findFirst();
  }

  private static List<String> words(String command) {
    return command.isBlank() ? List.of() : Arrays.asList(command.strip().split("\\s+"));
  }
}
