// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What a soak came to.
 *
 * @param records of its pairs
 */
record SoakReport(List<SoakRecord> records) {
  SoakReport {
    records = List.copyOf(records);
  }

  /** All that must not be. */
  List<String> violations() {
    return records.stream().flatMap(record -> record.violations().stream()).toList();
  }

  /** Seconds of the jobs of all pairs that succeeded twice, under Hadoop's AppMaster. */
  double stockSeconds() {
    return sum(record -> record.stock().seconds());
  }

  /** Seconds of the same jobs under Drover's. */
  double droverSeconds() {
    return sum(record -> record.drover().seconds());
  }

  private double sum(ToDoubleFunction<SoakRecord> seconds) {
    return records.stream().filter(SoakRecord::isComparable).mapToDouble(seconds).sum();
  }

  /** A table in Markdown, and the sums. */
  String text() {
    String head =
        "| pair | cluster | job and settings | fault | stock s | drover s | equal |\n"
            + "| --- | --- | --- | --- | --- | --- | --- |\n";
    String rows = records.stream().map(SoakReport::row).collect(Collectors.joining());
    return head
        + rows
        + String.format(
            Locale.ROOT,
            "%d pairs, %d succeeded twice: stock %.1f s, drover %.1f s; %d violations%n",
            records.size(),
            records.stream().filter(SoakRecord::isComparable).count(),
            stockSeconds(),
            droverSeconds(),
            violations().size())
        + violations().stream().map(v -> v + '\n').collect(Collectors.joining());
  }

  /** One line of the table. */
  static String row(SoakRecord record) {
    return String.format(
        "| %d | %s | %s | %s | %s | %s | %s |%n",
        record.pair(),
        record.cluster(),
        record.job(),
        record.fault(),
        cell(record.stock()),
        cell(record.drover()),
        record.isComparable() ? record.isEqual() ? "yes" : "NO" : "-");
  }

  private static String cell(SoakRecord.Outcome outcome) {
    String seconds = String.format(Locale.ROOT, "%.1f", outcome.seconds());
    return outcome.state().equals("SUCCEEDED") ? seconds : seconds + ' ' + outcome.state();
  }
}
