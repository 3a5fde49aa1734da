// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.core.model.TaskKind;
import io.drover.core.text.ForeignText;
import io.drover.testbed.history.AttemptRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Writes attempts and decisions as the time lines of pages draw them. */
public final class AttemptJson {
  private static final int LONGEST_DIAGNOSTICS = 400;

  private AttemptJson() {}

  /**
   * Adds attempts to an array.
   *
   * @param zero the time that counts as 0 on the page
   */
  public static void add(ArrayNode into, List<AttemptRecord> attempts, Instant zero) {
    for (AttemptRecord attempt : attempts) {
      ObjectNode node = into.addObject();
      node.put("id", attempt.id());
      node.put("task", attempt.taskName());
      node.put("kind", attempt.kind() == TaskKind.MAP ? "map" : "reduce");
      node.put("attempt", attempt.attempt());
      node.put("node", attempt.node());
      node.put("start", since(zero, attempt.start()));
      node.put("end", since(zero, attempt.finish()));
      attempt.shuffleFinish().ifPresent(t -> node.put("shuffled", since(zero, t)));
      attempt.sortFinish().ifPresent(t -> node.put("sorted", since(zero, t)));
      node.put("outcome", attempt.outcome().name());
      node.put("role", attempt.role().name());
      node.put("diagnostics", shortened(attempt.diagnostics()));
    }
  }

  /**
   * Returns whether pages show an entry of the decision log, by its type. Reports fill a log and
   * are not shown.
   */
  public static boolean isShown(ObjectNode entry) {
    return switch (entry.path("type").asText()) {
      case "decision", "refused", "settled", "outcome", "clone", "placed" -> true;
      case "silentNodes", "outputMadeAgain", "replicaMade", "replicaFailed", "replicaUsed" -> true;
      default -> false;
    };
  }

  /** Adds to an entry of the decision log the seconds since the page's zero. */
  public static void addTime(ObjectNode entry, Instant zero) {
    entry.put("at", since(zero, Instant.ofEpochMilli(entry.path("time").asLong())));
  }

  /** Returns the seconds from one time to another. */
  public static double since(Instant zero, Instant time) {
    return Duration.between(zero, time).toMillis() / 1000.0;
  }

  /** Cuts off what Hadoop says about an end, so that it fits into a tip. */
  public static String shortened(String text) {
    String plain = text.strip();
    return plain.length() <= LONGEST_DIAGNOSTICS
        ? plain
        : ForeignText.cut(plain, LONGEST_DIAGNOSTICS) + "…";
  }
}
