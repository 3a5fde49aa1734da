// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The wall clock of a host's processes, which can be put forward and back while they run. Linux has
 * one such clock for a machine; so libfaketime stands between the processes and the system. The
 * clock by which a JVM measures intervals stays as it is.
 */
public final class MovableClock {
  private static final Path LIBRARIES = Path.of("/usr/lib");
  private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

  private final Path file;

  /**
   * Describes a clock that is right.
   *
   * @param file where its offset is kept, for the processes to read
   */
  public MovableClock(Path file) {
    this.file = file;
  }

  /** Returns the library; empty if it is not installed. */
  private static Optional<Path> library() throws IOException {
    if (!Files.isDirectory(LIBRARIES)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> architectures = Files.newDirectoryStream(LIBRARIES)) {
      for (Path architecture : architectures) {
        Path library = architecture.resolve(LIBRARY);
        if (Files.isReadable(library)) {
          return Optional.of(library);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns why no clock can be moved here, and what to do about it; empty if it can. */
  public static Optional<String> objection() throws IOException {
    return library().isPresent()
        ? Optional.empty()
        : Optional.of(
            "there is no libfaketime: install it (Debian and Ubuntu: apt-get install libfaketime)");
  }

  /**
   * Returns the environment of processes that go by this clock.
   *
   * @throws IOException if there can be none here
   */
  public Map<String, String> environment() throws IOException {
    set(Duration.ZERO);
    Path library = library().orElseThrow(() -> new IOException(missing()));
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
        "FAKETIME_TIMESTAMP_FILE",
        file.toString(),
        "FAKETIME_CACHE_DURATION",
        "1",
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0"); // with it, threads of a JVM that wait for a time do not wait, but spin
  }

  private static String missing() {
    try {
      return objection().orElse("libfaketime has just gone");
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Puts the clock forward by an offset, or back. Processes notice it within a second. */
  public void set(Duration offset) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, (offset.isNegative() ? "" : "+") + offset.toSeconds() + "s\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
