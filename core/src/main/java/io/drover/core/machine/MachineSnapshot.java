// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * {@link MachineStatistics} as plain numbers, to be written down and read again. What is read may
 * have been damaged; it is checked here, and refused with one clear error.
 *
 * @param version {@link #VERSION}
 * @param estimator the name of the way to estimate p_m, whose estimates these are
 * @param at seconds, when the window began in which it was taken
 * @param attempts judged in the cluster, older ones counting less, at least 0
 * @param outliers of those
 * @param outputs kept in the cluster, older ones counting less, at least 0
 * @param lost of those
 * @param machines what is known of each
 */
public record MachineSnapshot(
    int version,
    String estimator,
    double at,
    double attempts,
    double outliers,
    double outputs,
    double lost,
    List<Machine> machines) {
  /** Of the meaning of these fields, and of {@link Machine#estimatorState}. */
  public static final int VERSION = 1;

  /**
   * One machine.
   *
   * @param name of it
   * @param heardAt seconds, the beginning of the last window in which it was heard of
   * @param attempts judged there, older ones counting less, at least 0
   * @param outliers of those
   * @param outputs kept there, older ones counting less, at least 0
   * @param lost of those
   * @param estimatorState the estimator's figures
   * @param users what counts for everybody of what each user's jobs have said against it: e and x
   *     of {@link UserWeight}; a snapshot that was written before there were any has none
   * @param own what counts for the users' own jobs: s of {@link UserWeight}, at least 0. A field of
   *     its own, since older versions read two figures a user and pass over fields that they do not
   *     know; whom their snapshots do not name here has said e.
   */
  public record Machine(
      String name,
      double heardAt,
      double attempts,
      double outliers,
      double outputs,
      double lost,
      List<Double> estimatorState,
      Map<String, List<Double>> users,
      Map<String, Double> own) {
    /** Checks the ranges above. */
    public Machine {
      if (name == null || name.isEmpty() || estimatorState == null || hasNull(estimatorState)) {
        throw new IllegalArgumentException("a machine needs a name and figures, was " + name);
      }
      checkTime(heardAt);
      checkShare(name + ": outliers", outliers, "attempts", attempts);
      checkShare(name + ": lost", lost, "outputs", outputs);
      estimatorState = List.copyOf(estimatorState);
      users = users == null ? Map.of() : new TreeMap<>(users);
      own = own == null ? Map.of() : new TreeMap<>(own);
    }
  }

  /** Checks the ranges above. */
  public MachineSnapshot {
    if (version != VERSION) {
      throw new IllegalArgumentException("version must be " + VERSION + ", was " + version);
    }
    if (estimator == null || machines == null || hasNull(machines)) {
      throw new IllegalArgumentException("estimator and machines must be there");
    }
    checkTime(at);
    checkShare("outliers", outliers, "attempts", attempts);
    checkShare("lost", lost, "outputs", outputs);
    machines = List.copyOf(machines);
  }

  /** {@link List#contains} of an immutable list throws. */
  private static boolean hasNull(List<?> list) {
    return list.stream().anyMatch(Objects::isNull);
  }

  private static void checkTime(double seconds) {
    if (!Double.isFinite(seconds)) {
      throw new IllegalArgumentException("a time must be a number of seconds, was " + seconds);
    }
  }

  private static void checkShare(String part, double few, String whole, double many) {
    if (!(few >= 0 && few <= many && many < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          part + " must lie between 0 and " + whole + ", " + many + ", was " + few);
    }
  }
}
