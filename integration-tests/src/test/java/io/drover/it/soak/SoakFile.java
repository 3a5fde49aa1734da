// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The pairs of a soak that are done, a JSON line each, so that it can be stopped at any moment and
 * gone on with. A pair whose line was not written to its end is run again.
 */
final class SoakFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final Map<Integer, SoakRecord> done;

  private SoakFile(Path file, Map<Integer, SoakRecord> done) {
    this.file = file;
    this.done = done;
  }

  /**
   * Reads what is there, and cuts a last line that has no end.
   *
   * @throws IOException if a whole line says nothing: the file is another one
   */
  static SoakFile open(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    String text = Files.exists(file) ? Files.readString(file) : "";
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    Map<Integer, SoakRecord> done = new TreeMap<>();
    for (String line : whole.lines().toList()) {
      SoakRecord record = read(file, line);
      done.put(record.pair(), record);
    }
    if (whole.length() < text.length()) {
      Files.writeString(file, whole);
    }
    return new SoakFile(file, done);
  }

  private static SoakRecord read(Path file, String line) throws IOException {
    try {
      return JSON.readValue(line, SoakRecord.class);
    } catch (JsonProcessingException e) {
      throw new IOException(file + " holds no pair of a soak: " + line, e);
    }
  }

  /**
   * What came of a pair, if it is done.
   *
   * @throws IllegalStateException if something else was drawn then: the drawing has changed since
   */
  Optional<SoakRecord> of(SoakPair pair) {
    SoakRecord record = done.get(pair.number());
    if (record == null) {
      return Optional.empty();
    }
    boolean isSame =
        record.cluster().equals(pair.cluster().title())
            && record.job().equals(pair.title())
            && record.fault() == pair.fault();
    if (!isSame) {
      throw new IllegalStateException(
          file + " is of another soak: pair " + pair.number() + " is " + record.job() + " there");
    }
    return Optional.of(record);
  }

  /** Notes that a pair is done. */
  void add(SoakRecord record) throws IOException {
    Files.write(
        file,
        (JSON.writeValueAsString(record) + '\n').getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    done.put(record.pair(), record);
  }

  /** The pairs of a list that are not done. */
  List<SoakPair> open(List<SoakPair> pairs) {
    List<SoakPair> open = new ArrayList<>();
    for (SoakPair pair : pairs) {
      if (of(pair).isEmpty()) {
        open.add(pair);
      }
    }
    return open;
  }
}
