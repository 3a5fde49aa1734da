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
 * A trace that has one record a line, its fields parted by one character. Nothing is quoted or
 * escaped in the traces, so that a row is a line.
 */
final class TraceTable {
  private TraceTable() {}

  /** What takes the rows of a table. */
  interface Rows {
    /** Takes the next row. */
    void take(TraceRow row) throws TraceException;
  }

  /**
   * Reads all rows.
   *
   * @param right what the file should be, for the message if it is empty
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
                        + ": the file ends inside the line, and may be cut off there; a line break"
                        + " at its end would be right");
              }
              return last;
            });
    if (lines == 0) {
      throw new TraceException(file + ", line 1: the file is empty; " + right + " would be right");
    }
  }

  /** The parser hides the file's errors in unchecked ones: this brings them back. */
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

  /** Remembers the last character: a number that was cut off is a number too. */
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
