// SPDX-License-Identifier: Apache-2.0
package io.drover.it.clients;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Writes what clients read, and reads what they have written. */
final class ClientFiles {
  private static final String[] WORDS = {
    "straggler", "herd", "clone", "outlier", "rack", "uplink", "attempt", "phase", "drover"
  };

  private ClientFiles() {}

  /** Writes files of lines with a number and some words; the same each time. */
  static Path words(FileSystem fs, String directory, int files, int lines) throws IOException {
    Path to = new Path(directory);
    for (int file = 0; file < files; file++) {
      try (PrintStream out =
          new PrintStream(
              fs.create(new Path(to, "words-" + file)), false, StandardCharsets.UTF_8)) {
        for (int line = 0; line < lines; line++) {
          int n = file * lines + line;
          out.println(n + " " + WORDS[n % 9] + " " + WORDS[n % 7] + " " + WORDS[n * 31 % 8]);
        }
      }
    }
    return to;
  }

  /**
   * Returns the digest and the length of each file below a directory, by its name. What begins with
   * a dot or an underscore, such as _SUCCESS, is left out.
   */
  static Map<String, String> digests(FileSystem fs, String directory) throws IOException {
    Path root = fs.makeQualified(new Path(directory));
    Map<String, String> digests = new TreeMap<>();
    for (Path file : files(fs, root)) {
      try (InputStream in = fs.open(file)) {
        byte[] bytes = in.readAllBytes();
        String digest = HexFormat.of().formatHex(sha256().digest(bytes));
        digests.put(
            root.toUri().relativize(file.toUri()).toString(), bytes.length + " bytes, " + digest);
      }
    }
    return digests;
  }

  /** Returns the lines of all files below a directory, sorted. */
  static List<String> sortedLines(FileSystem fs, String directory) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : files(fs, fs.makeQualified(new Path(directory)))) {
      try (InputStream in = fs.open(file)) {
        lines.addAll(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      }
    }
    Collections.sort(lines);
    return lines;
  }

  private static List<Path> files(FileSystem fs, Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = fs.listFiles(root, true);
    while (all.hasNext()) {
      Path file = all.next().getPath();
      if (!file.getName().startsWith("_") && !file.getName().startsWith(".")) {
        files.add(file);
      }
    }
    Collections.sort(files);
    return files;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
