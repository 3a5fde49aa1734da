// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.check.Finding;
import io.drover.core.check.Finding.Level;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppMasterHeapTest {
  private final Configuration conf = new JobConf();

  private List<Finding> findings(String options, int mb, int tasks) {
    conf.set("yarn.app.mapreduce.am.command-opts", options);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", mb);
    return AppMasterHeap.ofSubmitted(conf, tasks, "the job").run();
  }

  private String worst(String options, int mb, int tasks) {
    return findings(options, mb, tasks).stream()
        .filter(finding -> finding.level() != Level.OK)
        .map(finding -> finding.level() + " " + finding.check())
        .findFirst()
        .orElse("");
  }

  @Test
  void defaultsAreEnoughForALargeJob() {
    assertThat(worst("-Xmx1024m", 1536, 10_000)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "-Xmx256m, 1536, WRONG heap.small",
    "-Xmx2049m, 1536, WRONG heap.container",
    "-Xmx1900m, 1536, WARN heap.container",
    "-Xmx1500m, 1536, ''",
    "-Xmx9999999999g, 1536, WRONG heap.size",
    "-Xmx99999999999999999999, 1536, WRONG heap.size",
    "-Xss4m, 1536, WARN heap.unset",
    "-Xmx200m -Xmx1g, 1536, ''",
    "-Xmx1048576k, 1536, ''",
    "-Xmx1073741824, 1536, ''",
    "-Xmx1G, 1536, ''",
  })
  void heapIsComparedWithTheJobAndTheContainer(String options, int mb, String expected) {
    assertThat(worst(options, mb, 10_000)).isEqualTo(expected);
  }

  @Test
  void containerIsAsLargeAsYarnMakesIt() {
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 2048);

    assertThat(worst("-Xmx1536m", 1024, 100)).isEmpty();
    assertThat(worst("-Xmx2g", 2049, 100)).as("two times the minimum").isEmpty();
    assertThat(worst("-Xmx2049m", 1024, 100)).isEqualTo("WRONG heap.container");
  }

  @ParameterizedTest
  @CsvSource({
    "memory-mb, 8192, ''",
    "memory-mb, 8Gi, ''",
    "memory, 8192, ''",
    "memory-mb, 9223372036854775807, ''",
    "memory-mb, 1024, WRONG heap.container",
    "memory-mb, 8 gigs, WRONG heap.container",
    "memory-mb, plenty, WRONG heap.container",
  })
  void resourceTypeTakesPrecedenceOverTheOlderKey(String type, String value, String expected) {
    conf.set("yarn.app.mapreduce.am.resource." + type, value);

    assertThat(worst("-Xmx6g", expected.isEmpty() ? 1536 : 8192, 100)).isEqualTo(expected);
  }

  @Test
  void optionOfTheAdministratorHoldsIfTheUserHasNone() {
    conf.set("yarn.app.mapreduce.am.admin-command-opts", "-Xmx4g");

    assertThat(findings("-Xss4m", 1536, 100))
        .anySatisfy(
            finding ->
                assertThat(finding.line())
                    .startsWith("yarn.app.mapreduce.am.resource.mb is 1536, which YARN makes 2048,")
                    .contains("yarn.app.mapreduce.am.admin-command-opts has -Xmx4g"));
  }

  @Test
  void asManyTasksAreEnoughAsTheRuleSays() {
    long most = AppMasterHeap.most(1L << 30);

    assertThat(AppMasterHeap.needed((int) most)).isLessThanOrEqualTo(1L << 30);
    assertThat(AppMasterHeap.needed((int) most + 1)).isGreaterThan(1L << 30);
    assertThat(AppMasterHeap.tooSmall(1L << 30, "x", (int) most, "the job")).isEmpty();
    assertThat(AppMasterHeap.tooSmall(1L << 30, "the heap is 1024 MB", (int) most + 1, "the job"))
        .hasValueSatisfying(
            finding -> assertThat(finding.what()).startsWith("the heap is 1024 MB: enough for"));
  }
}
