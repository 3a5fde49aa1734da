// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.commons.math3.special.Gamma;

/**
 * Mantri's table 3 (appendix A) by Monte Carlo: by how much restarts cut the expected time of a
 * phase of n tasks on s slots whose attempts take Pareto(beta) times; Delta = 1.
 *
 * <p>Run it: {@code mvn -q -pl core -Pbench test -Dbench.main=io.drover.core.restart.MantriTable3
 * -Dbench.args=2000} (repetitions a row).
 *
 * <p>Three reductions stand beside the printed one. The <em>closed rule</em>, a control that needs
 * no estimate: kill at t_k = E[R] + 1 and pay all of t_k. And <em>core</em>: {@link MantriRestart}
 * and {@link Prune} on a model that sees progress reports only, once with the paper's gamma = 3
 * kills, once without a limit on kills, which is what the appendix assumes.
 *
 * <p>Where these differ from the print, and why:
 *
 * <ul>
 *   <li>The print is above the closed rule. The appendix's R' is a bound on the tail (proposition
 *       1) in which each restart costs Delta, not t_k; an attempt that is killed at t_k has cost
 *       t_k.
 *   <li>Core is above the closed rule for beta of 1.1 and 1.5: by its progress reports it sees at 3
 *       Delta how long an attempt is going to take, and neither waits for t_k, which is 12 and 4,
 *       nor kills what is nearly done. When no task waits it adds copies, and the better one
 *       counts.
 *   <li>With beta = 2 it is level with the closed rule: t_k is 3, when the third report comes,
 *       before which core judges nobody; and E[t_new] carries one Delta of schedLag, since an
 *       attempt is first heard of one Delta after its launch.
 *   <li>The limit of three kills a task costs nothing here, since copies take over.
 * </ul>
 *
 * <p>How E[T] is estimated. With beta below 2 the time T of an untouched phase has no variance: a
 * sample mean, for beta = 1.1, is still off by its own size after millions of repetitions. But T is
 * the longest task M plus the rest, E[M] = n! Gamma(1 - 1/beta) / Gamma(n + 1 - 1/beta) is known,
 * and T - M, which the second longest dominates, has a finite variance. So E[T] = E[M] + mean(T -
 * M). The times under the rules have light tails. The reduction is 1 - mean(T') / E[T], a ratio of
 * means, its standard error by the delta method; all ways are played on the same first attempts.
 */
public final class MantriTable3 {
  /** One row as printed. */
  record Row(double beta, int n, int s, double printed) {}

  /** A reduction and its standard error, as fractions. */
  record Reduction(double value, double error) {}

  /** What was found for one row. */
  record Result(Row row, Reduction closed, Reduction gamma3, Reduction unlimited) {}

  static final List<Row> ROWS =
      List.of(
          new Row(1.1, 200, 100, 0.99),
          new Row(1.5, 200, 100, 0.91),
          new Row(1.5, 100, 50, 0.86),
          new Row(2.0, 100, 50, 0.59));

  private static final RestartSettings UNLIMITED =
      new RestartSettings(
          RestartSettings.MANTRI.delta(),
          RestartSettings.MANTRI.rho(),
          Integer.MAX_VALUE,
          RestartSettings.MANTRI.maxCopies());

  private MantriTable3() {}

  /** Plays one row so many times. */
  static Result play(Row row, int repetitions, long seed) {
    ParetoPhase phase = new ParetoPhase(row.s(), row.beta());
    Random random = new Random(seed);
    double[] excess = new double[repetitions];
    double[] closed = new double[repetitions];
    double[] gamma3 = new double[repetitions];
    double[] unlimited = new double[repetitions];
    for (int i = 0; i < repetitions; i++) {
      double[] first = new double[row.n()];
      double longest = 0;
      for (int j = 0; j < first.length; j++) {
        first[j] = phase.sample(random);
        longest = Math.max(longest, first[j]);
      }
      excess[i] = phase.untouched(first) - longest;
      closed[i] = phase.closedRule(first, new Random(random.nextLong()));
      gamma3[i] = phase.byCore(first, RestartSettings.MANTRI, new Random(random.nextLong()));
      unlimited[i] = phase.byCore(first, UNLIMITED, new Random(random.nextLong()));
    }
    double longest = meanLongest(row.n(), row.beta());
    return new Result(
        row,
        reduction(closed, excess, longest),
        reduction(gamma3, excess, longest),
        reduction(unlimited, excess, longest));
  }

  /** E[M] for the longest M of n times. */
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
        "%4s %4s %4s  %7s  %16s  %16s  %16s%n",
        "beta",
        "n",
        "s",
        "printed",
        "closed rule",
        "core, gamma 3",
        "core, no gamma");
    for (Row row : ROWS) {
      Result r = play(row, repetitions, 20101004);
      out.printf(
          Locale.ROOT,
          "%4.1f %4d %4d  %5.0f %%  %s  %s  %s%n",
          row.beta(),
          row.n(),
          row.s(),
          100 * row.printed(),
          text(r.closed()),
          text(r.gamma3()),
          text(r.unlimited()));
    }
  }

  private static String text(Reduction r) {
    return String.format(Locale.ROOT, "%6.2f +- %4.2f %%", 100 * r.value(), 100 * r.error());
  }

  /** Prints the table; the argument is the number of repetitions a row. */
  @SuppressWarnings("checkstyle:noConsole") // it is run to be read
  public static void main(String[] args) {
    print(System.out, args.length > 0 ? Integer.parseInt(args[0]) : 2000);
  }
}
