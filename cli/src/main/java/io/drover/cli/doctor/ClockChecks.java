// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import io.drover.cli.web.ClockReading;
import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Compares the clocks of machines with their median. Two are compared with each other: their median
 * lies in the middle, and which of them is off cannot be told. Lines of decision logs, the ends of
 * tasks in the job history, and tokens that expire are compared across machines.
 */
final class ClockChecks {
  private static final double NOTICEABLE_SECONDS = 5;
  private static final double HARMFUL_SECONDS = 60;
  private static final String THIS_MACHINE = "this machine";

  private final Map<String, ClockReading> clocks = new LinkedHashMap<>();

  ClockChecks(ClusterAnswers answers) {
    answers
        .managers()
        .forEach(
            manager ->
                add("the ResourceManager at " + manager.address(), manager.daemon().clock()));
    answers.nodes().forEach(node -> add(node.host(), node.daemon().clock()));
    if (!clocks.isEmpty()) {
      clocks.put(THIS_MACHINE, new ClockReading(0, 0));
    }
  }

  private void add(String name, Optional<ClockReading> clock) {
    clock.ifPresent(reading -> clocks.put(name, reading));
  }

  Checks all() {
    return new Checks().add("clock.apart", this::apart);
  }

  private double median() {
    List<Double> ahead = clocks.values().stream().map(ClockReading::aheadSeconds).sorted().toList();
    int middle = ahead.size() / 2;
    return ahead.size() % 2 == 1
        ? ahead.get(middle)
        : (ahead.get(middle - 1) + ahead.get(middle)) / 2;
  }

  private void apart(Consumer<Finding> found) {
    if (clocks.size() == 2) {
      fromEachOther(found);
    } else if (!clocks.isEmpty()) {
      fromMedian(found);
    }
  }

  /** Compares this machine's clock with the only other one. */
  private void fromEachOther(Consumer<Finding> found) {
    Map.Entry<String, ClockReading> other = clocks.entrySet().iterator().next();
    double apart = Math.abs(other.getValue().aheadSeconds());
    double certain = apart - other.getValue().errorSeconds();
    if (certain <= NOTICEABLE_SECONDS) {
      found.accept(Finding.ok("clock.apart", "2 clocks are less than 5 s apart"));
      return;
    }
    String what =
        String.format(
            Locale.ROOT,
            "the clocks of %s and of %s are %.0f s (give or take %.0f s) apart; which of two is off"
                + " cannot be told",
            other.getKey(),
            THIS_MACHINE,
            apart,
            Math.ceil(other.getValue().errorSeconds()));
    String advice = "Let chrony or ntpd set both clocks";
    found.accept(
        certain > HARMFUL_SECONDS
            ? Finding.wrong("clock.apart", what, advice)
            : Finding.warn("clock.apart", what, advice));
  }

  private void fromMedian(Consumer<Finding> found) {
    double median = median();
    Map<String, ClockReading> harmful = beyond(HARMFUL_SECONDS, median);
    Map<String, ClockReading> noticeable = beyond(NOTICEABLE_SECONDS, median);
    noticeable.keySet().removeAll(harmful.keySet());
    String advice = "Let chrony or ntpd set the clock there";
    if (!harmful.isEmpty()) {
      found.accept(Finding.wrong("clock.apart", each(harmful, median), advice));
    }
    if (!noticeable.isEmpty()) {
      found.accept(Finding.warn("clock.apart", each(noticeable, median), advice));
    }
    if (harmful.isEmpty() && noticeable.isEmpty()) {
      found.accept(
          Finding.ok("clock.apart", clocks.size() + " clocks are less than 5 s from their median"));
    }
  }

  /** Returns the clocks that are certainly further than that from the median. */
  private Map<String, ClockReading> beyond(double seconds, double median) {
    Map<String, ClockReading> beyond = new LinkedHashMap<>();
    clocks.forEach(
        (name, reading) -> {
          double apart = Math.abs(reading.aheadSeconds() - median);
          if (apart - reading.errorSeconds() > seconds) {
            beyond.put(name, reading);
          }
        });
    return beyond;
  }

  private static String each(Map<String, ClockReading> clocks, double median) {
    return ClusterChecks.some(
            clocks.entrySet().stream()
                .map(
                    entry ->
                        String.format(
                            Locale.ROOT,
                            "the clock of %s is %.0f s (give or take %.0f s) %s the median",
                            entry.getKey(),
                            Math.abs(entry.getValue().aheadSeconds() - median),
                            Math.ceil(entry.getValue().errorSeconds()),
                            entry.getValue().aheadSeconds() > median ? "ahead of" : "behind")))
        .lines()
        .collect(Collectors.joining(" "));
  }
}
