// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.drover.cli.web.ClockReading;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the daemons of a cluster have told.
 *
 * @param managers the ResourceManagers that are configured
 * @param toldNodes the NodeManagers that the active ResourceManager knows, by host; empty if it has
 *     not told them, or there is none
 * @param memoryMb the memory of all NodeManagers, MB
 * @param scheduler the class of the scheduler that runs
 * @param status what Drover's scheduler says of itself, if its web services are on
 * @param largestJob the largest job that the JobHistoryServer knows
 * @param unanswered what ResourceManagers that answer have not told, and why
 */
record ClusterAnswers(
    List<Manager> managers,
    Optional<List<Node>> toldNodes,
    OptionalLong memoryMb,
    Optional<String> scheduler,
    Optional<JsonNode> status,
    Optional<HistoryJob> largestJob,
    List<String> unanswered) {
  /** The answers if nobody was asked. */
  static final ClusterAnswers NONE =
      new ClusterAnswers(
          List.of(),
          Optional.empty(),
          OptionalLong.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of());

  /** Copies the lists. */
  ClusterAnswers {
    managers = List.copyOf(managers);
    toldNodes = toldNodes.map(List::copyOf);
    unanswered = List.copyOf(unanswered);
  }

  /** Returns the NodeManagers that are known. */
  List<Node> nodes() {
    return toldNodes.orElse(List.of());
  }

  /**
   * What is known of a daemon's process.
   *
   * @param hadoop its version of Hadoop, if it has told
   * @param java its version of Java, such as 17, if it has told
   * @param clock its clock, if it has answered
   * @param silence why it has not answered; empty if it has
   */
  record Daemon(
      Optional<String> hadoop,
      Optional<String> java,
      Optional<ClockReading> clock,
      Optional<String> silence) {
    static Daemon silent(String why) {
      return new Daemon(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(why));
    }
  }

  /**
   * A ResourceManager.
   *
   * @param address of its web server
   * @param isActive whether it is the active one
   */
  record Manager(String address, boolean isActive, Daemon daemon) {}

  /**
   * A NodeManager.
   *
   * @param host its name, as the ResourceManager knows it
   * @param rack the rack in which the ResourceManager has it
   */
  record Node(String host, String rack, Daemon daemon) {}

  /**
   * A job that has ended.
   *
   * @param tasks its maps and reduces
   */
  record HistoryJob(String id, int tasks) {}
}
