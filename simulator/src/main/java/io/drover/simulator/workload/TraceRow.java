// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVRecord;

/**
 * One line of a trace, whose fields are asked for by their place and the name that the format gives
 * them, and are checked as they are read.
 */
final class TraceRow {
  private static final Pattern DECIMAL = Pattern.compile("[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  /** How much of a wrong field a message shows. */
  private static final int SHOWN = 60;

  private final Path file;
  private final long line;
  private final CSVRecord fields;

  TraceRow(Path file, long line, CSVRecord fields) {
    this.file = file;
    this.line = line;
    this.fields = fields;
  }

  /** From 1. */
  long line() {
    return line;
  }

  /** How many fields there are. */
  int columns() {
    return fields.size();
  }

  /** The field as it stands; nothing where the line is too short. */
  String text(int column) {
    return column < fields.size() ? fields.get(column) : "";
  }

  /** Whether nothing stands in the field. */
  boolean isBlank(int column) {
    return text(column).isBlank();
  }

  /** A field that must not be blank. */
  String name(int column, String name) throws TraceException {
    if (isBlank(column)) {
      throw wrong(column, name, "a name");
    }
    return text(column);
  }

  /** A whole number in a range. */
  long whole(int column, String name, long least, long most) throws TraceException {
    return whole(column, name, text(column), least, most);
  }

  /** A whole number in a range that is only a part of the field. */
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

  /** A number in a range, from 0. */
  double number(int column, String name, double most) throws TraceException {
    return number(column, name, text(column), most);
  }

  /** A number in a range, from 0, that is only a part of the field. */
  double number(int column, String name, String part, double most) throws TraceException {
    if (DECIMAL.matcher(part).matches()) {
      double value = Double.parseDouble(part);
      if (value <= most) {
        return value;
      }
    }
    throw wrong(column, name, "a number from 0 to " + BigDecimal.valueOf(most).toPlainString());
  }

  /** Checks that the line is the header of a table. */
  void mustBe(String header) throws TraceException {
    if (!String.join(",", fields).equals(header)) {
      throw error("'" + shown(String.join(",", fields)) + "' stands there; " + header);
    }
  }

  /** Checks the number of fields. */
  void mustHave(int least, int most, String format) throws TraceException {
    if (columns() < least || columns() > most) {
      throw error(
          columns()
              + (columns() == 1 ? " field" : " fields")
              + " stand there, the first of which is '"
              + shown(text(0))
              + "'; "
              + format);
    }
  }

  /** An error of a field, with what would be right there. */
  TraceException wrong(int column, String name, String right) {
    return wrong(column, name, right, null);
  }

  private TraceException wrong(int column, String name, String right, Throwable cause) {
    boolean missing = column >= fields.size() || text(column).isEmpty();
    String there = missing ? "nothing" : "'" + shown(text(column)) + "'";
    String field = ", field " + (column + 1) + " (" + name + "): ";
    return new TraceException(
        file + ", line " + line + field + there + " stands there; " + right + " would be right",
        cause);
  }

  private TraceException error(String whatAndRight) {
    return new TraceException(file + ", line " + line + ": " + whatAndRight + " would be right");
  }

  private static String wholeIn(long least, long most) {
    return "a whole number from " + least + " to " + most;
  }

  static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}
