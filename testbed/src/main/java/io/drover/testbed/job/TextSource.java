// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Provides real text: a user's files, or what every machine that runs this has. That is the pages
 * of this repository, licences, notices and descriptions of settings in the jars on the class path,
 * and the licences and documents of the JDK and the system. The same machine gives the same lines
 * in the same order.
 */
final class TextSource {
  private static final Pattern IN_JARS =
      Pattern.compile("(.*/)?(license|notice|readme|changes)[^/]*|.*-default\\.xml|.*\\.(txt|md)");
  private static final int LONGEST_LINE = 1000;
  private static final long LARGEST_FILE = 64L << 20;
  private static final int DEPTH = 8;

  private final long enough;
  private final List<byte[]> lines = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();
  private long bytes;

  private TextSource(long enough) {
    this.enough = enough;
  }

  /**
   * Returns lines of text, without their ends.
   *
   * @param input a file or directory; if empty, text found on this machine
   * @param enough bytes after which to stop; there may be fewer
   */
  static List<byte[]> lines(Optional<Path> input, long enough) throws IOException {
    TextSource source = new TextSource(enough);
    if (input.isPresent()) {
      if (!Files.exists(input.get())) {
        throw new IOException("the input does not exist: " + input.get());
      }
      source.addTree(input.get(), Pattern.compile(".*"));
    } else {
      source.addWhatIsHere();
    }
    if (source.lines.isEmpty()) {
      throw new IOException(
          "no text found in " + input.map(Path::toString).orElse("this machine's files"));
    }
    return source.lines;
  }

  private void addWhatIsHere() throws IOException {
    String home = System.getProperty("drover.home");
    if (home != null) {
      addTree(Path.of(home, "docs"), Pattern.compile(".*\\.md"));
    }
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      if (entry.endsWith(".jar") && Files.isReadable(jar)) {
        addJar(jar);
      }
    }
    addTree(Path.of(System.getProperty("java.home"), "legal"), Pattern.compile(".*"));
    addTree(Path.of("/usr/share/common-licenses"), Pattern.compile(".*"));
    addTree(
        Path.of("/usr/share/doc"),
        Pattern.compile(".*/(copyright|readme[^/]*|news[^/]*|[^/]*\\.(txt|md))"));
  }

  private void addTree(Path root, Pattern wanted) throws IOException {
    if (!Files.isReadable(root) || isEnough()) {
      return;
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(root, DEPTH, FileVisitOption.FOLLOW_LINKS)) {
      files =
          walk.filter(Files::isRegularFile)
              .filter(Files::isReadable)
              .filter(f -> wanted.matcher(f.toString().toLowerCase(Locale.ROOT)).matches())
              .sorted(Comparator.naturalOrder())
              .toList();
    } catch (java.io.UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path file : files) {
      if (isEnough()) {
        return;
      }
      if (Files.size(file) <= LARGEST_FILE) {
        add(Files.readAllBytes(file));
      } else {
        try (InputStream in = Files.newInputStream(file)) {
          add(in.readNBytes((int) LARGEST_FILE));
        }
      }
    }
  }

  private void addJar(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements() && !isEnough()) {
        ZipEntry entry = entries.nextElement();
        if (!entry.isDirectory()
            && IN_JARS.matcher(entry.getName().toLowerCase(Locale.ROOT)).matches()) {
          try (InputStream in = zip.getInputStream(entry)) {
            add(in.readNBytes((int) LARGEST_FILE));
          }
        }
      }
    }
  }

  private boolean isEnough() {
    return bytes >= enough;
  }

  /** Adds a file's lines, unless it is not text or the same text was added before. */
  private void add(byte[] content) {
    for (byte b : content) {
      if (b == 0) {
        return;
      }
    }
    String text = new String(content, StandardCharsets.UTF_8);
    if (!seen.add(text.length() + ":" + text.hashCode())) {
      return;
    }
    text.lines()
        .filter(line -> !line.isBlank())
        .map(line -> line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) : line)
        .map(line -> line.getBytes(StandardCharsets.UTF_8))
        .forEach(
            line -> {
              lines.add(line);
              bytes += line.length + 1L;
            });
  }
}
