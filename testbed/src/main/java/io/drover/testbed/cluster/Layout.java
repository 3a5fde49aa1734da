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

/**
 * Where things are in a cluster's directory.
 *
 * @param root the directory, without symbolic links
 */
record Layout(Path root) {

  /** Read by every daemon: one site file, and what HDFS's web servers ask for. */
  Path conf() {
    return root.resolve("conf");
  }

  Path hostsFile() {
    return conf().resolve("hosts");
  }

  Path daemonArguments() {
    return conf().resolve("daemon.args");
  }

  /** The arguments of JVMs in containers. */
  Path containerArguments() {
    return conf().resolve("container.args");
  }

  Path logs() {
    return root.resolve("logs");
  }

  Path log(String daemon) {
    return logs().resolve(daemon + ".log");
  }

  /** Where daemons say that a part of them serves. */
  Path signs() {
    return root.resolve("run");
  }

  Path sign(String part) {
    return signs().resolve(part);
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

  /** Where containers of a host write their logs. */
  Path containerLogs(String host) {
    return host(host).resolve("logs");
  }

  /** A part of a daemon says that it serves. */
  void signal(String part) throws IOException {
    Files.createFile(sign(part));
  }

  /** Removes a directory with all that is in it, even while others still remove in it too. */
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

  /** The layout of the cluster a daemon belongs to. */
  static Layout of(String directory) {
    try {
      return new Layout(Path.of(directory).toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
