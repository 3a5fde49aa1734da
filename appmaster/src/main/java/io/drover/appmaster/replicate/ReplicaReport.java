// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.replicate;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * What has become of a replica that a worker was asked for, as it says in one line. The line comes
 * from another process and may hold anything.
 *
 * @param output the attempt whose output it is
 * @param bytes its size; 0 if it was not made
 * @param seconds how long it took
 * @param failure why it was not made; empty if it was
 */
record ReplicaReport(TaskAttemptId output, long bytes, double seconds, Optional<String> failure) {
  /** The longest line. Hadoop's RPC cuts texts off much later. */
  private static final int MOST_CHARACTERS = 1_000;

  private static final Pattern MADE =
      Pattern.compile("made (attempt_\\d+_\\d+_m_\\d+_\\d+) (\\d{1,18}) (\\d{1,9}\\.\\d{3})");
  private static final Pattern FAILED =
      Pattern.compile("failed (attempt_\\d+_\\d+_m_\\d+_\\d+) (.*)", Pattern.DOTALL);

  static ReplicaReport made(TaskAttemptId output, long bytes, double seconds) {
    return new ReplicaReport(output, bytes, seconds, Optional.empty());
  }

  static ReplicaReport failed(TaskAttemptId output, String why) {
    return new ReplicaReport(output, 0, 0, Optional.of(why));
  }

  boolean isMade() {
    return failure.isEmpty();
  }

  String line() {
    String id = TypeConverter.fromYarn(output).toString();
    String line =
        failure
            .map(why -> "failed " + id + " " + why)
            .orElseGet(() -> String.format(Locale.ROOT, "made %s %d %.3f", id, bytes, seconds));
    return line.substring(0, Math.min(line.length(), MOST_CHARACTERS));
  }

  /** Reads a line; empty if it is none. */
  static Optional<ReplicaReport> read(String line) {
    if (line.length() > MOST_CHARACTERS) {
      return Optional.empty();
    }
    try {
      Matcher made = MADE.matcher(line);
      if (made.matches()) {
        return Optional.of(
            made(
                attempt(made.group(1)),
                Long.parseLong(made.group(2)),
                Double.parseDouble(made.group(3))));
      }
      Matcher failed = FAILED.matcher(line);
      return failed.matches()
          ? Optional.of(failed(attempt(failed.group(1)), failed.group(2)))
          : Optional.empty();
    } catch (IllegalArgumentException e) { // a number in the id that no id has
      return Optional.empty();
    }
  }

  private static TaskAttemptId attempt(String id) {
    return TypeConverter.toYarn(org.apache.hadoop.mapred.TaskAttemptID.forName(id));
  }
}
