// SPDX-License-Identifier: Apache-2.0
package io.drover.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A directory that is laid out as a distribution of Hadoop, for want of one: Maven Central has
 * Hadoop's jars, and not its scripts. The jars are those of docker/hadoop/pom.xml, whose versions
 * are what Hadoop itself asks for.
 */
final class StandInHadoop {
  /**
   * Answers as Hadoop's script does: settings first, then directories, most of them with a star.
   */
  private static final String SCRIPT =
      """
      #!/usr/bin/env bash
      home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
      share=$home/share/hadoop
      case $1 in
        classpath)
          echo "${HADOOP_CONF_DIR:-$home/etc/hadoop}:$share/common/lib/*:$share/common/*:$share/hdfs\
      :$share/hdfs/lib/*:$share/hdfs/*:$share/mapreduce/*:$share/yarn:$share/yarn/lib/*:$share/yarn/*"
          ;;
        version) echo "Hadoop 3.5.0" ;;
        *) exit 1 ;;
      esac
      """;

  private final Path home;

  private StandInHadoop(Path home) {
    this.home = home;
  }

  /** Lays a distribution out in a directory that does not exist yet. */
  static StandInHadoop create(Path home) throws IOException {
    StandInHadoop hadoop = new StandInHadoop(home);
    Path script = home.resolve("bin/hadoop");
    Files.createDirectories(script.getParent());
    Files.writeString(script, SCRIPT);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (Path jar : jars()) {
      hadoop.place(jar);
    }
    // A cluster that is not there: whoever reads it by mistake fails.
    Files.createDirectories(hadoop.settings());
    Files.writeString(
        hadoop.settings().resolve("core-site.xml"),
        """
        <configuration>
          <property><name>fs.defaultFS</name><value>hdfs://nowhere.invalid:8020</value></property>
        </configuration>
        """);
    return hadoop;
  }

  /** Returns its directory, the value of HADOOP_HOME. */
  Path home() {
    return home;
  }

  /** Returns the directory of its configuration. */
  Path settings() {
    return home.resolve("etc/hadoop");
  }

  /** Returns the directory of a part, such as {@code yarn}. */
  Path part(String name) {
    return home.resolve("share/hadoop").resolve(name);
  }

  private static List<Path> jars() throws IOException {
    Path list = Path.of(System.getProperty("drover.home"), "docker/hadoop/target/classpath.txt");
    List<Path> jars = new ArrayList<>();
    for (String jar : Files.readString(list).strip().split(File.pathSeparator)) {
      jars.add(Path.of(jar));
    }
    assertThat(jars).as("Hadoop's jars").hasSizeGreaterThan(100);
    return jars;
  }

  private void place(Path jar) throws IOException {
    String name = jar.getFileName().toString();
    if (name.startsWith("hadoop-hdfs-") && name.endsWith("-tests.jar")) {
      extractPages(jar);
      return;
    }
    Path directory = part(partOf(name));
    Files.createDirectories(directory);
    Files.createSymbolicLink(directory.resolve(name), jar);
  }

  private static String partOf(String jar) {
    if (jar.startsWith("commons-csv-")) {
      return "yarn/timelineservice/lib"; // only Hadoop's timeline reader uses it
    }
    if (jar.startsWith("hadoop-yarn-server-timelineservice-")) {
      return "yarn/timelineservice";
    }
    if (jar.startsWith("hadoop-yarn-")) {
      return "yarn";
    }
    if (jar.startsWith("hadoop-mapreduce-")) {
      return "mapreduce";
    }
    if (jar.startsWith("hadoop-hdfs-")) {
      return "hdfs";
    }
    boolean ofCommon = jar.startsWith("hadoop-common-") || jar.startsWith("hadoop-registry-");
    return ofCommon ? "common" : "common/lib";
  }

  /** Extracts the pages of NameNode and DataNode: only the jar of HDFS's tests has them. */
  private void extractPages(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (entry.getName().startsWith("webapps/") && !entry.isDirectory()) {
          Path page = part("hdfs").resolve(entry.getName());
          Files.createDirectories(page.getParent());
          try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, page);
          }
        }
      }
    }
  }
}
