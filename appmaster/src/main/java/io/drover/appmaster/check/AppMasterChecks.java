// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.appmaster.check.AppMasterChoice.Chosen;
import io.drover.appmaster.check.AppMasterChoice.Origin;
import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.speculator.ShuffleService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** Finds which of several AppMasters runs, and shuffles that work only in another one. */
final class AppMasterChecks {
  private static final String IN_EACH =
      "Drover's restarts and copies work in other AppMasters too: conf/mapred-site.xml";

  private final Configuration conf;
  private final AppMasterChoice choice;

  AppMasterChecks(Configuration conf, AppMasterChoice choice) {
    this.conf = conf;
    this.choice = choice;
  }

  Checks all() {
    return new Checks()
        .add("job.appmaster", this::appMaster)
        .add("job.shuffle-service", this::shuffleService);
  }

  private void appMaster(Consumer<Finding> found) {
    Optional<Chosen> rival = rival();
    if (rival.isPresent()) {
      found.accept(twoAppMasters(rival.get()));
    } else if (choice.appMaster().by() == Origin.OTHER && !choice.speculator().isDrovers()) {
      found.accept(
          Finding.warn(
              "job.appmaster",
              key()
                  + " names "
                  + choice.appMaster().className()
                  + ": jobs run in that AppMaster, neither in Drover's nor in Hadoop's",
              "End it with " + AppMasterChoice.APP_MASTER + ", or take the class out. " + IN_EACH,
              key()));
    }
  }

  /** Returns another class that is named behind the first one, if one of them is Drover's. */
  private Optional<Chosen> rival() {
    return choice.beaten().stream()
        .filter(chosen -> chosen.isDrovers() != choice.isDroversAppMaster())
        .findFirst();
  }

  private Finding twoAppMasters(Chosen rival) {
    Chosen first = choice.appMaster();
    String who =
        first.by() == Origin.DROVER_WHERE_THE_JAR_IS
            ? "jobs run in Drover's on nodes that have "
                + first.jar().orElse("the jar")
                + ", and in the other elsewhere"
            : "Java runs the first, so jobs run in "
                + first.className()
                + " and not in "
                + rival.className();
    return Finding.warn(
        "job.appmaster",
        key() + " names " + first.className() + " before " + rival.className() + ": " + who,
        "Name one of them. " + IN_EACH,
        key());
  }

  /** Returns the key by which the AppMaster is chosen. */
  private String key() {
    String admin = MRJobConfig.MR_AM_ADMIN_COMMAND_OPTS;
    boolean isAdmins = conf.get(admin, "").contains(choice.appMaster().className());
    return isAdmins ? admin : MRJobConfig.MR_AM_COMMAND_OPTS;
  }

  private void shuffleService(Consumer<Finding> found) {
    Optional<ShuffleService> service = ShuffleService.of(conf);
    if (service.isEmpty()) {
      return;
    }
    String needed = service.get().appMaster();
    Optional<Chosen> wrong =
        mayRun().stream().filter(chosen -> !chosen.className().equals(needed)).findFirst();
    if (wrong.isPresent()) {
      String key = service.get().key(conf).orElseThrow();
      found.accept(
          Finding.wrong(
              "job.shuffle-service",
              key
                  + " is "
                  + conf.get(key, "").trim()
                  + ", which works only in "
                  + needed
                  + ": tasks fail in "
                  + wrong.get().className(),
              "Let "
                  + MRJobConfig.MR_AM_COMMAND_OPTS
                  + " end with that class, or leave "
                  + service.get()
                  + "'s classes out. "
                  + IN_EACH,
              key,
              MRJobConfig.MR_AM_COMMAND_OPTS));
    }
  }

  /** Returns the AppMasters that run on some nodes. */
  private List<Chosen> mayRun() {
    List<Chosen> all = new ArrayList<>(List.of(choice.appMaster()));
    if (choice.appMaster().jar().isPresent()) {
      all.add(
          choice.beaten().stream()
              .findFirst()
              .orElse(
                  new Chosen(
                      Origin.HADOOP, MRJobConfig.APPLICATION_MASTER_CLASS, Optional.empty())));
    }
    return all;
  }
}
