// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * Knows where files are in a cluster's directory.
 *
 * @param root the directory, without symbolic links
 */
record Layout(Path root) {

  /** Returns the directory of the site files, and of the files that HDFS's web servers need. */
  Path conf() {
    return root.resolve("conf");
  }

  Path hostsFile() {
    return conf().resolve("hosts");
  }

  Path daemonArguments() {
    return conf().resolve("daemon.args");
  }

  /** Returns the file with the arguments of JVMs in containers. */
  Path containerArguments() {
    return conf().resolve("container.args");
  }

  Path logs() {
    return root.resolve("logs");
  }

  Path log(String daemon) {
    return logs().resolve(daemon + ".log");
  }

  /** Returns the directory in which daemons signal that a part of them serves. */
  Path signs() {
    return root.resolve("run");
  }

  Path sign(String part) {
    return signs().resolve(part);
  }

  /** Returns where Drover's scheduler keeps what it learns. */
  Path statistics() {
    return master().resolve("drover-statistics");
  }

  Path temp() {
    return root.resolve("tmp");
  }

  Path owner() {
    return root.resolve("owner");
  }

  Path master() {
    return root.resolve("master");
  }

  Path hosts() {
    return root.resolve("hosts");
  }

  Path host(String name) {
    return hosts().resolve(name);
  }

  /** Where the offset of a host's clock is. */
  Path clock(String host) {
    return root().resolve("clock-" + host);
  }

  /** Where a host keeps map outputs and the working directories of its containers. */
  Path localFiles(String host) {
    return host(host).resolve("local");
  }

  /** Returns the directory in which the containers of a host write their logs. */
  Path containerLogs(String host) {
    return host(host).resolve("logs");
  }

  /** Signals that a part of a daemon serves. */
  void signal(String part) throws IOException {
    Files.createFile(sign(part));
  }

  /** Removes a directory and everything in it, even while others remove files in it too. */
  static void delete(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, IOException e) throws IOException {
            if (e != null && !(e instanceof NoSuchFileException)) {
              throw e;
            }
            Files.deleteIfExists(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Returns the layout of the cluster that a daemon belongs to. */
  static Layout of(String directory) {
    try {
      return new Layout(Path.of(directory).toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns words that start a command with a disk in memory for a directory. Only that command and
   * its children see it, where they have mounts of their own; it goes with the last of them.
   */
  static List<String> onDiskInMemory(Path directory, int megabytes) {
    String script =
        "mkdir -p \"$1\" && mount -t tmpfs -o size=$2m drover \"$1\" && shift 2 && exec \"$@\"";
    return List.of(
        "/bin/sh", "-c", script, "sh", directory.toString(), Integer.toString(megabytes));
  }
}
