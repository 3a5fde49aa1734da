// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Opens trace files, plain or gzipped. The first two bytes of a file, not its name, decide which of
 * the two it is. Every error is reported as a {@link TraceException} that names the file.
 */
public final class TraceFiles {
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  private TraceFiles() {}

  /** Parses the text of a file into a value. */
  public interface Reading<T> {
    /** Parses as much of the text as it needs. */
    T from(BufferedReader text) throws IOException;
  }

  /** Reads a file of UTF-8 text and closes it. */
  public static <T> T read(Path file, Reading<T> reading) throws TraceException {
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
        BufferedReader text =
            new BufferedReader(
                // An explicit decoder reports invalid UTF-8 instead of replacing it.
                new InputStreamReader(unpacked(raw), StandardCharsets.UTF_8.newDecoder()))) {
      return reading.from(text);
    } catch (TraceException e) {
      throw e;
    } catch (IOException e) {
      throw new TraceException(file + ": " + why(e), e);
    } catch (UncheckedIOException e) { // from streams of lines
      throw new TraceException(file + ": " + why(e.getCause()), e);
    }
  }

  private static InputStream unpacked(InputStream raw) throws IOException {
    raw.mark(2);
    boolean gzipped = raw.read() == GZIP_FIRST && raw.read() == GZIP_SECOND;
    raw.reset();
    return gzipped ? new GZIPInputStream(raw) : raw;
  }

  private static String why(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (e instanceof EOFException) {
      return "the gzip data ends too early: the file is cut off; use a complete copy";
    }
    if (e instanceof ZipException) {
      return "the gzip data is damaged (" + e.getMessage() + "); use an intact copy";
    }
    if (e instanceof CharacterCodingException) {
      return "the file is not text, expected plain or gzipped UTF-8";
    }
    return "the file cannot be read (" + e.getMessage() + ")";
  }
}
