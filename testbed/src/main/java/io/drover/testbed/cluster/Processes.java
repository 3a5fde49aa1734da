// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds a cluster's processes by their working directories, and kills them. Every daemon is started
 * in its own directory under the cluster's, and a NodeManager starts every container in one under
 * its host's. So this finds orphans too, and needs no pid file.
 */
final class Processes {
  private static final Path PROC = Path.of("/proc");
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Processes() {}

  /** A process and its working directory. */
  record Found(long pid, String directory) {}

  /** Returns the processes that work in a directory or below it, except this one. */
  static List<Found> under(Path directory) throws IOException {
    String root = directory.toString();
    long self = ProcessHandle.current().pid();
    List<Found> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path entry : entries) {
        long pid = Long.parseLong(entry.getFileName().toString());
        Optional<String> cwd = workingDirectory(entry);
        if (pid != self && cwd.filter(d -> isWithin(d, root)).isPresent()) {
          found.add(new Found(pid, cwd.get()));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  /** Kills the processes under a directory with SIGKILL, until none is left. */
  static void killUnder(Path directory, Duration limit) throws IOException, InterruptedException {
    boolean gone =
        Await.until(
            limit,
            PAUSE,
            () -> {
              List<Found> left = under(directory);
              left.forEach(process -> kill(process.pid()));
              return left.isEmpty();
            });
    if (!gone) {
      throw new IOException("processes survive SIGKILL: " + under(directory));
    }
  }

  /** Returns the command line of a process; empty if it is gone or hidden. */
  static List<String> commandLine(long pid) {
    try {
      String raw =
          Files.readString(
              PROC.resolve(Long.toString(pid)).resolve("cmdline"), StandardCharsets.ISO_8859_1);
      return List.of(raw.split("\0"));
    } catch (IOException e) {
      return List.of(); // it has ended since it was found
    }
  }

  /** Sends a signal to a process. One that has ended meanwhile is no error. */
  static void signal(String name, long pid) throws IOException {
    Process kill =
        new ProcessBuilder(
                "/bin/sh",
                "-c",
                "kill -\"$1\" \"$2\" 2> /dev/null || true",
                "sh",
                name,
                Long.toString(pid))
            .start();
    try {
      kill.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  private static Optional<String> workingDirectory(Path process) {
    try {
      return Optional.of(Files.readSymbolicLink(process.resolve("cwd")).toString());
    } catch (IOException e) {
      return Optional.empty(); // another user's, a zombie, or just ended
    }
  }

  private static boolean isWithin(String path, String root) {
    // The kernel marks a directory that was removed under a process: "/a/b (deleted)".
    return path.equals(root) || path.startsWith(root + "/") || path.equals(root + " (deleted)");
  }
}
