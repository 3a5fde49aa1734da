// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the history file of one job ({@code *.jhist}), as the AppMasters of Hadoop 0.23, 2 and 3
 * write it: a line with the encoding, a line with the Avro schema, and the events as JSON or binary
 * data. Lines before the encoding are passed over, since such files are found with a comment at
 * their head. The file may be gzipped.
 */
public final class JobHistory {
  private static final Logger LOG = LoggerFactory.getLogger(JobHistory.class);
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  /** A schema is one line of about 20 KB. */
  private static final int LONGEST_LINE = 1 << 20;

  private static final int MOST_LINES_BEFORE = 200;

  private JobHistory() {}

  /**
   * Reads a file.
   *
   * @throws HistoryFormatException if it is no history; says what is wrong where
   * @throws IOException if it cannot be read
   */
  public static JobRecord read(FileSystem files, Path file) throws IOException {
    try (InputStream in = files.open(file)) {
      return read(in, file.getName());
    }
  }

  /**
   * Reads a file.
   *
   * @param in its content
   * @param file its name, for messages
   * @throws HistoryFormatException if it is no history; says what is wrong where
   * @throws IOException if it cannot be read
   */
  public static JobRecord read(InputStream in, String file) throws IOException {
    JobAssembler job = new JobAssembler();
    try {
      EventSource events = open(unpacked(new BufferedInputStream(in, 1 << 16)), file);
      for (Optional<RecordedEvent> e = events.next(); e.isPresent(); e = events.next()) {
        job.add(e.get());
      }
    } catch (EOFException | ZipException e) {
      LOG.debug("{} is cut off: its gzip data ends too early", file, e);
    } catch (StackOverflowError e) { // Avro and the Jackson of Hadoop 3.4 have no limit
      throw new HistoryFormatException(
          file + ": its values are nested too deep, expected the history of a MapReduce job", e);
    }
    return job.job(file);
  }

  private static InputStream unpacked(InputStream raw) throws IOException {
    raw.mark(2);
    boolean gzipped = raw.read() == GZIP_FIRST && raw.read() == GZIP_SECOND;
    raw.reset();
    return gzipped ? new BufferedInputStream(new GZIPInputStream(raw), 1 << 16) : raw;
  }

  private static EventSource open(InputStream in, String file) throws IOException {
    for (int lines = 1; lines <= MOST_LINES_BEFORE; lines++) {
      Optional<String> line = line(in, file, lines);
      if (line.isEmpty()) {
        break;
      }
      switch (line.get().strip()) {
        case "Avro-Json" -> {
          schema(in, file, lines + 1);
          return new JsonEvents(in, file, lines + 1);
        }
        case "Avro-Binary" -> {
          return new BinaryEvents(in, schema(in, file, lines + 1), file);
        }
        default -> refuseOldFormat(line.get(), file);
      }
    }
    throw new HistoryFormatException(
        file + ": found no line Avro-Json or Avro-Binary, expected the history of a MapReduce job");
  }

  private static String schema(InputStream in, String file, int line) throws IOException {
    String schema = line(in, file, line).orElse("");
    if (!schema.startsWith("{")) {
      throw HistoryFormatException.wrong(
          file + ", line " + line, "schema", schema, "the Avro schema of events");
    }
    return schema;
  }

  private static void refuseOldFormat(String line, String file) throws HistoryFormatException {
    if (line.startsWith("Meta VERSION=")) {
      throw new HistoryFormatException(
          file
              + ", line 1: this is a history of Hadoop 1 or older, expected one of Hadoop 0.23 or"
              + " newer; Rumen's TraceBuilder turns it into a trace for `drover simulate`");
    }
  }

  /** Reads a line and not a byte more; empty at the end of the file. */
  private static Optional<String> line(InputStream in, String file, int number) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return Optional.empty();
    }
    for (; next >= 0 && next != '\n'; next = in.read()) {
      if (line.size() >= LONGEST_LINE) {
        throw new HistoryFormatException(
            file + ", line " + number + ": longer than 1 MB, expected the head of a history");
      }
      line.write(next);
    }
    return Optional.of(line.toString(StandardCharsets.UTF_8));
  }
}
