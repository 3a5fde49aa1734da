// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class HistorySourceTest {
  @TempDir private Path directory;

  /** The local file system, with directories of others, and some that are gone when listed. */
  public static final class SharedFiles extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("shared:///");
    }

    @Override
    public String getScheme() {
      return "shared";
    }

    @Override
    public FileStatus[] listStatus(org.apache.hadoop.fs.Path path) throws IOException {
      switch (path.getName()) {
        case "others" -> throw new AccessControlException("Permission denied: user=ada");
        case "gone" -> throw new FileNotFoundException(path + " does not exist");
        default -> {
          return super.listStatus(path);
        }
      }
    }
  }

  private List<String> found(LeftOut leftOut) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("fs.shared.impl", SharedFiles.class.getName());
    return HistorySource.ofPath("shared:" + directory, conf, leftOut::directory).stream()
        .map(HistorySource::name)
        .sorted()
        .toList();
  }

  private void add(String file) throws IOException {
    Path path = directory.resolve(file);
    Files.createDirectories(path.getParent());
    Files.createFile(path);
  }

  @Test
  void directoryThatMayNotBeListedIsNamed() throws IOException {
    add("ada/1.jhist");
    add("others/2.jhist");

    assertThatIOException()
        .isThrownBy(() -> found(new LeftOut(false)))
        .withMessageContaining("shared:" + directory + "/others cannot be listed: ")
        .withMessageContaining("Permission denied: user=ada")
        .withMessageEndingWith("; --skip-bad goes on without it");
  }

  @Test
  void directoriesThatMayNotBeListedAreLeftOutAndCounted() throws IOException {
    add("ada/1.jhist");
    add("others/2.jhist");
    add("team/others/3.jhist");
    add("team/4.jhist.gz");
    LeftOut leftOut = new LeftOut(true);

    assertThat(found(leftOut)).containsExactly("1.jhist", "4.jhist.gz");

    ObjectNode json = JsonNodeFactory.instance.objectNode();
    leftOut.addTo(json);
    assertThat(json.toString()).isEqualTo("{\"skipped\":0,\"skippedDirectories\":2}");
    assertThat(leftOut.sentences())
        .singleElement()
        .asString()
        .startsWith("2 directories could not be listed and were left out; the first: shared:");
  }

  @Test
  void directoryThatVanishesIsNoError() throws IOException {
    add("ada/1.jhist");
    add("gone/2.jhist");

    assertThat(found(new LeftOut(false))).containsExactly("1.jhist");
  }

  private List<String> local(String path) throws IOException {
    return HistorySource.ofPath(path, new Configuration(false), new LeftOut(false)::directory)
        .stream()
        .map(HistorySource::name)
        .sorted()
        .toList();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void noDirectoryIsListedTwice() throws IOException {
    add("ada/1.jhist");
    add("bob/2.jhist");
    Files.createSymbolicLink(directory.resolve("ada/up"), directory);
    Files.createSymbolicLink(directory.resolve("bob/up"), directory);
    Files.createSymbolicLink(directory.resolve("itself"), directory.resolve("itself"));
    Path link = Files.createSymbolicLink(directory.resolve("link.jhist"), Path.of("ada/1.jhist"));

    assertThat(local(directory.toString())).containsExactly("1.jhist", "2.jhist", "link.jhist");
    assertThat(local(link.toString())).containsExactly("link.jhist");
  }

  @Test
  void pipesAreNotRead() throws IOException, InterruptedException {
    add("1.jhist");
    Path pipe = directory.resolve("pipe.jhist");
    int made = new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor();
    assumeThat(made).as("mkfifo is here").isZero();

    assertThat(local(directory.toString())).containsExactly("1.jhist");
    assertThatIOException()
        .isThrownBy(() -> local(pipe.toString()))
        .withMessageStartingWith(pipe + " is neither a file nor a directory");
  }
}
