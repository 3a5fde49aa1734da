// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads traces that have one record per line, with the fields separated by one character. The
 * traces do not quote or escape anything, so a row is always one line. Comments before the first
 * row are skipped.
 *
 * @param file plain or gzipped
 * @param delimiter the character between two fields
 * @param right what the file should contain, for the message if it is empty
 */
record TraceTable(Path file, char delimiter, String right) {
  /** Receives the rows of a table. */
  interface Rows {
    /** Handles the next row. */
    void take(TraceRow row) throws TraceException;
  }

  /** Receives the rows that are bad. */
  interface BadRows {
    /** Handles a row that {@link Rows#take} refused, or throws the error. */
    void take(TraceRow row, TraceException error) throws TraceException;
  }

  /**
   * Reads a table whose first row is a header.
   *
   * @param header receives the first row; if that is bad, so is the whole file
   */
  void read(Rows header, Rows rows, BadRows bad) throws TraceException {
    read(
        row -> {
          row.mustBeWhole();
          header.take(row);
        },
        new Body(rows, bad));
  }

  /** Reads a table without a header. */
  void read(Rows rows, BadRows bad) throws TraceException {
    Body body = new Body(rows, bad);
    read(body, body);
  }

  private record Body(Rows rows, BadRows bad) implements Rows {
    @Override
    public void take(TraceRow row) throws TraceException {
      try {
        row.mustBeWhole();
        rows.take(row);
      } catch (TraceException e) {
        bad.take(row, e);
      }
    }
  }

  private void read(Rows first, Body others) throws TraceException {
    TraceFiles.read(file, text -> readAll(text, first, others));
  }

  /** Returns the number of rows. */
  private long readAll(BufferedReader text, Rows first, Body others) throws IOException {
    long above = LeadingComments.skip(text);
    Ending ending = new Ending(text);
    try (CSVParser parser = CSVParser.parse(ending, CSVFormat.newFormat(delimiter))) {
      Iterator<CSVRecord> records = parser.iterator();
      Rows rows = first;
      Optional<CSVRecord> record = next(records);
      if (record.isEmpty()) {
        throw new TraceException(
            file + ", line " + (above + 1) + ": the file is empty, expected " + right);
      }
      while (record.isPresent()) {
        // Only at the end of the file it is known whether the last line has a line break.
        Optional<CSVRecord> following = next(records);
        long line = above + record.get().getRecordNumber();
        boolean whole = following.isPresent() || ending.isLineBreak();
        rows.take(new TraceRow(file, line, record.get(), whole));
        rows = others;
        record = following;
      }
      return parser.getRecordNumber();
    }
  }

  /** Returns the next record, and unwraps I/O errors from the parser's unchecked exceptions. */
  private static Optional<CSVRecord> next(Iterator<CSVRecord> records) throws IOException {
    try {
      return records.hasNext() ? Optional.of(records.next()) : Optional.empty();
    } catch (IllegalStateException | UncheckedIOException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Remembers the last character, because a number that was cut off may still be a number. */
  private static final class Ending extends FilterReader {
    private int last = '\n';

    Ending(Reader text) {
      super(text);
    }

    boolean isLineBreak() {
      return last == '\n' || last == '\r';
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      last = read >= 0 ? read : last;
      return read;
    }

    @Override
    public int read(char[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      last = read > 0 ? into[offset + read - 1] : last;
      return read;
    }
  }
}
