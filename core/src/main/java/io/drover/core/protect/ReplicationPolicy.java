// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.ProtectSettings.Checks;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Decides whether an output that is on one machine is copied to another:
 *
 * <pre>
 *   replicate if  r * t_redo &gt; t_rep   and as many tokens are left as it has bytes
 *   t_rep = bytes / bandwidth within the rack                    seconds
 *   r     = product of r_m over the machines m that keep it      probability that none can give it
 * </pre>
 *
 * <p>Source: Mantri section 5.3, figure 12 (b) and slide 11; for what t_redo means there see {@link
 * RecomputationTime}. So it copies where many unprotected tasks lie behind an output, where
 * machines are flaky, and where outputs are small. r_m is learnt per machine "over a long period of
 * time"; a machine of which it is not known leaves the output alone. The paper does not say how the
 * r of replicas combine; here as independent ones, since less than 1/20 of the other machines of a
 * rack see the same anomaly (section 4.2). An output may be asked about again when it has a
 * replica: its r is then so much smaller that it hardly ever gets another.
 *
 * <p>Which machine gets the replica is the caller's to say: one of the same rack that does not keep
 * the output, is not suspect ({@link PrecomputePolicy#suspects}) and has the room; a machine of
 * another rack only if none in this one fits, and then the bandwidth to give here is that between
 * the two.
 *
 * <p>It replicates nothing that everybody has read, and never more than the budget has; what finds
 * no tokens is not remembered.
 */
public final class ReplicationPolicy {
  private final Function<String, OptionalDouble> lossOfMachine;

  /**
   * The rule with what is known of the machines.
   *
   * @param lossOfMachine r_m by name, in [0,1]; empty if it is not known
   */
  public ReplicationPolicy(Function<String, OptionalDouble> lossOfMachine) {
    this.lossOfMachine = lossOfMachine;
  }

  /**
   * Decides on one output, and spends the tokens if it is to be replicated.
   *
   * @param bytesPerSecond available to the machine that the replica would go to, above 0; empty if
   *     not known
   * @param budget of the output's job
   * @param now seconds
   */
  public Protection decide(
      KeptOutput output, OptionalDouble bytesPerSecond, ReplicationBudget budget, double now) {
    OptionalDouble loss = lossOfAll(output.machines());
    OptionalDouble copy = replicateSeconds(output.bytes(), bytesPerSecond);
    ProtectionRule rule = rule(output, loss, copy, budget);
    return new Protection(now, output, rule, loss, copy, OptionalInt.empty(), budget.leftBytes());
  }

  private static ProtectionRule rule(
      KeptOutput output, OptionalDouble loss, OptionalDouble copy, ReplicationBudget budget) {
    if (!output.unread()) {
      return ProtectionRule.READ_BY_ALL;
    }
    if (loss.isEmpty()) {
      return ProtectionRule.LOSS_UNKNOWN;
    }
    if (copy.isEmpty()) {
      return ProtectionRule.BANDWIDTH_UNKNOWN;
    }
    if (output.redo().expectedSeconds(loss.getAsDouble()) <= copy.getAsDouble()) {
      return ProtectionRule.REDO_IS_CHEAPER;
    }
    return budget.take(output.bytes()) ? ProtectionRule.REPLICATION_PAYS : ProtectionRule.NO_TOKENS;
  }

  /**
   * The probability that an output is lost on all machines that keep it; use it for the inputs of
   * {@link RecomputationTime} too.
   *
   * @return in [0,1]; empty if it is not known of one of them
   */
  public OptionalDouble lossOfAll(List<String> machines) {
    double all = 1;
    for (String machine : machines) {
      OptionalDouble one = lossOfMachine.apply(machine);
      if (one.isEmpty()) {
        return one;
      }
      all *= Checks.probability(one.getAsDouble());
    }
    return OptionalDouble.of(all);
  }

  private static OptionalDouble replicateSeconds(long bytes, OptionalDouble bytesPerSecond) {
    if (bytesPerSecond.isEmpty()) {
      return bytesPerSecond;
    }
    double rate = bytesPerSecond.getAsDouble();
    if (!(rate > 0)) {
      throw new IllegalArgumentException("bytesPerSecond must be above 0, was " + rate);
    }
    return OptionalDouble.of(bytes / rate);
  }

  /**
   * The output of a finished task, kept on machines' own disks for others to read.
   *
   * @param task whose it is, by the caller's name
   * @param machines that keep it: the one it was made on, and those of its replicas; at least one
   * @param bytes its size, at least 0
   * @param unread whether anybody has still to read any of it
   * @param redo how long it takes to make again; the task's own time in it is the time that it ran
   */
  public record KeptOutput(
      String task, List<String> machines, long bytes, boolean unread, RecomputationTime redo) {
    /** Checks the ranges above. */
    public KeptOutput {
      machines = List.copyOf(machines);
      if (machines.isEmpty()) {
        throw new IllegalArgumentException("an output is kept on a machine at least: " + task);
      }
      if (bytes < 0) {
        throw new IllegalArgumentException("bytes must be at least 0, was " + bytes);
      }
    }
  }
}
