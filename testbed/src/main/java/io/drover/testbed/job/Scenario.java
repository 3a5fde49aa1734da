// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.fault.FaultKind;
import io.drover.testbed.fault.FaultPlan;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What goes wrong in a demo job. All of it happens outside the code under test. */
public enum Scenario {
  /** Nothing. */
  NONE("nothing goes wrong"),
  /** Every task on one node runs at an eighth of its rate, maps and reduces alike. */
  SLOW_NODE("every task on one node runs at 1/8 of its rate"),
  /** Attempt 0 of one map task runs at an eighth of its rate, on any node. */
  SLOW_ATTEMPT("the first attempt of one map runs at 1/8 of its rate"),
  /** Attempt 0 of one map task stops its own process at 30 %: no progress, no ping, nothing. */
  SILENT_ATTEMPT("the first attempt of one map freezes at 30 % and falls silent"),
  /** Attempt 0 of one map task stops making progress at 90 %, while its pings go on. */
  STALL_90("the first attempt of one map stalls at 90 % but still reports that it is alive"),
  /** One split holds six times the data: slow for a good reason, a copy cannot help. */
  SKEW("one split holds 6 times the data"),
  /** One map has 12 times the work of others on as many bytes, whichever attempt does it. */
  LONG_TASK("one map has 12 times the work of the others, on as many bytes"),
  /** A node dies, NodeManager and tasks, when the first map on it has passed 40 %. */
  NODE_DEATH("one node dies while its maps are past 40 %"),
  /** One host gets a twentieth of a core: its processes start, and hardly get on. */
  STARVED_HOST("one host has 5 % of a core"),
  /**
   * The tasks that run on one host are stopped for good, five seconds after the first map began.
   */
  STOPPED_TASKS("the tasks on one host are stopped for good 5 s after the first map began"),
  /** All tasks on one host are stopped nine tenths of each second. */
  PAUSING_TASKS("the tasks on one host are stopped 90 % of the time"),
  /** One host's link carries little, both ways. */
  SLOW_HOST_LINK("the link of one host carries 4 Mbit/s"),
  /** One rack's uplink carries little, both ways. */
  SLOW_UPLINK("the uplink of one rack carries 10 Mbit/s"),
  /** When the maps are done, nothing more is heard of one host, and it hears of nobody. */
  CUT_HOST("the link of one host is cut when all maps are done"),
  /** The same with a rack. */
  CUT_RACK("the uplink of one rack is cut for 60 s when all maps are done"),
  /** When the maps are done, one NodeManager dies, which was to serve their outputs. */
  NM_DEATH("the NodeManager of one host is killed when all maps are done"),
  /** The same with the whole host. */
  HOST_DEATH("one host dies when all maps are done"),
  /** Map outputs are missing where they are to be fetched. */
  LOST_OUTPUTS("three map outputs are deleted when all maps are done"),
  /**
   * A NodeManager of which the cluster knows that it loses outputs dies when the maps are done. One
   * split holds six times the data, and no reduce begins before its map ends: there is time to
   * replicate what the NodeManager was to serve.
   */
  FLAKY_NM_DEATH(
      "the NodeManager of a host that often loses outputs is killed when all maps are done"),
  /** The same, with map outputs that are missing. */
  FLAKY_OUTPUTS("map outputs of a host that often loses them are deleted when all maps are done"),
  /** Nothing can be written to the local disk of one host, from the middle of the maps on. */
  FULL_DISK("the local disk of one host is full, from half of the maps on"),
  /** The clock of one host is wrong, by more than a task takes. */
  WRONG_CLOCK("the clock of one host is 90 s ahead"),
  /** What the user says. */
  FAULTS("what --fault says"),
  /** Many small jobs, one after another; in each, attempt 0 of one task runs at an eighth. */
  SMALL_JOBS("small jobs; in each, the first attempt of one task runs at 1/8 of its rate"),
  /** Nothing goes wrong, but of three racks one holds 70 % of the data, and one only 10 %. */
  PLACEMENT("three racks hold 70, 20 and 10 % of the reduces' input"),
  /** Nothing goes wrong, but small jobs, with clones under Drover, run when the job starts. */
  CEILING("small cloned jobs, followed by a big ordinary job"),
  /**
   * Nothing goes wrong. The job needs any K of its N blocks, and another application holds slots.
   */
  SAMPLING(
      "the job needs any K of its N blocks; another application holds half or more of the slots"),
  /** Many small jobs, a few at once. Some are of a program that always fails late. */
  FAILING_JOBS("a stream of 40 small jobs; two in five are of a program that always fails late");

  private final String title;

  Scenario(String title) {
    this.title = title;
  }

  /** Returns what goes wrong with hosts and racks, unless the job itself or its user says so. */
  public List<FaultPlan> faults() {
    return switch (this) {
      case STARVED_HOST -> List.of(FaultPlan.of(FaultKind.STARVED_HOST));
      case STOPPED_TASKS ->
          List.of(FaultPlan.of(FaultKind.STOPPED_TASKS).afterFirstMap(Duration.ofSeconds(5)));
      case PAUSING_TASKS ->
          List.of(FaultPlan.of(FaultKind.PAUSING_TASKS).afterFirstMap(Duration.ZERO));
      case SLOW_HOST_LINK -> List.of(FaultPlan.of(FaultKind.SLOW_HOST_LINK));
      case SLOW_UPLINK -> List.of(FaultPlan.of(FaultKind.SLOW_UPLINK));
      case CUT_HOST -> List.of(FaultPlan.of(FaultKind.CUT_HOST).atMaps(1));
      case CUT_RACK ->
          List.of(FaultPlan.of(FaultKind.CUT_RACK).atMaps(1).lasting(Duration.ofSeconds(60)));
      case NM_DEATH, FLAKY_NM_DEATH -> List.of(FaultPlan.of(FaultKind.NM_DEATH).atMaps(1));
      case HOST_DEATH -> List.of(FaultPlan.of(FaultKind.HOST_DEATH).atMaps(1));
      case FULL_DISK -> List.of(FaultPlan.of(FaultKind.FULL_DISK).atMaps(0.5));
      case WRONG_CLOCK -> List.of(FaultPlan.of(FaultKind.WRONG_CLOCK));
      case LOST_OUTPUTS, FLAKY_OUTPUTS -> List.of(FaultPlan.of(FaultKind.LOST_OUTPUTS).atMaps(1));
      default -> List.of();
    };
  }

  /** Returns whether the fault is in the job's own tasks, which have to be paced for it. */
  public boolean isInTasks() {
    return switch (this) {
      case SLOW_NODE, SLOW_ATTEMPT, SILENT_ATTEMPT, STALL_90, SKEW, LONG_TASK, SMALL_JOBS -> true;
      default -> false;
    };
  }

  /** Returns whether the cluster knows that the host with the fault loses outputs. */
  public boolean isOfFlakyHost() {
    return this == FLAKY_NM_DEATH || this == FLAKY_OUTPUTS;
  }

  /** Returns one line for people. */
  public String title() {
    return title;
  }

  /** Returns the name as typed on a command line and carried in the job configuration. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the scenario of a key.
   *
   * @throws IllegalArgumentException if there is none; the message lists all keys
   */
  public static Scenario ofKey(String key) {
    for (Scenario scenario : values()) {
      if (scenario.key().equals(key)) {
        return scenario;
      }
    }
    throw new IllegalArgumentException(
        "no scenario '"
            + key
            + "'; the scenarios are "
            + Arrays.stream(values()).map(Scenario::key).collect(Collectors.joining(", ")));
  }
}
