// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import io.drover.simulator.world.Losses.LossSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Models lost outputs by the recomputations that Mantri reports for a Bing cluster, and also
 * machines that fail and attempts that are evicted.
 *
 * <pre>
 *   spells              mean 0.45 per machine and day; each exponential, mean 5 minutes
 *   bad machines        5 %, with half of all losses: 10 times the mean, others 0.53 times
 *   in a spell          each output on the machine is lost with probability 0.93
 *   outside             outputs are lost one by one, at a rate by which 0.76 / 0.93 = 82 % of all
 *                       losses happen in spells
 * </pre>
 *
 * <p>Published (all in Mantri): half of the recomputations happen on 5 % of the machines, and they
 * cluster by machine (section 4.2). 99 % of the phases have none (section 4.1). Once a machine has
 * lost one output, another one that it keeps turns out to be lost in 76 % of the cases, and once it
 * has lost two, in 93 % (section 6.5, the shares of pre-computations that were needed). To get both
 * figures, let a loss belong to a spell with probability w, let a spell take each other output with
 * probability a, and let all other losses be single ones: {@code w a = 0.76} and {@code w a^2 =
 * 0.76 * 0.93}. Machines of a rack are independent: "rarely does an entire rack of servers
 * experience the same anomaly".
 *
 * <p>Chosen: the number of spells, so that about 1 % of the phases of the default workload have
 * recomputations if nothing is done about them (measured: 0.4 to 1.2 %, with seeds 1 to 6). It is
 * not calibrated for other workloads and clusters. Also chosen: exponential gaps and lengths, and
 * the mean length, which is the window in which Drover counts recomputations (slide 12 only says
 * "until the problem is fixed"). A failed machine is down for 10 minutes on average, exponentially
 * distributed; no paper gives a figure. An eviction happens at any share of an attempt's work with
 * equal probability.
 *
 * <p>Departures: a lost output stays lost, although in the paper data sometimes came back. Losses
 * do not depend on the load of the machine (section 4.2: resource use is 20 % higher). Bad machines
 * stay bad (in the paper: "steady over days but varies over weeks").
 */
public final class ModelledLosses implements Losses {
  private static final double DAY = 86_400;
  private static final double BAD_MACHINES = 0.05;
  private static final double LOSSES_OF_BAD_MACHINES = 0.5;
  private static final double LOST_AFTER_ONE = 0.76;
  private static final double LOST_AFTER_TWO = 0.93;
  private static final double LOSSES_IN_SPELLS = LOST_AFTER_ONE / LOST_AFTER_TWO;
  private static final double SPELLS_PER_DAY = 0.45;
  private static final double SPELL_SECONDS = 300;
  private static final double DOWN_SECONDS = 600;

  private static final int OF_MACHINE = 11;
  private static final int OF_SPELLS = 12;
  private static final int OF_OUTPUT = 13;
  private static final int OF_FAILURES = 14;
  private static final int OF_ATTEMPT = 15;

  private final LossSettings settings;
  private final long seed;

  ModelledLosses(LossSettings settings, long seed) {
    this.settings = settings;
    this.seed = seed;
  }

  @Override
  public boolean concernOutputs() {
    return settings.published() || settings.failuresPerDay() > 0;
  }

  @Override
  public double lostAt(long phase, int task, int attempt, int machine, double keptSince) {
    double lost = failsAfter(machine, keptSince);
    if (!settings.published()) {
      return lost;
    }
    long output = Draws.key(seed, OF_OUTPUT, phase, task, attempt, machine);
    double alone = Draws.exponential(Chance.mix(output, 0), 1 / lossesAlonePerSecond(machine));
    lost = Math.min(lost, keptSince + alone);
    for (FaultInterval spell = firstSpell(machine); spell.begin() < lost; spell = spell.next()) {
      double chance = Chance.uniform(Chance.mix(output, 1 + spell.number()));
      if (spell.end() > keptSince && chance < LOST_AFTER_TWO) {
        return Math.max(keptSince, spell.begin());
      }
    }
    return lost;
  }

  private FaultInterval firstSpell(int machine) {
    long row = Draws.key(seed, OF_SPELLS, machine);
    return FaultInterval.first(row, 1 / spellsPerSecond(machine), SPELL_SECONDS);
  }

  /** Returns whether a machine is one of the few that have half of all losses. */
  boolean isBad(int machine) {
    return Chance.uniform(Draws.key(seed, OF_MACHINE, machine)) < BAD_MACHINES;
  }

  private double spellsPerSecond(int machine) {
    double timesTheMean =
        isBad(machine)
            ? LOSSES_OF_BAD_MACHINES / BAD_MACHINES
            : (1 - LOSSES_OF_BAD_MACHINES) / (1 - BAD_MACHINES);
    return timesTheMean * SPELLS_PER_DAY / DAY;
  }

  private double lossesInSpellsPerSecond(int machine) {
    return spellsPerSecond(machine) * LOST_AFTER_TWO;
  }

  private double lossesAlonePerSecond(int machine) {
    return lossesInSpellsPerSecond(machine) * (1 / LOSSES_IN_SPELLS - 1);
  }

  @Override
  public double lossesPerSecond(int machine) {
    double failures = settings.failuresPerDay() / DAY;
    return settings.published()
        ? failures + lossesInSpellsPerSecond(machine) / LOSSES_IN_SPELLS
        : failures;
  }

  @Override
  public double failsAfter(int machine, double after) {
    FaultInterval failure = firstFailure(machine);
    while (failure.begin() <= after) {
      failure = failure.next();
    }
    return failure.begin();
  }

  @Override
  public double isBackAt(int machine, double failedAt) {
    FaultInterval failure = firstFailure(machine);
    while (failure.begin() < failedAt) {
      failure = failure.next();
    }
    return failure.end();
  }

  private FaultInterval firstFailure(int machine) {
    long row = Draws.key(seed, OF_FAILURES, machine);
    return FaultInterval.first(row, DAY / settings.failuresPerDay(), DOWN_SECONDS);
  }

  @Override
  public double evictedAfter(long phase, int task, int attempt) {
    if (settings.evictedShare() == 0) {
      return Double.POSITIVE_INFINITY;
    }
    long key = Draws.key(seed, OF_ATTEMPT, phase, task, attempt);
    boolean evicted = Chance.uniform(Chance.mix(key, 0)) < settings.evictedShare();
    return evicted ? Chance.uniform(Chance.mix(key, 1)) : Double.POSITIVE_INFINITY;
  }

  @Override
  public List<String> provenance() {
    List<String> all = new ArrayList<>();
    all.add(
        settings.published()
            ? "Lost outputs: modelled by Mantri's figures (half of the recomputations are on 5 % of"
                + " the machines, section 4.2; after one loss, another output of the machine is"
                + " lost in 76 % of the cases, after two in 93 %, section 6.5). The rate, "
                + SPELLS_PER_DAY
                + " spells of losses per machine and day, is chosen for 2,000 synthetic jobs on 600"
                + " machines, where 0.4 to 1.2 % of the phases see a recomputation (published: 1 %,"
                + " section 4.1). It is not calibrated for other workloads or clusters. The mean"
                + " length of a spell, "
                + Math.round(SPELL_SECONDS / 60)
                + " minutes, is this model's choice. A reader notices a lost output when it wants"
                + " to read it."
            : "Lost outputs: only those of machines that fail.");
    all.add(
        settings.failuresPerDay() > 0
            ? String.format(
                Locale.ROOT,
                "Machine failures: modelled; %s per machine and day, Poisson. A machine is down for"
                    + " %.0f minutes on average. Failures are noticed at once.",
                settings.failuresPerDay(),
                DOWN_SECONDS / 60)
            : "Machine failures: none.");
    all.add(
        settings.evictedShare() > 0
            ? String.format(
                Locale.ROOT,
                "Evictions: modelled; %s %% of the attempts, at a random point of their work.",
                100 * settings.evictedShare())
            : "Evictions: none.");
    return all;
  }

  /**
   * An interval in which something is wrong with a machine. The intervals of a machine form an
   * endless row; their lengths and the gaps between them are exponential.
   *
   * @param whose the key of the row
   * @param number position in the row, from 0
   * @param begin seconds; infinite if the gaps are
   * @param end seconds
   * @param meanGap mean time from the end of one interval to the beginning of the next, seconds,
   *     above 0
   * @param meanLength seconds, above 0
   */
  record FaultInterval(
      long whose, int number, double begin, double end, double meanGap, double meanLength) {

    static FaultInterval first(long whose, double meanGap, double meanLength) {
      return at(whose, 0, 0, meanGap, meanLength);
    }

    FaultInterval next() {
      return at(whose, number + 1, end, meanGap, meanLength);
    }

    private static FaultInterval at(
        long whose, int number, double before, double meanGap, double meanLength) {
      long key = Chance.mix(whose, number);
      double begin = before + Draws.exponential(Chance.mix(key, 0), meanGap);
      double end = begin + Draws.exponential(Chance.mix(key, 1), meanLength);
      return new FaultInterval(whose, number, begin, end, meanGap, meanLength);
    }
  }
}
