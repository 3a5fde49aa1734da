// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.model.TaskKind;
import io.drover.speculator.HadoopSettings;
import io.drover.speculator.SecondAttempts;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.db.DBOutputFormat;
import org.junit.jupiter.api.Test;

class RepeatableTasksTest {
  private final Configuration conf = new JobConf();
  private final SecondAttempts second = new SecondAttempts((why, seenHere) -> {});

  private RepeatableTasks tasks() throws Exception {
    return new RepeatableTasks(conf, HadoopSettings.read(conf), conf.getClassLoader(), second);
  }

  @Test
  void speculationThatIsOffForAKindRulesItOut() throws Exception {
    assertThat(TaskKind.values()).allMatch(tasks());
    conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    assertThat(tasks().test(TaskKind.MAP)).isFalse();
    assertThat(tasks().test(TaskKind.REDUCE)).isTrue();
  }

  @Test
  void excludedOutputRulesOutItsWriters() throws Exception {
    conf.set(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, DBOutputFormat.class.getName());
    conf.setBoolean("mapred.mapper.new-api", true);
    conf.setInt(MRJobConfig.NUM_REDUCES, 0);
    assertThat(tasks().test(TaskKind.MAP)).isFalse();
    conf.setInt(MRJobConfig.NUM_REDUCES, 1);
    conf.setBoolean("mapred.reducer.new-api", true);
    assertThat(tasks().test(TaskKind.MAP)).isTrue();
    assertThat(tasks().test(TaskKind.REDUCE)).isFalse();
  }

  @Test
  void endOfSecondAttemptsIsTheEndOfThis() throws Exception {
    RepeatableTasks tasks = tasks();
    assertThat(tasks.test(TaskKind.MAP)).isTrue();
    second.forbid("a test");
    assertThat(TaskKind.values()).noneMatch(tasks);
  }

  @Test
  void nothingRunsAgainBeforeEarlierAppMastersAreKnown() throws Exception {
    RepeatableTasks tasks = tasks();
    second.awaitEarlier();
    assertThat(TaskKind.values()).noneMatch(tasks);
    second.earlier(Optional.empty());
    assertThat(TaskKind.values()).allMatch(tasks);
  }

  @Test
  void badSettingsRuleOutAll() {
    RepeatableTasks tasks = new RepeatableTasks(conf, null, conf.getClassLoader(), second);
    assertThat(TaskKind.values()).noneMatch(tasks);
  }
}
