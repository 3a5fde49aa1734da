// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import io.drover.core.predict.JobArrival;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.JobRequests;
import io.drover.core.predict.JobRequests.Spread;
import io.drover.core.predict.MaskedName;
import io.drover.core.predict.evaluate.TraceJob;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads jobs from a file of comma-separated values, plain or gzipped, whose first line names the
 * columns. docs/failure-prediction.md describes the columns. Rows that make no sense are skipped
 * and counted; a file that lacks a column, or in which no row makes sense, is an error.
 */
final class JobFile {
  /** The columns that every file must have. */
  static final List<String> NEEDED = List.of("job", "submit", "end", "outcome");

  private static final List<String> OTHERS =
      List.of(
          "start",
          "user",
          "queue",
          "program",
          "priority",
          "priority_std",
          "tasks",
          "cpu_mean",
          "cpu_std",
          "ram_mean",
          "ram_std",
          "disk_mean",
          "disk_std");

  private static final int GZIP_MAGIC = 0x8b1f;

  /** The year 2096, in seconds since 1970. */
  private static final double LATEST = 4e9;

  private JobFile() {}

  /** Reads one row. */
  interface RowReader {
    /**
     * Returns the job of a row.
     *
     * @throws IllegalArgumentException if the row makes no sense; says why in a few words
     */
    TraceJob read(Row row);
  }

  /** The fields of a row by the names of their columns. */
  static final class Row {
    private final CSVRecord record;

    Row(CSVRecord record) {
      this.record = record;
    }

    /** Returns a field; empty if there is no such column, or nothing in it. */
    String text(String column) {
      boolean isThere = record.isMapped(column) && record.isSet(column);
      return isThere ? record.get(column).strip() : "";
    }

    /** Returns a number; empty if the field is. */
    OptionalDouble number(String column) {
      String text = text(column);
      if (text.isEmpty()) {
        return OptionalDouble.empty();
      }
      double value;
      try {
        value = Double.parseDouble(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(column + " is no number", e);
      }
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(column + " is " + value);
      }
      return OptionalDouble.of(value);
    }

    /** Returns a number; NaN, which stands for "not known", if the field is empty. */
    double numberOrUnknown(String column) {
      return number(column).orElse(Double.NaN);
    }

    /** Returns a time in seconds; empty if the field is. */
    OptionalDouble time(String column) {
      OptionalDouble time = number(column);
      if (time.isPresent() && !(time.getAsDouble() >= 0 && time.getAsDouble() <= LATEST)) {
        throw new IllegalArgumentException(column + " is no time");
      }
      return time;
    }

    String needed(String column) {
      String text = text(column);
      if (text.isEmpty()) {
        throw new IllegalArgumentException(column + " is empty");
      }
      return text;
    }

    double neededTime(String column) {
      needed(column);
      return time(column).orElseThrow();
    }
  }

  /** Reads a file in Drover's own format. */
  static JobTable read(Path file) throws IOException {
    return read(file, NEEDED, OTHERS, JobFile::job);
  }

  private static TraceJob job(Row row) {
    double priority = row.number("priority").orElse(0);
    double deviation = row.number("priority_std").orElse(0);
    JobArrival arrival =
        new JobArrival(
            row.needed("job"),
            row.neededTime("submit"),
            row.text("user"),
            row.text("queue"),
            MaskedName.of(row.text("program")),
            (int) Math.round(priority));
    double tasks = row.numberOrUnknown("tasks");
    JobRequests requests =
        new JobRequests(
            tasks,
            spread(row, "cpu"),
            spread(row, "ram"),
            spread(row, "disk"),
            new Spread(Math.max(0, priority), deviation));
    OptionalDouble end = row.time("end");
    OptionalDouble start = row.time("start");
    return new TraceJob(
        arrival,
        requests,
        start.isPresent() ? start : OptionalDouble.of(arrival.at()),
        end,
        end.isPresent() ? outcome(row.needed("outcome")) : Optional.empty());
  }

  private static Spread spread(Row row, String of) {
    double mean = row.numberOrUnknown(of + "_mean");
    double deviation = row.number(of + "_std").orElse(Double.isNaN(mean) ? Double.NaN : 0);
    return new Spread(mean, deviation);
  }

  static Optional<JobOutcome> outcome(String text) {
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "SUCCEEDED", "FINISH", "FINISHED" -> Optional.of(JobOutcome.SUCCEEDED);
      case "FAILED", "FAIL", "ERROR" -> Optional.of(JobOutcome.FAILED);
      case "KILLED", "KILL", "EVICT", "LOST" -> Optional.of(JobOutcome.KILLED);
      case "NONE" -> Optional.empty();
      default -> throw new IllegalArgumentException("outcome is unknown");
    };
  }

  /**
   * Reads a file.
   *
   * @param needed the columns that must be there
   * @param others the columns that may be there; others are refused, since they may be misspelt
   */
  static JobTable read(Path file, List<String> needed, List<String> others, RowReader reader)
      throws IOException {
    List<TraceJob> jobs = new ArrayList<>();
    Skipped skipped = new Skipped();
    Set<String> seen = new HashSet<>();
    CSVFormat format =
        CSVFormat.DEFAULT
            .builder()
            .setHeader()
            .setAllowDuplicateHeaderNames(false)
            .setSkipHeaderRecord(true)
            .setTrim(true)
            .build();
    try (CSVParser rows = format.parse(open(file))) {
      check(file, new LinkedHashSet<>(rows.getHeaderNames()), needed, others);
      for (CSVRecord record : rows) {
        try {
          if (!record.isConsistent()) {
            throw new IllegalArgumentException("another number of fields than columns");
          }
          TraceJob job = reader.read(new Row(record));
          if (!seen.add(job.arrival().id())) {
            throw new IllegalArgumentException("a job that was there before");
          }
          jobs.add(job);
        } catch (IllegalArgumentException e) {
          skipped.add(e.getMessage(), file.getFileName() + ":" + rows.getCurrentLineNumber());
        }
      }
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new IOException(file + " is no table of jobs: " + e.getMessage(), e);
    }
    if (jobs.isEmpty()) {
      throw new IOException(file + " has no row that makes sense" + skipped.inWords());
    }
    return new JobTable(jobs, skipped, List.of());
  }

  private static void check(
      Path file, Set<String> columns, List<String> needed, List<String> others) throws IOException {
    for (String column : needed) {
      if (!columns.contains(column)) {
        throw new IOException(
            "%s lacks the column '%s'; its first line must name %s"
                .formatted(file, column, String.join(", ", needed)));
      }
    }
    for (String column : columns) {
      if (!needed.contains(column) && !others.contains(column)) {
        throw new IOException(
            "%s has an unknown column '%s'; known are %s and %s"
                .formatted(file, column, String.join(", ", needed), String.join(", ", others)));
      }
    }
  }

  private static Reader open(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file));
    try {
      in.mark(2);
      boolean isGzip = (in.read() | in.read() << 8) == GZIP_MAGIC;
      in.reset();
      InputStream plain = isGzip ? new GZIPInputStream(in) : in;
      return new InputStreamReader(plain, StandardCharsets.UTF_8);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }
}
