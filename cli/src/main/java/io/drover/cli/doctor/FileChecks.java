// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import io.drover.appmaster.check.AppMasterChoice;
import io.drover.cli.doctor.SiteFiles.SiteFile;
import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.ChannelSettings;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.JobSettings;
import io.drover.scheduler.check.SchedulerChecks;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Checks the configuration files themselves: whether each setting is where it is read. */
final class FileChecks {
  /** Settings of other keys are not Drover's business. */
  private static final List<String> CONCERNED =
      List.of(
          ClusterSettings.PREFIX,
          "mapreduce.",
          "yarn.app.mapreduce.",
          "net.topology.",
          YarnConfiguration.RM_SCHEDULER,
          YarnConfiguration.YARN_WEBAPP_CUSTOM_WEBSERVICE_CLASS);

  private final SiteFiles files;

  FileChecks(SiteFiles files) {
    this.files = files;
  }

  Checks all() {
    return new Checks()
        .add("files.unreadable", this::unreadable)
        .add("files.missing", this::missing)
        .add("files.workers", this::workers)
        .add("files.misplaced", this::misplaced)
        .add("files.final", this::overruled)
        .add("files.twice", this::twice);
  }

  private void unreadable(Consumer<Finding> found) {
    files
        .unreadable()
        .forEach(
            (file, why) ->
                found.accept(
                    Finding.wrong(
                        "files.unreadable",
                        file + " cannot be read: " + why,
                        "Every process that reads it ends. `hadoop conftest` shows the place")));
  }

  private void missing(Consumer<Finding> found) {
    for (SiteFile file : List.of(SiteFile.CORE, SiteFile.YARN, SiteFile.MAPRED)) {
      if (!files.has(file) && !files.unreadable().containsKey(file.fileName())) {
        found.accept(
            Finding.warn(
                "files.missing",
                "there is no "
                    + file.fileName()
                    + " in "
                    + files.directory()
                    + ": Hadoop's defaults are in force",
                "Name the directory that the cluster's processes read (HADOOP_CONF_DIR or --conf)"));
      }
    }
    if (!files.has(SiteFile.CAPACITY)) {
      found.accept(
          Finding.ok(
              "files.missing",
              "there is no capacity-scheduler.xml here, so queues are not checked; run this on a"
                  + " ResourceManager's machine"));
    }
  }

  private void workers(Consumer<Finding> found) {
    for (Path list : files.unreadableListsOfHosts()) {
      found.accept(
          Finding.warn(
              "files.workers",
              list + " is no file that can be read: Hadoop's scripts start no NodeManagers from it",
              "Make it a file that all can read, with the name of one host in each line"));
    }
  }

  /**
   * Returns what is found of values that are not of the type that a check has asked for. Only a
   * check that has run has asked.
   */
  static List<Finding> badValues(SiteFiles files) {
    return files.badValues().entrySet().stream()
        .map(
            entry ->
                Finding.wrong(
                    "files.value",
                    entry.getKey()
                        + " is "
                        + entry.getValue().value()
                        + ", which "
                        + entry.getValue().what(),
                    entry.getValue().right() + ": a process that reads it fails",
                    entry.getKey()))
        .toList();
  }

  private void misplaced(Consumer<Finding> found) {
    for (SiteFile file : SiteFile.values()) {
      for (Map.Entry<String, String> property : files.alone(file)) {
        String key = property.getKey();
        String value = property.getValue().trim();
        Place.of(key, value).flatMap(place -> place.wrong(file, key, value)).ifPresent(found);
      }
    }
  }

  /**
   * Where a setting belongs.
   *
   * @param right the files that it may be in
   * @param read the files in which it is in force as well
   */
  private record Place(Set<SiteFile> right, Set<SiteFile> read) {
    private static final Set<SiteFile> ALL_OF_JOBS =
        EnumSet.complementOf(EnumSet.of(SiteFile.CAPACITY));

    private static Optional<Place> of(String key, String value) {
      Place place = null;
      if (key.startsWith(JobSettings.PREFIX)) {
        place = new Place(EnumSet.of(SiteFile.MAPRED), ALL_OF_JOBS);
      } else if (isAppMaster(key, value)) {
        place = new Place(ALL_OF_JOBS, ALL_OF_JOBS);
      } else if (key.startsWith(ChannelSettings.ADDRESS.key())) {
        boolean optsOut = value.isEmpty(); // jobs that report nothing
        place =
            new Place(
                optsOut ? EnumSet.allOf(SiteFile.class) : EnumSet.of(SiteFile.YARN),
                EnumSet.complementOf(EnumSet.of(SiteFile.HDFS)));
      } else if (key.startsWith(ClusterSettings.PREFIX)) {
        place = new Place(EnumSet.of(SiteFile.YARN, SiteFile.CAPACITY), EnumSet.of(SiteFile.CORE));
      } else if (isClassOfResourceManagers(key, value)) {
        place = new Place(EnumSet.of(SiteFile.YARN), EnumSet.of(SiteFile.CORE));
      }
      return Optional.ofNullable(place);
    }

    private static boolean isAppMaster(String key, String value) {
      return key.equals(MRJobConfig.MR_AM_COMMAND_OPTS)
          && value.contains(AppMasterChoice.APP_MASTER);
    }

    private static boolean isClassOfResourceManagers(String key, String value) {
      return (key.equals(YarnConfiguration.RM_SCHEDULER) && value.equals(SchedulerChecks.SCHEDULER))
          || (key.equals(YarnConfiguration.YARN_WEBAPP_CUSTOM_WEBSERVICE_CLASS)
              && value.equals(SchedulerChecks.WEB_SERVICES));
    }

    private Optional<Finding> wrong(SiteFile file, String key, String value) {
      if (right.contains(file)) {
        return Optional.empty();
      }
      String where = key + " is " + value + " in " + file.fileName();
      String advice = "Move it to " + right.iterator().next().fileName();
      return Optional.of(
          read.contains(file)
              ? Finding.warn("files.misplaced", where + ", where nobody looks for it", advice, key)
              : Finding.wrong("files.misplaced", where + ", where nothing reads it", advice, key));
    }
  }

  private static boolean concerns(String key) {
    return CONCERNED.stream().anyMatch(key::startsWith);
  }

  /** A value that an earlier file marks as final holds against those of later files. */
  private void overruled(Consumer<Finding> found) {
    overruled(
        files.jobs(), List.of(SiteFile.CORE, SiteFile.HDFS, SiteFile.YARN, SiteFile.MAPRED), found);
    overruled(files.resourceManagers(), List.of(SiteFile.CAPACITY), found);
  }

  private void overruled(Configuration inForce, List<SiteFile> later, Consumer<Finding> found) {
    Set<String> locked = new TreeSet<>(inForce.getFinalParameters());
    locked.removeIf(key -> !concerns(key));
    for (String key : locked) {
      for (SiteFile file : later) {
        String tried = files.alone(file).getRaw(key);
        if (tried != null && !tried.equals(inForce.getRaw(key))) {
          String source = SiteFiles.source(inForce, key).orElse("another file");
          found.accept(
              Finding.wrong(
                  "files.final",
                  String.format(
                      "%s is %s in %s, which marks it as final, so %s in %s does not count",
                      key, inForce.get(key), source, tried.trim(), file.fileName()),
                  "Set it in " + source + " only, or take <final> out there",
                  key));
        }
      }
    }
  }

  /** What is in both files of a ResourceManager with different values. */
  private void twice(Consumer<Finding> found) {
    Map<String, String> yarn = new HashMap<>();
    files.alone(SiteFile.YARN).forEach(entry -> yarn.put(entry.getKey(), entry.getValue().trim()));
    for (Map.Entry<String, String> property : files.alone(SiteFile.CAPACITY)) {
      String key = property.getKey();
      String value = property.getValue().trim();
      boolean isLocked = files.resourceManagers().getFinalParameters().contains(key);
      if (key.startsWith(ClusterSettings.PREFIX)
          && yarn.containsKey(key)
          && !yarn.get(key).equals(value)
          && !isLocked) {
        found.accept(
            Finding.warn(
                "files.twice",
                String.format(
                    "%s is %s in yarn-site.xml and %s in capacity-scheduler.xml, which holds",
                    key, yarn.get(key), value),
                "Take one of them out",
                key));
      }
    }
  }
}
