// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads and checks the fields of one line of a trace. A field is given by its column and by its
 * name in the format.
 */
final class TraceRow {
  private static final Pattern DECIMAL = Pattern.compile("[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  /** The number of characters of a wrong field that a message shows. */
  private static final int SHOWN = 60;

  private final Path file;
  private final long line;
  private final CSVRecord fields;
  private final boolean whole;

  /**
   * Creates a row.
   *
   * @param line the line number, from 1
   * @param whole whether the line ends with a line break
   */
  TraceRow(Path file, long line, CSVRecord fields, boolean whole) {
    this.file = file;
    this.line = line;
    this.fields = fields;
    this.whole = whole;
  }

  int columns() {
    return fields.size();
  }

  /** Returns the unchecked text of a field; empty if the line is too short. */
  String text(int column) {
    return column < fields.size() ? fields.get(column) : "";
  }

  boolean isBlank(int column) {
    return text(column).isBlank();
  }

  /** Returns a field that must not be blank. */
  String name(int column, String name) throws TraceException {
    if (isBlank(column)) {
      throw wrong(column, name, "a name");
    }
    return text(column);
  }

  /** Returns a field that must be a whole number from {@code least} to {@code most}. */
  long whole(int column, String name, long least, long most) throws TraceException {
    return whole(column, name, text(column), least, most);
  }

  /** Parses a part of a field that must be a whole number from {@code least} to {@code most}. */
  long whole(int column, String name, String part, long least, long most) throws TraceException {
    try {
      long value = Long.parseLong(part);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw wrong(column, name, wholeIn(least, most), e);
    }
    throw wrong(column, name, wholeIn(least, most));
  }

  /** Returns a field that must be a number from 0 to {@code most}. */
  double number(int column, String name, double most) throws TraceException {
    return number(column, name, text(column), most);
  }

  /** Parses a part of a field that must be a number from 0 to {@code most}. */
  double number(int column, String name, String part, double most) throws TraceException {
    if (DECIMAL.matcher(part).matches()) {
      double value = Double.parseDouble(part);
      if (value <= most) {
        return value;
      }
    }
    throw wrong(column, name, "a number from 0 to " + BigDecimal.valueOf(most).toPlainString());
  }

  /** Checks that the line ends with a line break, and so has its last field in full. */
  void mustBeWhole() throws TraceException {
    if (!whole) {
      throw error(
          "the file ends within this line and may be cut off, expected a line break at its end");
    }
  }

  /** Checks that the line is the header of a table. */
  void mustBe(String header) throws TraceException {
    if (!String.join(",", fields).equals(header)) {
      throw error("found '" + shown(String.join(",", fields)) + "', expected " + header);
    }
  }

  /** Checks the number of fields. */
  void mustHave(int least, int most, String format) throws TraceException {
    if (columns() < least || columns() > most) {
      throw error(
          "found "
              + columns()
              + (columns() == 1 ? " field" : " fields")
              + ", the first is '"
              + shown(text(0))
              + "', expected "
              + format);
    }
  }

  /** Creates an exception for a wrong field; {@code right} says what was expected. */
  TraceException wrong(int column, String name, String right) {
    return wrong(column, name, right, null);
  }

  private TraceException wrong(int column, String name, String right, Throwable cause) {
    boolean missing = column >= fields.size() || text(column).isEmpty();
    String there = missing ? "nothing" : "'" + shown(text(column)) + "'";
    String field = ", field " + (column + 1) + " (" + name + "): ";
    return new TraceException(
        file + ", line " + line + field + "found " + there + ", expected " + right, cause);
  }

  private TraceException error(String foundAndExpected) {
    return new TraceException(file + ", line " + line + ": " + foundAndExpected);
  }

  private static String wholeIn(long least, long most) {
    return "a whole number from " + least + " to " + most;
  }

  static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}
