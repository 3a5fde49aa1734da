// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of a cluster's processes, in two parts. Third-party jars come first, because they
 * do not change from build to build: a class archive works as long as the class path begins with
 * the jars it was made of. Drover's own jars and all directories follow.
 *
 * @param stable third-party jars
 * @param own Drover's jars, the user's, and directories
 */
record ClassPath(List<Path> stable, List<Path> own) {
  /** Jars that only tests need. Hadoop's test jars have a core-site.xml and a log4j.properties. */
  private static final Pattern NOT_FOR_DAEMONS =
      Pattern.compile(
          "(.*-tests|junit-.*|assertj-.*|mockito-.*|archunit.*|byte-buddy.*|surefire.*"
              + "|opentest4j.*|apiguardian.*|objenesis.*)\\.jar");

  /** Drover's jars; without a version, one that an administrator put on Hadoop's class path. */
  private static final Pattern DROVERS = Pattern.compile("drover(-.*)?\\.jar");

  /** Returns this process's class path, with additions. */
  static ClassPath ofThisProcess(List<Path> extra) {
    Set<Path> stable = new LinkedHashSet<>();
    Set<Path> own = new LinkedHashSet<>();
    for (Path addition : extra) {
      own.add(addition.toAbsolutePath().normalize());
    }
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (entry.isEmpty()) {
        continue;
      }
      Path path = Path.of(entry).toAbsolutePath().normalize();
      String name = path.getFileName().toString();
      if (!Files.exists(path) || NOT_FOR_DAEMONS.matcher(name).matches()) {
        continue;
      }
      if (Files.isDirectory(path) || DROVERS.matcher(name).matches()) {
        own.add(path);
      } else {
        stable.add(path);
      }
    }
    stable.removeAll(own);
    // Jars with most of the classes come first, because a JVM searches one jar after the other.
    List<Path> ordered = new ArrayList<>(stable);
    ordered.sort(Comparator.comparing(jar -> !jar.getFileName().toString().startsWith("hadoop-")));
    return new ClassPath(List.copyOf(ordered), List.copyOf(own));
  }

  /** Returns the value for {@code -cp}, with a directory at the end. */
  String with(Path last) {
    return join(Stream.concat(Stream.concat(stable.stream(), own.stream()), Stream.of(last)));
  }

  /** Returns the value for {@code -cp}. */
  String all() {
    return join(Stream.concat(stable.stream(), own.stream()));
  }

  /** Returns the value for {@code -cp} when archives are made. */
  String stablePart() {
    return join(stable.stream());
  }

  /**
   * Returns a fingerprint. It changes if an archive made of the stable part may no longer be used.
   *
   * @param classes the list of the archived classes
   */
  String fingerprint(byte[] classes) throws IOException {
    List<String> facts = new ArrayList<>();
    facts.add(System.getProperty("java.vm.version"));
    facts.add(System.getProperty("java.home"));
    for (Path jar : stable) {
      facts.add(jar + " " + Files.size(jar) + " " + Files.getLastModifiedTime(jar).toMillis());
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(String.join("\n", facts).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(classes), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String join(Stream<Path> paths) {
    return paths.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
