// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

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
 * traces do not quote or escape anything, so a row is always one line.
 */
final class TraceTable {
  private TraceTable() {}

  /** Receives the rows of a table. */
  interface Rows {
    /** Handles the next row. */
    void take(TraceRow row) throws TraceException;
  }

  /**
   * Reads all rows.
   *
   * @param right what the file should contain, for the message if it is empty
   */
  static void read(Path file, char delimiter, String right, Rows rows) throws TraceException {
    long lines =
        TraceFiles.read(
            file,
            text -> {
              Ending ending = new Ending(text);
              long last = 0;
              try (CSVParser parser = CSVParser.parse(ending, CSVFormat.newFormat(delimiter))) {
                Iterator<CSVRecord> records = parser.iterator();
                for (var next = next(records); next.isPresent(); next = next(records)) {
                  last = next.get().getRecordNumber();
                  rows.take(new TraceRow(file, last, next.get()));
                }
              }
              if (ending.last != '\n' && ending.last != '\r' && last > 0) {
                throw new TraceException(
                    file
                        + ", line "
                        + last
                        + ": the file ends within this line and may be cut off, expected a line"
                        + " break at its end");
              }
              return last;
            });
    if (lines == 0) {
      throw new TraceException(file + ", line 1: the file is empty, expected " + right);
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
