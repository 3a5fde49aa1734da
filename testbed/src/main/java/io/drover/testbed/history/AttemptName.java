// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import io.drover.core.model.TaskKind;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of the id of a task or an attempt: {@code task_CLUSTER_JOB_m_000007}, {@code
 * attempt_CLUSTER_JOB_m_000007_0}.
 *
 * @param kind map or reduce
 * @param task the task's number among those of its kind
 * @param attempt the attempt's number within its task; 0 in the id of a task
 */
record AttemptName(TaskKind kind, int task, int attempt) {
  private static final Pattern ID =
      Pattern.compile("(?:task|attempt)_[^_]+_\\d{1,9}_([a-z])_(\\d{1,9})(?:_(\\d{1,9}))?");

  /**
   * Parses the id in a field of an event.
   *
   * @return empty if the task is neither a map nor a reduce, but one that sets up a job or cleans
   *     up after it (up to Hadoop 1)
   * @throws HistoryFormatException if the field holds no id
   */
  static Optional<AttemptName> of(RecordedEvent event, String field) throws HistoryFormatException {
    String id = event.needed(field);
    Matcher parts = ID.matcher(id);
    if (!parts.matches()) {
      String expected = "an id such as attempt_1700000000000_0001_m_000007_0";
      throw HistoryFormatException.wrong(event.place(), field, id, expected);
    }
    String kind = parts.group(1);
    if (!kind.equals("m") && !kind.equals("r")) {
      return Optional.empty();
    }
    int attempt = parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3));
    return Optional.of(
        new AttemptName(
            kind.equals("m") ? TaskKind.MAP : TaskKind.REDUCE,
            Integer.parseInt(parts.group(2)),
            attempt));
  }
}
