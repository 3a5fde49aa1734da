// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.model.TaskKind;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptBudgetTest {
  private static AttemptBudget budget(int maps, int reduces, boolean excuses) {
    Configuration conf = new Configuration(false);
    conf.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, maps);
    conf.setInt(MRJobConfig.REDUCE_MAX_ATTEMPTS, reduces);
    return AttemptBudget.of(conf, excuses);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 2, 1", "2, 1, 2, 1", "3, 1, 2, 1", "4, 2, 2, 2", "6, 3, 3, 3", "9, 3, 3, 3"})
  void halfOfTheFailuresAreAtStakeButACopyIsAllowedWhereItsFailureIsExcused(
      int allowed, int together, int copiesExcused, int copies) {
    assertThat(budget(allowed, 4, true).mostAtOnce(TaskKind.MAP, 3)).isEqualTo(together);
    assertThat(budget(allowed, 4, true).mostWithCopies(TaskKind.MAP, 3)).isEqualTo(copiesExcused);
    assertThat(budget(4, allowed, false).mostWithCopies(TaskKind.REDUCE, 3)).isEqualTo(copies);
  }

  @Test
  void ownSettingBinds() {
    assertThat(budget(8, 8, true).mostWithCopies(TaskKind.MAP, 1)).isEqualTo(1);
    assertThat(budget(8, 8, true).mostAtOnce(TaskKind.MAP, 2)).isEqualTo(2);
  }

  @Test
  void taskThatMayFailButOnceIsNotRestarted() {
    assertThat(budget(1, 4, true).allowsRestart(TaskKind.MAP)).isFalse();
    assertThat(budget(1, 4, true).allowsRestart(TaskKind.REDUCE)).isTrue();
    assertThat(budget(2, 4, false).allowsRestart(TaskKind.MAP)).isTrue();
  }

  @Test
  void mapsWhoseAttemptsMustNotHaveHighNumbersAreNotRestarted() {
    Configuration conf = new Configuration(false);
    conf.set(
        MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR,
        "org.apache.hadoop.mapred.RssMapOutputCollector");
    assertThat(AttemptBudget.of(conf, false).allowsRestart(TaskKind.MAP)).isFalse();
    assertThat(AttemptBudget.of(conf, false).allowsRestart(TaskKind.REDUCE)).isTrue();
    assertThat(AttemptBudget.of(conf, false).mostWithCopies(TaskKind.MAP, 3)).isEqualTo(2);

    conf.set(
        MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR,
        "org.apache.hadoop.mapred.CelebornMapOutputCollector");
    assertThat(AttemptBudget.of(conf, false).allowsRestart(TaskKind.MAP)).isTrue();
  }

  @Test
  void hadoopsDefaultIsFour() {
    AttemptBudget budget = AttemptBudget.of(new Configuration(false), true);
    assertThat(budget).isEqualTo(new AttemptBudget(4, 4, true, true));
  }
}
