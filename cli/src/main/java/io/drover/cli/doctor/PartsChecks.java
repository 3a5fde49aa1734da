// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import io.drover.appmaster.check.AppMasterChoice;
import io.drover.appmaster.check.AppMasterChoice.Chosen;
import io.drover.appmaster.check.AppMasterChoice.Origin;
import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.ChannelSettings;
import io.drover.core.config.CloneKeys;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.JobSettings;
import io.drover.core.config.PlacementSettings;
import io.drover.core.config.PredictionSettings;
import io.drover.core.config.ProtectKeys;
import io.drover.core.config.RestartKeys;
import io.drover.core.config.SampleSettings;
import io.drover.core.config.Setting;
import io.drover.scheduler.check.SchedulerChecks;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Says which of Drover's parts are on, observing or off, and for whom. */
final class PartsChecks {
  private static final List<Setting<?>> OF_APP_MASTER =
      List.of(
          RestartKeys.MODE,
          CloneKeys.MODE,
          JobSettings.ANTI_AFFINITY_MODE,
          PlacementSettings.MODE,
          ProtectKeys.MODE,
          JobSettings.ORDER_MODE,
          SampleSettings.MODE);

  private static final List<Setting<?>> OF_SCHEDULER =
      List.of(
          ClusterSettings.CLONE_MODE,
          ClusterSettings.STATISTICS_MODE,
          PredictionSettings.MODE,
          PredictionSettings.SECOND_ATTEMPTS_MODE);

  private final SiteFiles files;
  private final AppMasterChoice choice;

  /** The class of the scheduler that runs, if the ResourceManager has told it. */
  private final Optional<String> running;

  PartsChecks(SiteFiles files, Optional<String> running) {
    this.files = files;
    this.choice = AppMasterChoice.of(files.jobs());
    this.running = running;
  }

  Checks all() {
    return new Checks()
        .add("parts.appmaster", this::appMaster)
        .add("parts.features", this::features)
        .add("parts.scheduler", this::scheduler)
        .add("parts.pages", this::pages)
        .add("parts.none", this::none);
  }

  private boolean isDroversScheduler() {
    return schedulerClass().equals(SchedulerChecks.SCHEDULER);
  }

  private String schedulerClass() {
    return running.orElseGet(
        () -> files.resourceManagers().getTrimmed(YarnConfiguration.RM_SCHEDULER, ""));
  }

  private void appMaster(Consumer<Finding> found) {
    String key = choice.isShipped() ? MRConfig.FRAMEWORK_NAME : MRJobConfig.MR_AM_COMMAND_OPTS;
    Chosen appMaster = choice.appMaster();
    String who =
        files.jobs().getFinalParameters().contains(key)
            ? "all jobs of this configuration, and none can choose otherwise"
            : "jobs of this configuration that do not choose otherwise";
    String what =
        switch (appMaster.by()) {
          case DROVER ->
              "Drover's AppMaster is on for "
                  + who
                  + (choice.isShipped() ? "; it goes with each" : "");
          case DROVER_WHERE_THE_JAR_IS ->
              "Drover's AppMaster is on for "
                  + who
                  + ", on nodes that have "
                  + appMaster.jar().orElse("the jar");
          case HADOOP -> "Drover's AppMaster is off: jobs run in Hadoop's";
          case OTHER -> "Drover's AppMaster is off: jobs run in " + appMaster.className();
        };
    found.accept(Finding.ok("parts.appmaster", what, key));
    if (!appMaster.isDrovers() && choice.speculator().isDrovers()) {
      Chosen speculator = choice.speculator();
      String where =
          speculator.by() == Origin.DROVER
              ? ""
              : ", on nodes that have " + speculator.jar().orElse("the jar");
      found.accept(
          Finding.ok(
              "parts.speculator",
              "Drover's speculator is on in it" + where,
              MRJobConfig.MR_AM_JOB_SPECULATOR));
    }
  }

  private void features(Consumer<Finding> found) {
    if (choice.isDroversAppMaster()) {
      found.accept(modes("Features: ", OF_APP_MASTER, files.jobs()));
    } else if (choice.speculator().isDrovers()) {
      found.accept(modes("Features: ", List.of(RestartKeys.MODE), files.jobs()));
    }
  }

  private static Finding modes(String title, List<Setting<?>> settings, Configuration conf) {
    String modes =
        settings.stream()
            .map(setting -> feature(setting.key()) + " " + text(setting, conf))
            .collect(Collectors.joining(", "));
    String[] set =
        settings.stream()
            .map(Setting::key)
            .filter(key -> conf.get(key) != null)
            .toArray(String[]::new);
    return Finding.ok("parts.features", title + modes, set);
  }

  /** Returns {@code clone} for {@code mapreduce.drover.clone.mode}. */
  private static String feature(String key) {
    return key.replaceFirst("^.*\\.drover\\.(.*)\\.mode$", "$1");
  }

  private static String text(Setting<?> setting, Configuration conf) {
    return conf.getTrimmed(setting.key(), setting.defaultText()).toLowerCase(Locale.ROOT);
  }

  private void scheduler(Consumer<Finding> found) {
    Configuration conf = files.resourceManagers();
    String told = running.isPresent() ? " (the ResourceManager says so)" : "";
    if (!isDroversScheduler()) {
      found.accept(
          Finding.ok(
              "parts.scheduler",
              "Drover's scheduler is off"
                  + told
                  + ": no ceiling for clones, and nothing is learnt"
                  + " across jobs",
              YarnConfiguration.RM_SCHEDULER));
      return;
    }
    found.accept(
        Finding.ok(
            "parts.scheduler",
            "Drover's scheduler is on"
                + told
                + ", with clones for users and groups "
                + text(ClusterSettings.CLONE_ACL, conf)
                + " and applications of type "
                + conf.getTrimmed(
                    ClusterSettings.CLONE_APPLICATION_TYPES.key(),
                    ClusterSettings.CLONE_APPLICATION_TYPES.defaultText()),
            YarnConfiguration.RM_SCHEDULER));
    found.accept(modes("In the scheduler: ", OF_SCHEDULER, conf));
    boolean hasChannel =
        conf.getPropsWithPrefix(ChannelSettings.ADDRESS.key()).values().stream()
            .anyMatch(address -> !address.isBlank());
    found.accept(
        hasChannel
            ? Finding.ok(
                "parts.channel",
                "AppMasters and the scheduler talk to each other",
                ChannelSettings.ADDRESS.key())
            : Finding.ok(
                "parts.channel",
                ChannelSettings.ADDRESS.key()
                    + " is not set: AppMasters and the scheduler do not talk, so nothing is learnt"
                    + " across jobs"));
  }

  private void pages(Consumer<Finding> found) {
    String key = YarnConfiguration.YARN_WEBAPP_CUSTOM_WEBSERVICE_CLASS;
    if (isDroversScheduler()) {
      boolean isOn =
          files.resourceManagers().getTrimmed(key, "").equals(SchedulerChecks.WEB_SERVICES);
      found.accept(
          isOn
              ? Finding.ok("parts.pages", "The scheduler's page is on", key)
              : Finding.ok("parts.pages", key + " is not Drover's: the scheduler has no page"));
    }
  }

  private void none(Consumer<Finding> found) {
    if (!choice.isOn() && !isDroversScheduler()) {
      found.accept(
          Finding.warn(
              "parts.none",
              MRJobConfig.MR_AM_COMMAND_OPTS
                  + " is "
                  + files.jobs().get(MRJobConfig.MR_AM_COMMAND_OPTS, "not set").trim()
                  + " and "
                  + YarnConfiguration.RM_SCHEDULER
                  + " is "
                  + schedulerClass()
                  + ": nothing of Drover is on",
              "docs/rolling-out.md says how to switch it on",
              MRJobConfig.MR_AM_COMMAND_OPTS,
              YarnConfiguration.RM_SCHEDULER));
    }
  }
}
