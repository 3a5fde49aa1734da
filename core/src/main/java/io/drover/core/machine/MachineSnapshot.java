// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import io.drover.core.machine.MachineStatistics.WindowEvidence;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * {@link MachineStatistics} as plain numbers, to be written and read again. A file may be damaged,
 * so the numbers are checked here and rejected with one clear error.
 *
 * @param version {@link #VERSION}
 * @param estimator the name of the estimator that made the estimates of p_m
 * @param at when the window began in which the snapshot was taken, in seconds
 * @param attempts the number of attempts judged in the cluster, older ones counting less
 * @param outliers how many of the judged attempts were outliers
 * @param outputs the number of outputs kept in the cluster that count for everybody ({@link
 *     OutputAccounts}), older ones counting less, at least 0; like {@code lost} for people and
 *     older versions, because it follows from the machines
 * @param lost how many of these outputs were lost
 * @param machines what is known about each machine
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
  /** The version of the meaning of these fields and of {@link Machine#estimatorState}. */
  public static final int VERSION = 1;

  /**
   * One machine.
   *
   * @param name the name of the machine
   * @param heardAt when the last window with a report about it began, in seconds
   * @param attempts the number of attempts judged there, older ones counting less, at least 0
   * @param outliers how many of the judged attempts were outliers
   * @param outputs the number of outputs kept there that count for everybody, older ones counting
   *     less, at least 0
   * @param lost how many of these outputs were lost
   * @param estimatorState the estimator's figures
   * @param users what each user's jobs have reported against it that counts for everybody: e and x
   *     of {@link UserWeight}; missing in snapshots from before there were such accounts
   * @param own what counts for each user's own jobs: s of {@link UserWeight}, at least 0. It is a
   *     separate field because older versions read two figures for each user and skip fields that
   *     they do not know. For users without an entry, in older snapshots, s is e.
   * @param outputsByUser the outputs that each user's jobs have kept there, and how many of them
   *     were lost; those of trusted users have the empty name. In older snapshots it is missing,
   *     and {@code outputs} and {@code lost} are taken for those of trusted users
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
      Map<String, Double> own,
      Map<String, List<Double>> outputsByUser) {
    /** Checks the ranges above. */
    public Machine {
      if (name == null || name.isEmpty() || estimatorState == null || hasNull(estimatorState)) {
        throw new IllegalArgumentException("a machine lacks its name or state: " + name);
      }
      checkTime(heardAt);
      checkShare(name + ": outliers", outliers, "attempts", attempts);
      checkShare(name + ": lost", lost, "outputs", outputs);
      estimatorState = List.copyOf(estimatorState);
      users = users == null ? Map.of() : new TreeMap<>(users);
      own = own == null ? Map.of() : new TreeMap<>(own);
      outputsByUser =
          outputsByUser == null
              ? Map.of(WindowEvidence.TRUSTED, List.of(outputs, lost))
              : new TreeMap<>(outputsByUser);
      outputsByUser.forEach(
          (user, figures) -> {
            if (figures == null || figures.size() != 2 || hasNull(figures)) {
              throw new IllegalArgumentException(
                  name + ": the outputs of a user must be two numbers, were " + figures);
            }
            checkShare(name + ": lost", figures.get(1), "outputs", figures.get(0));
          });
    }
  }

  /** Checks the ranges above. */
  public MachineSnapshot {
    if (version != VERSION) {
      throw new IllegalArgumentException("version must be " + VERSION + ", was " + version);
    }
    if (estimator == null || machines == null || hasNull(machines)) {
      throw new IllegalArgumentException("estimator and machines must not be null");
    }
    checkTime(at);
    checkShare("outliers", outliers, "attempts", attempts);
    checkShare("lost", lost, "outputs", outputs);
    machines = List.copyOf(machines);
  }

  /** Replaces {@code contains(null)}, which throws in an immutable list. */
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
          part + " must lie between 0 and " + whole + " (" + many + "), was " + few);
    }
  }
}
