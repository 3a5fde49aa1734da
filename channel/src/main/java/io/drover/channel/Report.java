// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A report of an AppMaster: the content of one call. Its contents are the AppMaster's claims: their
 * ranges have been checked, but not whether they are true.
 *
 * @param sequence the report's number, at least 1 and larger than that of every earlier report
 * @param job the description of the job: present at the start, when it has changed, and when the
 *     last answer asked for it
 * @param outcomes the attempts that have ended since the last report, oldest first, at most {@value
 *     #MAX_OUTCOMES}
 * @param lostOutputs the outputs lost since the last report, on at most {@value #MAX_LOST} machines
 * @param bandwidths the bandwidths measured since the last report, of at most {@value #MAX_RACKS}
 *     racks
 * @param machines the machines whose outlier probability it asks for, at most {@value #MAX_ASKED};
 *     empty for the worst machines
 * @param tableTag the tag of the table that it has; 0 if it has none
 * @param secondAttempts how long second attempts (clones and copies) ran that have ended since the
 *     last report, together; at most {@link #MAX_SECOND_ATTEMPTS}
 * @param actions what Drover's actions have come to since this attempt of the application began, so
 *     that a report that gets lost costs nothing; without kinds of which there were none. At most
 *     {@value #MAX_ACTIONS} actions of a kind, and {@link #MAX_SECOND_ATTEMPTS} wasted or saved
 */
public record Report(
    long sequence,
    Optional<JobStart> job,
    List<AttemptOutcome> outcomes,
    List<LostOutputs> lostOutputs,
    List<RackBandwidth> bandwidths,
    List<String> machines,
    long tableTag,
    Duration secondAttempts,
    Map<ActionKind, ActionTotals> actions) {
  /** The maximum number of outcomes in one report. */
  public static final int MAX_OUTCOMES = 300;

  /** The maximum number of machines with lost outputs in one report. */
  public static final int MAX_LOST = 100;

  /** The maximum number of racks in one report. */
  public static final int MAX_RACKS = 200;

  /** The maximum number of machines that one report asks about. */
  public static final int MAX_ASKED = 200;

  /** The longest time of second attempts in one report. */
  public static final Duration MAX_SECOND_ATTEMPTS = Duration.ofDays(36_500);

  /** The maximum number of actions of a kind. */
  public static final long MAX_ACTIONS = 10_000_000;

  /** The maximum size of a report, bytes. The longest lists of the longest names fit. */
  public static final int MAX_BYTES = 256 << 10;

  /** Checks the sizes and copies the lists. */
  public Report {
    Validation.within("sequence", sequence, 1, Long.MAX_VALUE);
    Objects.requireNonNull(job);
    outcomes = Validation.atMost("outcomes", outcomes, MAX_OUTCOMES);
    lostOutputs = Validation.atMost("lostOutputs", lostOutputs, MAX_LOST);
    bandwidths = Validation.atMost("bandwidths", bandwidths, MAX_RACKS);
    machines = Validation.atMost("machines", machines, MAX_ASKED);
    for (String machine : machines) {
      Validation.name("machines", machine);
    }
    Validation.within("secondAttempts", secondAttempts, MAX_SECOND_ATTEMPTS);
    actions = Map.copyOf(actions);
    actions.forEach(Report::check);
  }

  /** A figure of the sums of actions, and the most that a report may say. */
  private record Bound(String figure, long value, long most) {}

  private static List<Bound> bounds(ActionTotals sums) {
    long longest = MAX_SECOND_ATTEMPTS.toMillis();
    return List.of(
        new Bound("launched", sums.launched(), MAX_ACTIONS),
        new Bound("won", sums.won(), sums.launched()),
        new Bound("lost", sums.lost(), sums.launched() - sums.won()),
        new Bound("wastedMillis", sums.wastedMillis(), longest),
        new Bound("savedMillis", sums.savedMillis(), longest));
  }

  private static void check(ActionKind kind, ActionTotals sums) {
    for (Bound bound : bounds(sums)) {
      String what = "actions of kind " + kind + ": " + bound.figure;
      Validation.within(what, bound.value, 0, bound.most);
    }
  }

  /** Returns whether a report may carry sums of actions. */
  static boolean mayCarry(ActionTotals sums) {
    return bounds(sums).stream().allMatch(bound -> bound.value <= bound.most);
  }

  /** Creates a report of a job in which there were neither second attempts nor actions. */
  public Report(
      long sequence,
      Optional<JobStart> job,
      List<AttemptOutcome> outcomes,
      List<LostOutputs> lostOutputs,
      List<RackBandwidth> bandwidths,
      List<String> machines,
      long tableTag) {
    this(
        sequence,
        job,
        outcomes,
        lostOutputs,
        bandwidths,
        machines,
        tableTag,
        Duration.ZERO,
        Map.of());
  }

  /**
   * Map outputs that could no longer be fetched, so that the maps had to run again.
   *
   * @param machine the name of the host that had the outputs
   * @param outputs the number of outputs, 1 to {@value #MAX_OUTPUTS}
   */
  public record LostOutputs(String machine, int outputs) {
    /** The maximum number of outputs in one message. */
    public static final int MAX_OUTPUTS = 10_000_000;

    /** Checks the ranges. */
    public LostOutputs {
      Validation.name("machine", machine);
      Validation.within("outputs", outputs, 1, MAX_OUTPUTS);
    }
  }
}
