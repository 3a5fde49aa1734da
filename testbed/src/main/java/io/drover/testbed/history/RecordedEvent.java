// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import io.drover.core.text.ForeignText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One event of a history, whichever Hadoop wrote it.
 *
 * @param type the type, such as {@code MAP_ATTEMPT_FINISHED}
 * @param place where it stands, for messages: the file, and the line or the number of the event
 * @param fields the fields that were recorded: texts, numbers, lists of numbers, and counters by
 *     {@code group/name}
 */
record RecordedEvent(String type, String place, Map<String, Object> fields) {
  /** The year 2286 in milliseconds since 1970. A later time means that a field is damaged. */
  private static final long LATEST = 10_000_000_000_000L;

  /**
   * Returns a text; empty if it was not recorded. JSON can hold half a character, which could not
   * be written again.
   */
  Optional<String> text(String field) {
    return Optional.ofNullable(fields.get(field))
        .map(value -> ForeignText.wellFormed(value.toString()));
  }

  /**
   * Returns a text that must be there.
   *
   * @throws HistoryFormatException if it is not
   */
  String needed(String field) throws HistoryFormatException {
    Optional<String> text = text(field);
    if (text.isEmpty() || text.get().isBlank()) {
      throw HistoryFormatException.wrong(place, field, "nothing", "a text");
    }
    return text.get();
  }

  /**
   * Returns a time in milliseconds since 1970; empty if it was not recorded. Hadoop writes 0 or -1
   * for a time that it does not know.
   *
   * @throws HistoryFormatException if the field holds no time
   */
  OptionalLong time(String field) throws HistoryFormatException {
    Object value = fields.get(field);
    if (value == null) {
      return OptionalLong.empty();
    }
    if (value instanceof Number number && number.longValue() <= LATEST) {
      long time = number.longValue();
      return time > 0 ? OptionalLong.of(time) : OptionalLong.empty();
    }
    throw HistoryFormatException.wrong(
        place, field, value, "a time in milliseconds from 0 to " + LATEST);
  }

  /**
   * Returns a count; 0 if it was not recorded or is negative.
   *
   * @throws HistoryFormatException if the field holds no number that an int can hold
   */
  int count(String field) throws HistoryFormatException {
    Object value = fields.getOrDefault(field, 0L);
    if (value instanceof Number number && number.longValue() <= Integer.MAX_VALUE) {
      return (int) Math.max(0, number.longValue());
    }
    throw HistoryFormatException.wrong(
        place, field, value, "a whole number from 0 to " + Integer.MAX_VALUE);
  }

  /** Returns whether a field is true. */
  boolean flag(String field) {
    return Boolean.TRUE.equals(fields.get(field));
  }

  /** Returns a list of numbers; empty if it was not recorded. */
  List<Integer> numbers(String field) {
    return fields.get(field) instanceof List<?> list
        ? list.stream().map(each -> ((Number) each).intValue()).toList()
        : List.of();
  }

  /** Returns counters by {@code group/name}; empty if they were not recorded. */
  Map<String, Long> counters(String field) {
    if (!(fields.get(field) instanceof Map<?, ?> map)) {
      return Map.of();
    }
    @SuppressWarnings("unchecked") // only EventFields puts maps into fields
    Map<String, Long> counters = (Map<String, Long>) map;
    return counters;
  }
}
