// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.OutputSettings;
import io.drover.core.model.TaskKind;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.Test;

class CopyableTasksTest {
  private static final List<String> NONE_EXCLUDED = List.of();

  private final Configuration conf = new JobConf(); // has Hadoop's defaults and its deprecated keys

  private Set<TaskKind> kinds(boolean hasReduces, List<String> excluded) {
    OutputSettings outputs = new OutputSettings(excluded, List.of());
    return CopyableTasks.kinds(conf, hasReduces, outputs, conf.getClassLoader());
  }

  @Test
  void oldNamesOfTheSwitchesBindAsTheNewOnesDo() {
    assertThat(kinds(true, NONE_EXCLUDED)).containsExactly(TaskKind.MAP, TaskKind.REDUCE);
    conf.set("mapred.map.tasks.speculative.execution", "false");
    assertThat(kinds(true, NONE_EXCLUDED)).containsExactly(TaskKind.REDUCE);
    conf.set("mapred.reduce.tasks.speculative.execution", "false");
    assertThat(kinds(true, NONE_EXCLUDED)).isEmpty();
  }

  @Test
  void jobThatLetsNoTaskHaveACopyGetsNoClonesAndMayStillRestart() {
    OutputSettings outputs = new OutputSettings(NONE_EXCLUDED, List.of());
    conf.setInt("mapreduce.job.speculative.minimum-allowed-tasks", 0);
    conf.setDouble("mapreduce.job.speculative.speculative-cap-total-tasks", 0);
    assertThat(CopyableTasks.clonable(conf, true, outputs, conf.getClassLoader()))
        .as("a share of the running tasks may have copies")
        .containsExactly(TaskKind.MAP, TaskKind.REDUCE);
    conf.setDouble("mapreduce.job.speculative.speculative-cap-running-tasks", 0);
    assertThat(CopyableTasks.clonable(conf, true, outputs, conf.getClassLoader())).isEmpty();
    assertThat(kinds(true, NONE_EXCLUDED)).containsExactly(TaskKind.MAP, TaskKind.REDUCE);
  }

  @Test
  void tasksThatWriteHaveOneAttemptWhereAFullQuotaFailsTheTask() {
    conf.setBoolean("mapreduce.job.dfs.storage.capacity.kill-limit-exceed", true);
    assertThat(kinds(true, NONE_EXCLUDED)).containsExactly(TaskKind.MAP);
    assertThat(kinds(false, NONE_EXCLUDED)).containsExactly(TaskKind.REDUCE);
  }

  @Test
  void committersThatTheFileSystemChoosesCanBeExcludedToo() {
    List<String> excluded = List.of("*FileOutputCommitterFactory");
    conf.set(
        "mapreduce.outputcommitter.factory.scheme.kept",
        FileOutputCommitterFactory.class.getName());
    conf.set(FileOutputFormat.OUTDIR, "kept://bucket/out");
    assertThat(kinds(true, excluded)).containsExactly(TaskKind.MAP);
    conf.set(FileOutputFormat.OUTDIR, "other://bucket/out");
    assertThat(kinds(true, excluded)).containsExactly(TaskKind.MAP, TaskKind.REDUCE);
    conf.set("fs.defaultFS", "kept://bucket");
    conf.set(FileOutputFormat.OUTDIR, "/out");
    assertThat(kinds(true, excluded)).containsExactly(TaskKind.MAP);
  }
}
