// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.demo.SampleSources;
import io.drover.simulator.experiment.Experiments;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code drover simulate experiment}. */
class ExperimentMainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "mantri-166              | unknown experiment 'mantri-166'; did you mean 'mantri-16'?",
        "what                    | unknown experiment 'what'; choose from mantri-table3,"
            + " mantri-16,",
        "kmn-4 --workload swim:x | unknown option '--workload'",
        "kmn-4 --machines 5      | unknown option '--machines'",
        "kmn-4 --set a=b         | unknown option '--set'",
        "kmn-4 kmn-5             | unexpected argument 'kmn-5'",
        "kmn-4 --seed x          | option '--seed' needs a whole number, not 'x'",
        "kmn-4 --repeat 0        | option '--repeat' needs a whole number from 1 to 100, not '0'",
      })
  void wrongArgumentsAreNamedInOneLineBeforeAnythingRuns(String line, String message) {
    int code = run(("simulate experiment " + line.strip()).split(" "));

    assertThat(err()).startsWith("drover: " + message).hasLineCount(1);
    assertThat(out.size()).isZero();
    assertThat(code).isEqualTo(2);
  }

  @Test
  void theListTellsOfEveryExperimentAndSoDoesTheHelp() {
    assertThat(run("simulate", "experiment")).isZero();
    assertThat(out()).contains(Experiments.names()).contains("Mantri (OSDI 2010");
    assertThat(err.size()).isZero();
    out.reset();

    assertThat(run("simulate", "experiment", "--help")).isZero();
    assertThat(out()).contains("[NAME]").contains(Experiments.names());
  }

  @Test
  void theResultIsATableAndOneJsonObject() throws Exception {
    assertThat(run("simulate", "experiment", "mantri-table3", "--seed", "3", "--json")).isZero();

    JsonNode root = new ObjectMapper().readTree(out());
    assertThat(out().strip().lines()).hasSize(1);
    assertThat(root.fieldNames())
        .toIterable()
        .containsExactly("experiment", "source", "rows", "why", "provenance", "seed", "repeat");
    assertThat(root.path("experiment").asText()).isEqualTo("mantri-table3");
    assertThat(root.path("source").asText()).endsWith("appendix A, table 3");
    JsonNode row = root.path("rows").path(0);
    assertThat(row.fieldNames())
        .toIterable()
        .containsExactly("label", "paper", "ours", "difference", "unit");
    assertThat(row.path("unit").asText()).isEqualTo("%");
    assertThat(row.path("paper").asDouble()).isEqualTo(99);
    assertThat(row.path("difference").asDouble())
        .isEqualTo(row.path("ours").asDouble() - 99, Offset.offset(2e-6));
    assertThat(root.path("why")).isNotEmpty();
    assertThat(root.path("provenance")).isNotEmpty();
    assertThat(err())
        .contains("1/4 beta 1.1, n 200, s 100: simulated in ", "paper", "difference")
        .contains("Why they differ:", "What is real, and what is modelled:");
  }

  private int run(String... args) {
    PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8);
    return Main.run(args, outStream, errStream, SampleSources::source, new AtomicBoolean());
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
