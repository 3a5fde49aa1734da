// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.core.model.TaskKind;
import io.drover.testbed.history.AttemptFigures;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.AttemptRecord.Role;
import io.drover.testbed.history.JobRecord;
import io.drover.testbed.history.JobRecord.Master;
import io.drover.testbed.history.JobRecord.State;
import io.drover.testbed.history.TaskRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Builds a job of maps and reduces, second by second. */
final class SampleJob {
  private static final Instant ZERO = Instant.ofEpochSecond(1_700_000_000);

  private final List<TaskRecord> tasks = new ArrayList<>();
  private final List<Master> masters = new ArrayList<>(List.of(new Master("n9", at(1))));
  private final String id;
  private int maps;
  private int reduces;
  private double end = 1;

  SampleJob(int number) {
    this.id = "1700000000000_%04d".formatted(number);
  }

  /** An attempt to be. */
  static final class Attempt {
    private final String node;
    private final double start;
    private final double end;
    private Outcome outcome = Outcome.WON;
    private Role role = Role.FIRST;
    private String diagnostics = "";
    private long bytes = 64_000_000;
    private long records = 1_000_000;
    private long cpuMillis = 2_000;
    private List<Integer> splits = List.of();
    private String locality = "NODE_LOCAL";
    private Optional<Double> fetched = Optional.empty();

    Attempt(String node, double start, double end) {
      this.node = node;
      this.start = start;
      this.end = end;
    }

    Attempt ended(Outcome how, String why) {
      outcome = how;
      diagnostics = why;
      return this;
    }

    Attempt role(Role as) {
      role = as;
      return this;
    }

    Attempt read(long ofBytes, long ofRecords) {
      bytes = ofBytes;
      records = ofRecords;
      return this;
    }

    Attempt cpu(long millis) {
      cpuMillis = millis;
      return this;
    }

    Attempt locality(String nearness) {
      locality = nearness;
      return this;
    }

    /** Sets how long each twelfth of the progress took, seconds. */
    Attempt splits(double... seconds) {
      splits =
          IntStream.range(0, seconds.length).map(i -> (int) (seconds[i] * 1e3)).boxed().toList();
      return this;
    }

    Attempt fetchedAt(double second) {
      fetched = Optional.of(second);
      return this;
    }
  }

  /** Equal parts of progress, the first of which is longer by the start. */
  static double[] steady(double start, double seconds) {
    double[] splits = new double[12];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = (seconds - start) / 12 + (i == 0 ? start : 0);
    }
    return splits;
  }

  SampleJob map(Attempt... attempts) {
    return task(TaskKind.MAP, maps++, attempts);
  }

  SampleJob reduce(Attempt... attempts) {
    return task(TaskKind.REDUCE, reduces++, attempts);
  }

  /** Adds maps of equal length, two on each of the nodes n1, n2 and so on. */
  SampleJob maps(int count, double start, double end) {
    for (int i = 0; i < count; i++) {
      map(new Attempt("n" + (i / 2 + 1), start, end).splits(steady(2, end - start)));
    }
    return this;
  }

  /** Adds a later AppMaster. */
  SampleJob master(double start) {
    masters.add(new Master("n8", at(start)));
    return this;
  }

  private SampleJob task(TaskKind kind, int number, Attempt... attempts) {
    List<AttemptRecord> records = new ArrayList<>();
    for (int i = 0; i < attempts.length; i++) {
      Attempt a = attempts[i];
      end = Math.max(end, a.end);
      records.add(
          new AttemptRecord(
              "attempt_%s_%s_%06d_%d".formatted(id, kind == TaskKind.MAP ? "m" : "r", number, i),
              kind,
              number,
              i,
              a.node,
              "/rack1",
              "",
              at(a.start),
              at(a.end),
              a.fetched.map(SampleJob::at),
              a.fetched.map(SampleJob::at),
              a.outcome,
              a.role,
              a.diagnostics,
              new AttemptFigures(
                  OptionalLong.of(a.bytes),
                  OptionalLong.of(a.records),
                  OptionalLong.of(a.cpuMillis),
                  OptionalLong.empty(),
                  a.splits,
                  List.of(),
                  a.locality)));
    }
    tasks.add(new TaskRecord(kind, number, Optional.of(at(3)), "SUCCEEDED", List.of(), records));
    return this;
  }

  private static Instant at(double second) {
    return ZERO.plusMillis(Math.round(second * 1e3));
  }

  JobRecord record() {
    return record("count 2026-11-29", "ada", State.SUCCEEDED);
  }

  JobRecord record(String name, String user, State state) {
    return record(name, user, state, Map.of());
  }

  JobRecord record(String name, String user, State state, Map<String, Long> counters) {
    return new JobRecord(
        "job_" + id,
        name,
        user,
        "default",
        "",
        state,
        ZERO,
        Optional.of(at(3)),
        at(end + 1),
        maps,
        reduces,
        false,
        masters,
        tasks,
        counters,
        "",
        0);
  }

  JobAnalysis analysis() {
    return JobAnalysis.of(record());
  }
}
