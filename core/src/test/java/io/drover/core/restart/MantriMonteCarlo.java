// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.commons.math3.special.Gamma;

/**
 * Reproduces Mantri's table 3 (appendix A) by Monte Carlo: by how much restarts reduce the expected
 * time of a phase of n tasks on s slots whose attempts take Pareto(beta) times; Delta = 1.
 *
 * <p>Run it: {@code mvn -q -pl core -Pbench test
 * -Dbench.main=io.drover.core.restart.MantriMonteCarlo -Dbench.args=2000} (repetitions per row).
 *
 * <p>The printed reduction is compared with four others:
 *
 * <ul>
 *   <li>the <em>bound</em> of the appendix, equation (5), sampled. In it, each restart costs Delta
 *       instead of the time that was lost. The printed table agrees with it except in the last row,
 *       so it promises a bound and not a rule that could be run;
 *   <li>the <em>closed rule</em>, a control that needs no estimate: kill at t_k = E[R] + 1 and pay
 *       all of t_k;
 *   <li><em>core</em> as shipped: {@link MantriRestart} and {@link PruningRule} on a model that
 *       sees only progress reports. It is above the closed rule in every row, because by the third
 *       report, at 3 Delta, it knows how long an attempt will take. It neither waits for t_k nor
 *       kills attempts that are nearly done;
 *   <li><em>core, early</em>: the same with min-reports = 2. Reports are exact here, so earlier
 *       judgements are as good. Those of real tasks, whose first seconds are their slowest, are not
 *       exact, and so 3 is shipped.
 * </ul>
 *
 * <p>How E[T] is estimated: with beta below 2, the time T of an untouched phase has no variance.
 * For beta = 1.1, a sample mean is still off by its own size after millions of repetitions. But T
 * is the longest task M plus the rest. E[M] = n! Gamma(1 - 1/beta) / Gamma(n + 1 - 1/beta) is
 * known, and T - M, which is dominated by the second longest task, has a finite variance. So E[T] =
 * E[M] + mean(T - M). The times under the rules have light tails. The reduction is the ratio of
 * means 1 - mean(T') / E[T], and its standard error follows from the delta method. All variants use
 * the same first attempts.
 */
public final class MantriMonteCarlo {
  /** A row as printed. */
  record Row(double beta, int n, int s, double printed) {}

  /** A reduction and its standard error, as fractions. */
  record Reduction(double value, double error) {}

  /** The results for one row. */
  record Result(Row row, Reduction bound, Reduction closed, Reduction core, Reduction early) {}

  static final List<Row> ROWS =
      List.of(
          new Row(1.1, 200, 100, 0.99),
          new Row(1.5, 200, 100, 0.91),
          new Row(1.5, 100, 50, 0.86),
          new Row(2.0, 100, 50, 0.59));

  private MantriMonteCarlo() {}

  /** Plays one row with the given number of repetitions. */
  static Result play(Row row, int repetitions, long seed) {
    ParetoPhase phase = new ParetoPhase(row.s(), row.beta());
    Random random = new Random(seed);
    double[] excess = new double[repetitions];
    double[] closed = new double[repetitions];
    double[] bound = new double[repetitions];
    double[] core = new double[repetitions];
    double[] early = new double[repetitions];
    for (int i = 0; i < repetitions; i++) {
      double[] first = new double[row.n()];
      double longest = 0;
      for (int j = 0; j < first.length; j++) {
        first[j] = phase.sample(random);
        longest = Math.max(longest, first[j]);
      }
      excess[i] = phase.untouched(first) - longest;
      closed[i] = phase.closedRule(first, new Random(random.nextLong()));
      bound[i] = phase.bound(first);
      core[i] = phase.byCore(first, ParetoPhase.SHIPPED, new Random(random.nextLong()));
      early[i] = phase.byCore(first, ParetoPhase.EARLY, new Random(random.nextLong()));
    }
    double longest = meanLongest(row.n(), row.beta());
    return new Result(
        row,
        reduction(bound, excess, longest),
        reduction(closed, excess, longest),
        reduction(core, excess, longest),
        reduction(early, excess, longest));
  }

  /** Returns E[M] for the longest M of n times. */
  static double meanLongest(int n, double beta) {
    return Math.exp(
        Gamma.logGamma(n + 1.0) + Gamma.logGamma(1 - 1 / beta) - Gamma.logGamma(n + 1 - 1 / beta));
  }

  private static Reduction reduction(double[] under, double[] excess, double longest) {
    int n = under.length;
    double a = mean(under);
    double b = longest + mean(excess);
    double ratio = a / b;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double deviation = (under[i] - a) - ratio * (longest + excess[i] - b);
      squares += deviation * deviation;
    }
    return new Reduction(1 - ratio, Math.sqrt(squares / (n - 1) / n) / b);
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static void print(PrintStream out, int repetitions) {
    out.printf(
        Locale.ROOT,
        "%4s %4s %4s  %7s  %16s  %16s  %16s  %16s%n",
        "beta",
        "n",
        "s",
        "printed",
        "bound (5)",
        "closed rule",
        "core",
        "core, early");
    for (Row row : ROWS) {
      Result r = play(row, repetitions, 20101004);
      out.printf(
          Locale.ROOT,
          "%4.1f %4d %4d  %5.0f %%  %s  %s  %s  %s%n",
          row.beta(),
          row.n(),
          row.s(),
          100 * row.printed(),
          text(r.bound()),
          text(r.closed()),
          text(r.core()),
          text(r.early()));
    }
  }

  private static String text(Reduction r) {
    return String.format(Locale.ROOT, "%6.2f +- %4.2f %%", 100 * r.value(), 100 * r.error());
  }

  /** Prints the table. The argument is the number of repetitions per row. */
  @SuppressWarnings("checkstyle:noConsole") // its output is the result
  public static void main(String[] args) {
    print(System.out, args.length > 0 ? Integer.parseInt(args[0]) : 2000);
  }
}
