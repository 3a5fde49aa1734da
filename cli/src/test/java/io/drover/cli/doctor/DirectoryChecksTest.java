// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.check.Finding;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a directory that cannot be looked at. */
class DirectoryChecksTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private java.nio.file.Path conf;

  /** A file system that fails as HDFS does. */
  public static class FailingFileSystem extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("failing:///");
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      IOException denied = new AccessControlException("Permission denied: user=ann");
      switch (path.getName()) {
        case "denied":
          throw denied;
        case "no-ticket":
          throw new IOException("Failed on local exception", new IOException(denied));
        default:
          throw new IOException("Connection refused");
      }
    }
  }

  private Finding finding(String name) throws IOException {
    Files.writeString(
        conf.resolve("mapred-site.xml"),
        """
        <configuration>
          <property><name>fs.failing.impl</name><value>%s</value></property>
          <property>
            <name>mapreduce.drover.decision-log.dir</name><value>failing:///%s</value>
          </property>
        </configuration>
        """
            .formatted(FailingFileSystem.class.getName(), name));
    List<Finding> findings = new DirectoryChecks(SiteFiles.read(conf), false, PATIENCE).all().run();
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }

  @Test
  void managersFindFileSystemsByWhatHdfsSiteSays() throws IOException {
    Files.writeString(
        conf.resolve("hdfs-site.xml"),
        """
        <configuration>
          <property><name>fs.failing.impl</name><value>%s</value></property>
        </configuration>
        """
            .formatted(FailingFileSystem.class.getName()));
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        """
        <configuration>
          <property>
            <name>yarn.drover.statistics.dir</name><value>failing:///denied</value>
          </property>
        </configuration>
        """);

    assertThat(new DirectoryChecks(SiteFiles.read(conf), false, PATIENCE).all().run())
        .singleElement()
        .asString()
        .contains("cannot be looked at: Permission denied");
  }

  @Test
  void whoMayNotLookIsNotToldToStartTheFileSystem() throws IOException {
    assertThat(finding("denied").line())
        .contains("cannot be looked at: Permission denied", "Run this as a user who may look there")
        .endsWith("[dir.unknown]");
    assertThat(finding("no-ticket").advice()).contains("kinit");
    assertThat(finding("silent").line())
        .contains("cannot be looked at: Connection refused", "Start the file system");
  }
}
