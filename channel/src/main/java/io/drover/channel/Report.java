// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A report of an AppMaster: the content of one call. Whatever it holds is the AppMaster's claim:
 * the ranges have been checked, the truth has not.
 *
 * @param sequence at least 1, and larger than that of every report before it
 * @param job what job it is; at the start, when it has changed and when it was asked for
 * @param outcomes of attempts that have ended since the last report, in their order, at most
 *     {@value #MAX_OUTCOMES}
 * @param lostOutputs since the last report, at most {@value #MAX_LOST} machines
 * @param bandwidths that have been measured anew since the last report, at most {@value #MAX_RACKS}
 *     racks
 * @param machines of which it wants to know the probability of an outlier, at most {@value
 *     #MAX_ASKED}; none for the worst ones
 * @param tableTag of the table that it has; 0 for none
 */
public record Report(
    long sequence,
    Optional<JobStart> job,
    List<AttemptOutcome> outcomes,
    List<LostOutputs> lostOutputs,
    List<RackBandwidth> bandwidths,
    List<String> machines,
    long tableTag) {
  /** Outcomes in one report at most. */
  public static final int MAX_OUTCOMES = 300;

  /** Machines with lost outputs in one report at most. */
  public static final int MAX_LOST = 100;

  /** Racks in one report at most. */
  public static final int MAX_RACKS = 200;

  /** Machines that are asked about at most. */
  public static final int MAX_ASKED = 200;

  /** Bytes of a report at most: what the longest names in the longest lists come to, and a bit. */
  public static final int MAX_BYTES = 256 << 10;

  /** Checks the sizes, and copies. */
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
  }

  /**
   * Outputs of finished maps that could not be fetched any more and had to be made again.
   *
   * @param machine the name of the host they lay on
   * @param outputs how many, 1 to {@value #MAX_OUTPUTS}
   */
  public record LostOutputs(String machine, int outputs) {
    /** Outputs in one message at most. */
    public static final int MAX_OUTPUTS = 10_000_000;

    /** Checks the ranges. */
    public LostOutputs {
      Validation.name("machine", machine);
      Validation.within("outputs", outputs, 1, MAX_OUTPUTS);
    }
  }
}
