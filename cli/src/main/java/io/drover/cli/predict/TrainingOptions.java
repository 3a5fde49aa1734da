// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import io.drover.cli.command.Arguments;
import io.drover.core.predict.FeatureSet;
import io.drover.core.predict.TrainingSettings;
import io.drover.core.predict.model.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The options that say how a model is trained. */
final class TrainingOptions {
  private static final String ALL = "all";

  @Option(
      names = "--grace",
      paramLabel = "MIN",
      defaultValue = "20",
      description =
          "Minutes that a job which is called failing may run. Default: ${DEFAULT-VALUE}.")
  private int grace;

  @Option(
      names = "--max-misjudged",
      paramLabel = "SHARE",
      defaultValue = "0.01",
      description =
          "The largest share of all jobs that may be good and ended (MFN), above 0 and below 1."
              + " Default: ${DEFAULT-VALUE}.")
  private double mostMisjudged;

  /** Returns the settings for a method, some sets of features and a window. */
  TrainingSettings settings(Arguments arguments, Method method, Set<FeatureSet> sets, int days) {
    arguments.within("--grace", grace, 0, 14_400);
    arguments.within("--window", days, 1, 365);
    if (!(mostMisjudged > 0 && mostMisjudged < 1)) {
      throw arguments.bad(
          "option '--max-misjudged' needs a number above 0 and below 1, not '"
              + mostMisjudged
              + "'");
    }
    return new TrainingSettings(
        method,
        sets,
        Duration.ofDays(days),
        Duration.ofMinutes(grace),
        mostMisjudged,
        TrainingSettings.DEFAULT.mostJobs());
  }

  /** Returns the sets of features that are named, with {@code +} between them. */
  static Set<FeatureSet> sets(Arguments arguments, String typed) {
    if (typed.equalsIgnoreCase(ALL)) {
      return EnumSet.allOf(FeatureSet.class);
    }
    Set<FeatureSet> sets = EnumSet.noneOf(FeatureSet.class);
    for (String name : typed.split("\\+", -1)) {
      sets.add(
          Arrays.stream(FeatureSet.values())
              .filter(set -> word(set).equals(name.toLowerCase(Locale.ROOT)))
              .findFirst()
              .orElseThrow(() -> arguments.unknown("set of features", name, words())));
    }
    return sets;
  }

  private static List<String> words() {
    return Arrays.stream(FeatureSet.values()).map(TrainingOptions::word).toList();
  }

  private static String word(FeatureSet set) {
    return set.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the names of sets, as they are typed. */
  static String text(Set<FeatureSet> sets) {
    return sets.stream().sorted().map(TrainingOptions::word).collect(Collectors.joining("+"));
  }
}
