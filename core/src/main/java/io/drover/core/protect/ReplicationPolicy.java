// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.ProtectSettings.Checks;
import io.drover.core.protect.Protection.Figure;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Decides whether to copy an output that is on one machine to another:
 *
 * <pre>
 *   replicate if  r * t_redo &gt; t_rep   and as many tokens are left as it has bytes
 *   t_rep = bytes / bandwidth within the rack                    seconds
 *   r     = product of r_m over the machines m that keep it      probability that none can serve it
 * </pre>
 *
 * <p>Source: Mantri section 5.3, figure 12 (b) and slide 11; see {@link RecomputationTime} for the
 * meaning of t_redo there. So it copies small outputs, outputs on flaky machines, and outputs with
 * many unprotected tasks behind them. r_m is learnt per machine "over a long period of time"; if it
 * is not known for a machine, the output is left alone. The paper does not say how to combine the r
 * of replicas. Here they count as independent, because less than 1/20 of the other machines of a
 * rack see the same anomaly (section 4.2). The caller may ask again about an output with a replica,
 * but r is then so much smaller that it hardly ever gets another one.
 *
 * <p>The caller chooses the machine of the replica: one in the same rack that does not keep the
 * output, is not suspect ({@link PrecomputePolicy#suspects}) and has room. If no machine in this
 * rack fits, it may be in another rack, and the bandwidth to pass is the one between the two racks.
 *
 * <p>The policy never replicates an output that all readers have read, and never exceeds the
 * budget. An output that finds no tokens is not remembered.
 */
public final class ReplicationPolicy {
  private final Function<String, OptionalDouble> lossOfMachine;

  /**
   * Creates the rule with the loss probabilities of the machines.
   *
   * @param lossOfMachine r_m by name, in [0,1]; empty if it is not known
   */
  public ReplicationPolicy(Function<String, OptionalDouble> lossOfMachine) {
    this.lossOfMachine = lossOfMachine;
  }

  /**
   * Decides about one output, and spends the tokens if it is to be replicated.
   *
   * @param bytesPerSecond bandwidth to the machine of the replica, above 0; empty if not known
   * @param budget the budget of the output's job
   * @param now seconds
   */
  public Protection decide(
      KeptOutput output, OptionalDouble bytesPerSecond, ReplicationBudget budget, double now) {
    OptionalDouble loss = lossOfAll(output.machines());
    OptionalDouble copy = replicateSeconds(output.bytes(), bytesPerSecond);
    ProtectionRule rule = rule(output, loss, copy, budget);
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    loss.ifPresent(r -> figures.put(Figure.LOSS, r));
    copy.ifPresent(seconds -> figures.put(Figure.REPLICATE_SECONDS, seconds));
    return new Protection(now, output, rule, figures, budget.leftBytes());
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
   * Returns what a replica of an output is expected to save beyond what it takes to make: {@code r
   * t_redo - t_rep}. So outputs can be compared without spending tokens, and without naming each:
   * there may be very many.
   *
   * @param machines as in {@link KeptOutput}, and so are bytes and redo
   * @param bytesPerSecond as in {@link #decide}
   * @return seconds; negative if it does not pay, also if that is not known
   */
  public double gainSeconds(
      List<String> machines, long bytes, RecomputationTime redo, OptionalDouble bytesPerSecond) {
    OptionalDouble loss = lossOfAll(machines);
    OptionalDouble copy = replicateSeconds(bytes, bytesPerSecond);
    return loss.isEmpty() || copy.isEmpty()
        ? -1
        : redo.expectedSeconds(loss.getAsDouble()) - copy.getAsDouble();
  }

  /**
   * Returns the probability that an output is lost on all machines that keep it. Use it for the
   * inputs of {@link RecomputationTime} too.
   *
   * @return in [0,1]; empty if it is not known for one of them
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
   * @param task the caller's name for the task
   * @param machines the machines that keep the output or a replica of it; at least one
   * @param bytes its size, at least 0
   * @param unread whether any reader still has to read any of it
   * @param redo how long it takes to make again; its own time is the time that the task ran
   */
  public record KeptOutput(
      String task, List<String> machines, long bytes, boolean unread, RecomputationTime redo) {
    /** Checks the ranges above. */
    public KeptOutput {
      machines = List.copyOf(machines);
      if (machines.isEmpty()) {
        throw new IllegalArgumentException("an output must be on at least one machine: " + task);
      }
      if (bytes < 0) {
        throw new IllegalArgumentException("bytes must be at least 0, was " + bytes);
      }
    }
  }
}
