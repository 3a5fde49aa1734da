// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.report.WrittenJobs;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What depends on the process that the command runs in: its memory, its streams, its end. */
class MainProcessTest {
  @TempDir private Path directory;
  @TempDir private Path streams;

  private record Ended(int code, String out, String err) {}

  /** Runs the command as this JVM was started, but for some options. */
  private Ended run(List<String> options, String... args) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    Path out = streams.resolve("out");
    Path err = streams.resolve("err");
    ProcessBuilder drover =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    drover.environment().put("LC_ALL", "C");
    Process process = drover.start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(
        process.exitValue(),
        Files.readString(out),
        new String(Files.readAllBytes(err), StandardCharsets.ISO_8859_1));
  }

  @Test
  void historyThatDoesNotFitIntoMemoryIsABadOne() throws Exception {
    WrittenJobs.slowMap(directory, 1);
    WrittenJobs.evenMaps(directory, 2);
    WrittenJobs.hugeEvent(directory);

    Ended ended = run(List.of("-Xmx96m"), "report", "--skip-bad", "--json", directory.toString());

    assertThat(ended.code()).as(ended.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(ended.out());
    assertThat(json.path("jobs").asInt()).isEqualTo(2);
    assertThat(json.path("skipped").asInt()).isEqualTo(1);
    assertThat(ended.err().replaceAll("\\s+", " "))
        .contains("the first: huge.jhist needs more than");
  }

  @Test
  void standardOutputIsUtf8InEveryLocale() throws Exception {
    Path file = WrittenJobs.slowMap(directory, 2);
    Files.writeString(file, Files.readString(file).replace("word count", "décompte 数"));

    Ended ended = run(List.of(), "report", "--json", file.toString());

    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(new ObjectMapper().readTree(ended.out()).path("name").asText())
        .isEqualTo("décompte 数");
  }
}
