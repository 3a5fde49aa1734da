// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.drover.cli.doctor.ClusterAnswers.Daemon;
import io.drover.cli.doctor.ClusterAnswers.Manager;
import io.drover.cli.doctor.ClusterAnswers.Node;
import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.ChannelSettings;
import io.drover.scheduler.check.SchedulerChecks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Checks who answers, and the versions of Hadoop and Java of those who do. */
final class ClusterChecks {
  private static final int NAMED = 5;
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)(?:\\.(\\d+))?.*");
  private static final int OLDEST = version(3, 4, 1);
  private static final int TOO_NEW = version(3, 6, 0);
  private static final List<String> JAVAS = List.of("17", "21");
  private static final int OLDEST_JAVA = 17;

  /** The schedulers whose queues are those of capacity-scheduler.xml. */
  private static final Set<String> OF_CAPACITY_QUEUES =
      Set.of(YarnConfiguration.DEFAULT_RM_SCHEDULER, SchedulerChecks.SCHEDULER);

  private final SiteFiles files;
  private final ClusterAnswers answers;
  private final String javaHere;

  /**
   * Creates the checks.
   *
   * @param javaHere the version of Java on this machine, such as 17
   */
  ClusterChecks(SiteFiles files, ClusterAnswers answers, String javaHere) {
    this.files = files;
    this.answers = answers;
    this.javaHere = javaHere;
  }

  Checks all() {
    return new Checks()
        .add("cluster.answers", this::whoAnswers)
        .add("cluster.hadoop", this::hadoop)
        .add("cluster.java", this::java)
        .add("cluster.scheduler", this::scheduler)
        .add("cluster.drover", this::drover);
  }

  private static int version(int major, int minor, int patch) {
    return (major * 1000 + minor) * 1000 + patch;
  }

  private void whoAnswers(Consumer<Finding> found) {
    for (Manager manager : answers.managers()) {
      manager.daemon().silence().ifPresent(why -> found.accept(silent(manager, why)));
    }
    if (!answers.unanswered().isEmpty()) {
      found.accept(
          Finding.warn(
              "cluster.unanswered",
              "not told: " + some(answers.unanswered().stream()),
              "Let this user read these pages (kinit, hadoop.http.authentication.*,"
                  + " hadoop.security.instrumentation.requires.admin)"));
    }
    List<Node> silent =
        answers.nodes().stream().filter(node -> node.daemon().silence().isPresent()).toList();
    if (!silent.isEmpty()) {
      found.accept(
          Finding.warn(
              "cluster.nodes-silent",
              silent.size()
                  + " of "
                  + answers.nodes().size()
                  + " NodeManagers do not answer at their web addresses: "
                  + some(silent.stream().map(node -> node.daemon().silence().orElseThrow())),
              "Open their ports to this machine, or run this where they are open. The Java and the"
                  + " clocks of these are not known"));
    }
    if (answers.managers().stream().anyMatch(Manager::isActive)) {
      found.accept(
          Finding.ok(
              "cluster.answers",
              "The ResourceManager answers and "
                  + answers
                      .toldNodes()
                      .map(nodes -> "has " + nodes.size() + " NodeManagers")
                      .orElse("did not tell its NodeManagers")));
    }
  }

  private static Finding silent(Manager manager, String why) {
    return manager.address().startsWith("0.0.0.0:")
        ? Finding.ok(
            "cluster.not-asked",
            "No ResourceManager is configured here, and none answers on this machine",
            YarnConfiguration.RM_HOSTNAME)
        : Finding.warn(
            "cluster.manager-silent",
            "the ResourceManager at " + manager.address() + " does not answer: " + why,
            "Start it, or correct the address. Without an active one versions, clocks and racks are"
                + " not checked",
            YarnConfiguration.RM_WEBAPP_ADDRESS);
  }

  /** Returns the first of some names, and how many more there are. */
  static String some(Stream<String> all) {
    List<String> names = all.toList();
    String first = names.stream().limit(NAMED).collect(Collectors.joining(", "));
    return names.size() <= NAMED ? first : first + " and " + (names.size() - NAMED) + " more";
  }

  /** Returns all daemons by their names. */
  private Map<String, Daemon> daemons() {
    Map<String, Daemon> daemons = new LinkedHashMap<>();
    answers
        .managers()
        .forEach(m -> daemons.put("the ResourceManager at " + m.address(), m.daemon()));
    answers
        .nodes()
        .forEach(node -> daemons.put("the NodeManager on " + node.host(), node.daemon()));
    return daemons;
  }

  /** Returns the names of the daemons by what they say; those that say nothing are left out. */
  private Map<String, List<String>> by(Function<Daemon, Optional<String>> what) {
    Map<String, List<String>> by = new TreeMap<>();
    daemons()
        .forEach(
            (name, daemon) ->
                what.apply(daemon)
                    .ifPresent(said -> by.computeIfAbsent(said, s -> new ArrayList<>()).add(name)));
    return by;
  }

  private void hadoop(Consumer<Finding> found) {
    Map<String, List<String>> versions = by(Daemon::hadoop);
    versions.forEach((version, names) -> supported(version, names).ifPresent(found));
    if (versions.size() > 1) {
      found.accept(mixed("cluster.mixed-hadoop", "Hadoop", versions));
    } else if (!versions.isEmpty()) {
      found.accept(
          Finding.ok("cluster.hadoop", "All run Hadoop " + versions.keySet().iterator().next()));
    }
  }

  private static Optional<Finding> supported(String version, List<String> names) {
    Matcher parts = VERSION.matcher(version);
    if (!parts.matches()) {
      return Optional.empty(); // a build of somebody's own
    }
    String patch = parts.group(3) == null ? "0" : parts.group(3);
    int number =
        version(
            Integer.parseInt(parts.group(1)),
            Integer.parseInt(parts.group(2)),
            Integer.parseInt(patch));
    String who = some(names.stream());
    if (number < OLDEST) {
      return Optional.of(
          Finding.wrong(
              "cluster.hadoop",
              who + ": Hadoop " + version + " is older than 3.4.1, the first that Drover supports",
              "Upgrade Hadoop there before Drover is switched on"));
    }
    return number < TOO_NEW
        ? Optional.empty()
        : Optional.of(
            Finding.warn(
                "cluster.hadoop",
                who + ": Hadoop " + version + " is newer than 3.5, the last that Drover supports",
                "Look for a version of Drover that supports it, or set its modes to observe first"));
  }

  private static Finding mixed(String check, String what, Map<String, List<String>> versions) {
    String most =
        versions.entrySet().stream()
            .max(Map.Entry.comparingByValue((a, b) -> Integer.compare(a.size(), b.size())))
            .orElseThrow()
            .getKey();
    String others =
        versions.entrySet().stream()
            .filter(entry -> !entry.getKey().equals(most))
            .map(entry -> what + " " + entry.getKey() + " is on " + some(entry.getValue().stream()))
            .collect(Collectors.joining("; "));
    return Finding.warn(
        check,
        "most run " + what + " " + most + ", but " + others,
        "Finish the upgrade; docs/rolling-out.md says what happens meanwhile");
  }

  private void java(Consumer<Finding> found) {
    Map<String, List<String>> versions = by(Daemon::java);
    versions.forEach((version, names) -> supportedJava(version, some(names.stream()), found));
    if (versions.size() > 1) {
      found.accept(mixed("cluster.mixed-java", "Java", versions));
    } else if (!versions.isEmpty()) {
      found.accept(
          Finding.ok("cluster.java", "All run Java " + versions.keySet().iterator().next()));
    }
    found.accept(Finding.ok("cluster.java", "This machine runs Java " + javaHere));
    supportedJava(javaHere, "this machine", found);
    List<String> untold = new ArrayList<>();
    daemons()
        .forEach(
            (name, daemon) -> {
              if (daemon.java().isEmpty() && daemon.clock().isPresent()) {
                untold.add(name);
              }
            });
    if (!untold.isEmpty()) {
      found.accept(
          Finding.ok(
              "cluster.java",
              "The Java of some daemons is not known, as their /jmx does not tell it: "
                  + some(untold.stream())));
    }
  }

  private static void supportedJava(String version, String who, Consumer<Finding> found) {
    if (JAVAS.contains(version)) {
      return; // which is told of all together
    }
    boolean isTooOld =
        version.startsWith("1.")
            || (version.matches("\\d{1,3}") && Integer.parseInt(version) < OLDEST_JAVA);
    found.accept(
        isTooOld
            ? Finding.wrong(
                "cluster.java",
                who + ": Java " + version + " cannot load Drover's jar, which needs 17 or 21",
                "Install JDK 17 there and set JAVA_HOME, before the jar is put there")
            : Finding.warn(
                "cluster.java",
                who + ": Java " + version + " has not been tested with Drover",
                "Use JDK 17 or 21"));
  }

  /** What a ResourceManager runs is what its file said when it started. */
  private void scheduler(Consumer<Finding> found) {
    String key = YarnConfiguration.RM_SCHEDULER;
    boolean isSetHere = files.source(key).isPresent();
    String here = files.resourceManagers().getTrimmed(key, "");
    Optional<String> other = answers.scheduler().filter(runs -> !OF_CAPACITY_QUEUES.contains(runs));
    boolean isToBeReplaced = isSetHere && here.equals(SchedulerChecks.SCHEDULER);
    other.ifPresent(runs -> found.accept(otherQueues(runs, isToBeReplaced)));
    if (other.isPresent() && isToBeReplaced) {
      return;
    }
    if (answers.scheduler().filter(runs -> isSetHere && !runs.equals(here)).isPresent()) {
      found.accept(
          Finding.wrong(
              "cluster.scheduler",
              key
                  + " is "
                  + here
                  + ", and the ResourceManager runs "
                  + answers.scheduler().orElseThrow(),
              "Restart it, the standby first, if this is its configuration",
              key));
    }
  }

  /** Hadoop kills what it recovers into queues that the new scheduler does not know. */
  private static Finding otherQueues(String runs, boolean isToBeReplaced) {
    String key = YarnConfiguration.RM_SCHEDULER;
    return isToBeReplaced
        ? Finding.wrong(
            "cluster.queues",
            "the ResourceManager runs "
                + runs
                + ", and "
                + key
                + " is Drover's, which has the queues of CapacityScheduler: after a restart all"
                + " applications in other queues would be killed",
            "Do not restart it. Take the key out again; Drover's AppMaster needs no scheduler of its"
                + " own",
            key)
        : Finding.ok(
            "cluster.queues",
            "The ResourceManager runs "
                + runs
                + ": leave the lines of conf/yarn-site.xml out, which are for CapacityScheduler",
            key);
  }

  private void drover(Consumer<Finding> found) {
    if (answers.status().isEmpty()) {
      return;
    }
    JsonNode status = answers.status().get();
    if (status.hasNonNull("badSettings")) {
      found.accept(
          Finding.wrong(
              "cluster.bad-settings",
              "the ResourceManager refuses its settings: " + status.path("badSettings").asText(),
              "Correct them, and run `yarn rmadmin -refreshQueues` or restart it"));
    }
    List<String> off = new ArrayList<>();
    for (JsonNode part : status.path("errors")) {
      if (part.path("off").asBoolean()) {
        off.add(part.path("part").asText());
      }
    }
    if (!off.isEmpty()) {
      found.accept(
          Finding.warn(
              "cluster.errors",
              "errors have switched parts of Drover's scheduler off for now: "
                  + String.join(", ", off),
              "The ResourceManager's log has one warning with the cause"));
    }
    boolean wantsChannel =
        files.resourceManagers().getPropsWithPrefix(ChannelSettings.ADDRESS.key()).values().stream()
            .anyMatch(address -> !address.isBlank());
    if (wantsChannel
        && status.path("channel").has("on")
        && !status.path("channel").path("on").asBoolean()) {
      found.accept(
          Finding.warn(
              "cluster.channel",
              ChannelSettings.ADDRESS.key()
                  + " is set, and the ResourceManager has not opened the channel",
              "Its log says why; the port may be taken, or it was started before the key was set",
              ChannelSettings.ADDRESS.key()));
    }
  }
}
