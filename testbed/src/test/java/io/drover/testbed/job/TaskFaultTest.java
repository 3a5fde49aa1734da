// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.job.DemoJob.DemoKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.junit.jupiter.api.Test;

class TaskFaultTest {
  private static final double RATE = 80;

  private static double rate(Configuration conf, String attempt, String host) {
    return TaskFault.of(conf, TaskAttemptID.forName(attempt), host).of(RATE);
  }

  private static Configuration conf(Scenario scenario) {
    Configuration conf = new Configuration(false);
    conf.set(DemoKeys.FAULT, scenario.key());
    conf.set(DemoKeys.FAULT_HOST, "n5");
    conf.set(DemoKeys.FAULT_TASK, "m3");
    conf.setInt(DemoKeys.SLOWDOWN, 8);
    return conf;
  }

  @Test
  void slowNodeSlowsMapsAndReducesOfItsHostOnly() {
    Configuration conf = conf(Scenario.SLOW_NODE);
    assertThat(rate(conf, "attempt_1_0001_m_000000_0", "n5")).isEqualTo(10);
    assertThat(rate(conf, "attempt_1_0001_m_000000_1", "n5")).isEqualTo(10);
    assertThat(rate(conf, "attempt_1_0001_r_000000_0", "n5")).isEqualTo(10);
    assertThat(rate(conf, "attempt_1_0001_m_000000_0", "n4")).isEqualTo(RATE);
  }

  @Test
  void slowAttemptSlowsTheFirstAttemptOfItsMapOnly() {
    Configuration conf = conf(Scenario.SLOW_ATTEMPT);
    assertThat(rate(conf, "attempt_1_0001_m_000003_0", "n1")).isEqualTo(10);
    assertThat(rate(conf, "attempt_1_0001_m_000003_1", "n1")).isEqualTo(RATE);
    assertThat(rate(conf, "attempt_1_0001_m_000004_0", "n5")).isEqualTo(RATE);
    assertThat(rate(conf, "attempt_1_0001_r_000003_0", "n5")).isEqualTo(RATE);
  }

  @Test
  void slowAttemptMayBeOfAReduce() {
    Configuration conf = conf(Scenario.SMALL_JOBS);
    conf.set(DemoKeys.FAULT_TASK, "r0");
    assertThat(rate(conf, "attempt_1_0001_r_000000_0", "n1")).isEqualTo(10);
    assertThat(rate(conf, "attempt_1_0001_r_000000_1", "n1")).isEqualTo(RATE);
    assertThat(rate(conf, "attempt_1_0001_m_000000_0", "n1")).isEqualTo(RATE);
  }

  @Test
  void withoutFaultEveryAttemptGoesOn() throws Exception {
    TaskFault none =
        TaskFault.of(
            new Configuration(false), TaskAttemptID.forName("attempt_1_0001_m_000003_0"), "n5");
    none.reached(1.0);
    assertThat(none.of(RATE)).isEqualTo(RATE);
  }
}
