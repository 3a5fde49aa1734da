// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * Measures the cost of Drover's scheduler: the time of a node's and of an AppMaster's heartbeat,
 * compared with Hadoop's CapacityScheduler, on a full cluster where containers end and others
 * start.
 *
 * <p>Each scheduler runs in a JVM of its own. In a shared JVM, the first one would have its objects
 * closer together, and the compiler would see calls that no ResourceManager has. The JVMs take
 * turns in changing order. Each is compared with the mean of the two stock ones of the same round.
 * The table shows the median of these ratios with the quartiles. A difference no larger than that
 * between the two stock ones means nothing.
 *
 * <pre>
 * mvn -q -pl scheduler -am -Poverhead -DskipTests test -Dbench.args="5000 500 9"
 * </pre>
 */
public final class SchedulerOverhead {
  private static final String OF_ONE = SchedulerLoad.class.getName();

  /** The medians of one JVM: microseconds of one heartbeat. */
  private record Times(double node, double appMaster) {}

  private SchedulerOverhead() {}

  /**
   * Prints the table.
   *
   * @param args number of nodes, of applications, of rounds
   */
  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[2]);
    Map<SchedulerLoad.Kind, List<Times>> times = new EnumMap<>(SchedulerLoad.Kind.class);
    List<SchedulerLoad.Kind> order = new ArrayList<>(List.of(SchedulerLoad.Kind.values()));
    for (int round = 0; round < rounds; round++) {
      Collections.rotate(order, 1);
      if (round % 2 == 1) {
        Collections.reverse(order);
      }
      for (SchedulerLoad.Kind kind : order) {
        Times one = inOwnJvm(kind, args[0], args[1]);
        times.computeIfAbsent(kind, k -> new ArrayList<>()).add(one);
        System.err.printf(
            "%d/%d %-32s %8.2f us %8.2f us%n",
            round + 1, rounds, name(kind), one.node, one.appMaster);
      }
    }
    print(times);
  }

  private static Times inOwnJvm(SchedulerLoad.Kind kind, String nodes, String applications)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-classpath", System.getProperty("java.class.path")));
    command.addAll(List.of(OF_ONE, kind.name(), nodes, applications));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      List<String> lines = output.lines().toList(); // Hadoop logs there, too
      int exit = process.waitFor();
      String[] figures =
          lines.stream()
              .filter(line -> exit == 0 && line.startsWith(SchedulerLoad.FIGURES))
              .map(line -> line.substring(SchedulerLoad.FIGURES.length()).split(" "))
              .findFirst()
              .orElseThrow(
                  () -> new IllegalStateException(OF_ONE + " of " + kind + " ended with " + exit));
      return new Times(Double.parseDouble(figures[0]), Double.parseDouble(figures[1]));
    } finally {
      process.destroy();
    }
  }

  private static void print(Map<SchedulerLoad.Kind, List<Times>> times) {
    System.out.printf("%-32s %33s %35s%n", "", "a node's heartbeat", "an AppMaster's heartbeat");
    times.forEach(
        (kind, all) ->
            System.out.printf(
                "%-32s %s   %s%n",
                name(kind), row(times, all, Times::node), row(times, all, Times::appMaster)));
  }

  /** Formats the median time, and its excess over the stock ones' mean as median and quartiles. */
  private static String row(
      Map<SchedulerLoad.Kind, List<Times>> times, List<Times> all, ToDoubleFunction<Times> what) {
    List<Times> one = times.get(SchedulerLoad.Kind.STOCK);
    List<Times> other = times.get(SchedulerLoad.Kind.STOCK_AGAIN);
    double[] more = new double[all.size()];
    for (int i = 0; i < more.length; i++) {
      double stock = (what.applyAsDouble(one.get(i)) + what.applyAsDouble(other.get(i))) / 2;
      more[i] = 100 * (what.applyAsDouble(all.get(i)) / stock - 1);
    }
    double[] micros = all.stream().mapToDouble(what).toArray();
    Percentile percentile = new Percentile();
    return String.format(
        Locale.ROOT,
        "%8.2f us %+6.1f %% (%+5.1f to %+5.1f)",
        percentile.evaluate(micros, 50),
        percentile.evaluate(more, 50),
        percentile.evaluate(more, 25),
        percentile.evaluate(more, 75));
  }

  private static String name(SchedulerLoad.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
