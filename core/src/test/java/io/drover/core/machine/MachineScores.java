// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the estimators of p_m on a real day of 12,500 machines. Each estimator sees only the
 * past and predicts the next window. {@link Score} explains the columns, {@link Replay} the method.
 *
 * <p>Run it: {@code mvn -q -pl core -Pbench test
 * -Dbench.main=io.drover.core.machine.MachineScores}. It needs {@code
 * ../shared/traces/google2011/attempts_day1.csv.gz} beside the repository, and says so if that file
 * is absent.
 *
 * <p>The third table is for the same day with one machine in a hundred made four times slower for
 * six hours. Estimators exist for such machines, and the real day has hardly any of them.
 */
public final class MachineScores {
  /** Hours before the first scored prediction. */
  private static final double WARM = 2;

  private static final double HALF = 13;
  private static final double END = 26;

  private MachineScores() {}

  /** Returns the compared statistics, the baseline first. */
  private static Map<String, MachineStatistics> contenders(MachineSettings base) {
    Map<String, MachineStatistics> all = new LinkedHashMap<>();
    all.put("cluster's p only", EstimatorKind.CLUSTER.statistics(base));
    all.put("Dolly", EstimatorKind.DOLLY.statistics(base));
    all.put("Beta, a = 1, 1 h", EstimatorKind.BETA.statistics(changed(base, 1, 1, 0.001)));
    all.put("Beta, a = 2, 3 h", EstimatorKind.BETA.statistics(base));
    double kept = base.keptEachWindow(base.memory());
    EmpiricalBayes bayes = new EmpiricalBayes(kept);
    all.put("Beta, empirical Bayes", new MachineStatistics(base, 0, bayes::unknown));
    all.put("ratio only, a = 1, 1 h", statistics(changed(base, 1, 1, 1e-12)));
    all.put("ratio only, a = 2, 3 h", statistics(changed(base, 3, 2, 1e-12)));
    all.put("slow only", statistics(changed(base, 3, 1000, 0.001)));
    all.put("mixture (default)", statistics(base));
    all.put("mixture, 1 h", statistics(changed(base, 1, 2, 0.001)));
    all.put("mixture, 6 h", statistics(changed(base, 6, 2, 0.001)));
    all.put("mixture, a = 1", statistics(changed(base, 3, 1, 0.001)));
    all.put("mixture, a = 4", statistics(changed(base, 3, 4, 0.001)));
    all.put("mixture, pi = 0.0003", statistics(changed(base, 3, 2, 0.0003)));
    all.put("mixture, pi = 0.003", statistics(changed(base, 3, 2, 0.003)));
    return all;
  }

  private static MachineStatistics statistics(MachineSettings settings) {
    return new MachineStatistics(settings, 0);
  }

  private static MachineSettings changed(
      MachineSettings base, long hours, double strength, double slowShare) {
    return new MachineSettings(
        base.window(),
        Duration.ofHours(hours),
        base.clusterMemory(),
        base.lossMemory(),
        base.forgetAfter(),
        base.leastAttempts(),
        strength,
        slowShare);
  }

  private static MachineSettings window(long seconds) {
    MachineSettings d = MachineSettings.DEFAULT;
    return new MachineSettings(
        Duration.ofSeconds(seconds),
        d.memory(),
        d.clusterMemory(),
        d.lossMemory(),
        d.forgetAfter(),
        d.leastAttempts(),
        d.priorOutliers(),
        d.slowShare());
  }

  private static List<Replay.Prediction> between(
      List<Replay.Prediction> all, MachineSettings settings, double from, double to) {
    double seconds = settings.windowSeconds();
    return all.stream()
        .filter(x -> x.window() * seconds >= 3600 * from && x.window() * seconds < 3600 * to)
        .toList();
  }

  private static void table(
      PrintStream out, String title, List<String> names, List<Replay.Prediction> predictions) {
    long outliers = predictions.stream().filter(Replay.Prediction::outlier).count();
    out.printf(
        Locale.ROOT,
        "%n%s: %d attempts, %.2f %% outliers%n",
        title,
        predictions.size(),
        100.0 * outliers / predictions.size());
    out.printf(
        "%-24s %8s %19s %8s %15s %7s %10s %10s %13s %13s%n",
        "",
        "log loss",
        "to p, x 1e-5",
        "Brier",
        "within jobs",
        "called",
        "best p_m",
        "best real",
        "best ratio",
        "worst ratio");
    for (int i = 0; i < names.size(); i++) {
      Score s = Score.of(predictions, i, 0);
      out.printf(
          Locale.ROOT,
          "%-24s %8.5f %+8.0f +- %7.0f %8.5f %6.3f +- %.3f %7.3f %8.2f %% %8.2f %% %.2f +- %.2f"
              + "  %.2f +- %.2f%n",
          names.get(i),
          s.logLoss(),
          1e5 * s.gain().value(),
          1e5 * s.gain().error(),
          s.brier(),
          s.withinJob().value(),
          s.withinJob().error(),
          s.called(),
          100 * s.bestTold(),
          100 * s.bestReal(),
          s.bestRatio().value(),
          s.bestRatio().error(),
          s.worstRatio().value(),
          s.worstRatio().error());
    }
  }

  private static void slowMachines(
      PrintStream out, List<String> names, List<Replay.Prediction> predictions) {
    out.printf("%nmean p_m told of attempts on the machines made slow, and on the others:%n");
    for (int i = 0; i < names.size(); i++) {
      int which = i;
      out.printf(
          Locale.ROOT,
          "%-24s %.3f %.4f%n",
          names.get(i),
          predictions.stream()
              .filter(Replay.Prediction::slowed)
              .mapToDouble(x -> x.p()[which])
              .average()
              .orElse(Double.NaN),
          predictions.stream()
              .filter(x -> !x.slowed())
              .mapToDouble(x -> x.p()[which])
              .average()
              .orElse(Double.NaN));
    }
  }

  private static void windows(PrintStream out, GoogleDay day) {
    out.printf("%nlog loss by window (all hours), cluster's p, Dolly, default:%n");
    for (long seconds : new long[] {60, 300, 900, 3600}) {
      MachineSettings settings = window(seconds);
      List<Replay.Prediction> predictions =
          between(
              new Replay(day, seconds)
                  .play(
                      List.of(
                          EstimatorKind.CLUSTER.statistics(settings),
                          EstimatorKind.DOLLY.statistics(settings),
                          statistics(settings))),
              settings,
              WARM,
              END);
      Score dolly = Score.of(predictions, 1, 0);
      Score mixture = Score.of(predictions, 2, 0);
      out.printf(
          Locale.ROOT,
          "%5d s  %.5f %.5f %.5f   within jobs %.3f %.3f   called %.3f %.3f%n",
          seconds,
          Score.of(predictions, 0, 0).logLoss(),
          dolly.logLoss(),
          mixture.logLoss(),
          dolly.withinJob().value(),
          mixture.withinJob().value(),
          dolly.called(),
          mixture.called());
    }
  }

  private static void print(PrintStream out, Path file) throws IOException {
    MachineSettings settings = MachineSettings.DEFAULT;
    GoogleDay day = GoogleDay.read(file);
    out.printf("%d finished attempts of %d jobs%n", day.attempts.size(), day.jobs);

    Map<String, MachineStatistics> contenders = contenders(settings);
    List<String> names = new ArrayList<>(contenders.keySet());
    double seconds = settings.windowSeconds();
    List<Replay.Prediction> real =
        new Replay(day, seconds).play(new ArrayList<>(contenders.values()));
    table(out, "real, hours 2 to 13", names, between(real, settings, WARM, HALF));
    table(out, "real, hours 13 to 25", names, between(real, settings, HALF, END));

    GoogleDay slowed = day.withSlowMachines(0.01, 4, 6 * 3600, 1);
    List<Replay.Prediction> modelled =
        between(
            new Replay(slowed, seconds).play(new ArrayList<>(contenders(settings).values())),
            settings,
            WARM,
            END);
    table(out, "modelled: 1 % of the machines 4 times slower for 6 h", names, modelled);
    slowMachines(out, names, modelled);
    windows(out, day);
  }

  /** Prints the tables. */
  @SuppressWarnings("checkstyle:noConsole") // its output is the result
  public static void main(String[] args) throws IOException {
    Optional<Path> file = GoogleDay.find();
    if (file.isEmpty()) {
      System.out.println("skipped: no ../shared/traces/google2011 beside the repository");
      return;
    }
    print(System.out, file.get());
  }
}
