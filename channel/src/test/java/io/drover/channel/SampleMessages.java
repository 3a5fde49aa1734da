// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.ClusterState.EndOrder;
import io.drover.channel.JobStart.SizeSummary;
import io.drover.channel.JobStart.TaskRequest;
import io.drover.channel.Report.LostOutputs;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.restart.SlowTasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Sample reports and cluster states. */
final class SampleMessages {
  static final JobStart JOB =
      new JobStart(
          12,
          4,
          Optional.of(SizeSummary.of(1, 2, 3)),
          Optional.empty(),
          true,
          Optional.of("etl #-#"),
          true,
          Optional.of(new TaskRequest(1024, 1)),
          Optional.of(new TaskRequest(2048, 2)),
          new SlowTasks(1, 2));
  static final AttemptOutcome OUTCOME = outcome(1);
  static final ClusterTable TABLE =
      ClusterTable.of(
          Map.of("n1", 0.5, "n2", 0.0),
          List.of(
              new RackBandwidth("/a", OptionalDouble.of(1e8), OptionalDouble.empty()),
              new RackBandwidth("/b", OptionalDouble.empty(), OptionalDouble.of(2e8))),
          Map.of());
  static final ClusterState STATE =
      new ClusterState(
          OptionalDouble.of(0.1),
          TABLE,
          OptionalInt.of(7),
          1.05,
          Optional.empty(),
          true,
          OptionalDouble.of(0.25),
          new SlowTasks(3, 0.5));

  private SampleMessages() {}

  static ApplicationAttemptId attempt(int application) {
    return ApplicationAttemptId.newInstance(
        ApplicationId.newInstance(1_700_000_000_000L, application), 1);
  }

  static AttemptOutcome outcome(long container) {
    return new AttemptOutcome(
        container, "n1.example", true, OptionalDouble.of(0.25), Duration.ofMillis(1234));
  }

  static Report report(long sequence) {
    return new Report(
        sequence, Optional.empty(), List.of(OUTCOME), List.of(), List.of(), List.of(), 0);
  }

  static Report fullReport(long sequence) {
    return new Report(
        sequence,
        Optional.of(JOB),
        List.of(
            outcome(1),
            new AttemptOutcome(2, "n2", false, OptionalDouble.empty(), Duration.ZERO, true)),
        List.of(new LostOutputs("n1", 3), new LostOutputs("n2", 1)),
        TABLE.bandwidths(),
        List.of("n1", "n2"),
        TABLE.tag(),
        Duration.ofSeconds(75),
        Map.of(
            ActionKind.COPY,
            new ActionTotals(5, 3, 1, 40_000, 90_000),
            ActionKind.REPLICA,
            ActionTotals.launched(2)));
  }

  /** Returns a report with the longest names, the longest lists and the largest numbers. */
  static Report largestReport() {
    AttemptOutcome outcome =
        new AttemptOutcome(
            Long.MAX_VALUE,
            longName(1),
            true,
            OptionalDouble.of(1e-300),
            Duration.ofDays(100),
            true);
    SizeSummary sizes =
        new SizeSummary(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    return new Report(
        Long.MAX_VALUE,
        Optional.of(
            new JobStart(
                JobStart.MAX_TASKS,
                JobStart.MAX_TASKS,
                Optional.of(sizes),
                Optional.of(sizes),
                true,
                Optional.of("\u20ac".repeat(Validation.MAX_TEXT)),
                true,
                Optional.of(new TaskRequest(TaskRequest.MOST, TaskRequest.MOST)),
                Optional.of(new TaskRequest(TaskRequest.MOST, TaskRequest.MOST)),
                new SlowTasks(1, 1e-300))),
        IntStream.range(0, Report.MAX_OUTCOMES).mapToObj(i -> outcome).toList(),
        IntStream.range(0, Report.MAX_LOST)
            .mapToObj(i -> new LostOutputs(longName(i), LostOutputs.MAX_OUTPUTS))
            .toList(),
        links(Report.MAX_RACKS),
        IntStream.range(0, Report.MAX_ASKED).mapToObj(SampleMessages::longName).toList(),
        -1,
        Report.MAX_SECOND_ATTEMPTS,
        most());
  }

  private static Map<ActionKind, ActionTotals> most() {
    long millis = Report.MAX_SECOND_ATTEMPTS.toMillis();
    ActionTotals totals =
        new ActionTotals(Report.MAX_ACTIONS, Report.MAX_ACTIONS, 0, millis, millis);
    return Stream.of(ActionKind.values()).collect(Collectors.toMap(kind -> kind, kind -> totals));
  }

  static ClusterState largestState() {
    Map<String, Double> machines = new TreeMap<>();
    IntStream.range(0, ClusterTable.MAX_MACHINES).forEach(i -> machines.put(longName(i), 1e-300));
    return new ClusterState(
        OptionalDouble.of(1e-300),
        ClusterTable.of(machines, links(ClusterTable.MAX_RACKS), machines),
        OptionalInt.of(ClusterState.MAX_CLONES),
        1.05,
        Optional.of(new EndOrder("\u20ac".repeat(Validation.MAX_TEXT), Duration.ofDays(10))),
        true,
        OptionalDouble.of(1e-300),
        new SlowTasks(1, 1e-300));
  }

  private static List<RackBandwidth> links(int count) {
    OptionalDouble most = OptionalDouble.of(RackBandwidth.MAX_BANDWIDTH);
    return IntStream.range(0, count)
        .mapToObj(i -> new RackBandwidth(longName(i), most, most))
        .toList();
  }

  private static String longName(int number) {
    String text = "n" + number;
    return text + "x".repeat(Validation.MAX_NAME - text.length());
  }
}
