// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import io.drover.speculator.Breakers;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;
import org.apache.hadoop.mapreduce.split.SplitMetaInfoReader;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sampling AppMaster makes of tasks that are done, by who did them. */
class ForeignHistoryTest {
  private static final JobID ID = new JobID("1", 1);
  private static final JobId JOB = TypeConverter.toYarn(ID);

  private final Configuration conf = new Configuration();
  @TempDir private java.nio.file.Path directory;
  private TaskSplitMetaInfo[] splits;

  @BeforeEach
  void write() throws IOException, InterruptedException {
    conf.set("mapreduce.drover.sample.blocks", "2");
    conf.set("mapreduce.drover.sample.mode", "off"); // drawn before the start
    conf.setInt(MRJobConfig.NUM_REDUCES, 1);
    FileSystem files = FileSystem.getLocal(conf);
    InputSplit[] all = new InputSplit[4];
    for (int i = 0; i < all.length; i++) {
      all[i] = new FileSplit(new Path("hdfs://cluster/in"), 32L * i, 32, new String[] {"host-1"});
    }
    JobSplitWriter.createSplitFiles(staging(), conf, files, all);
    splits = SplitMetaInfoReader.readSplitMetaInfo(ID, files, conf, staging());
  }

  private Path staging() {
    return new Path(directory.toUri());
  }

  /** Plans the input as an AppMaster does; returns what is left of the tasks that were done. */
  private Map<TaskId, TaskInfo> plan(int appAttempt, TaskType... done) {
    AppContext context = mock();
    JobAccess access =
        new JobAccess(
            conf,
            () -> JOB,
            () -> context,
            attempt -> 0,
            racks -> null,
            Runnable::run,
            (type, fields) -> {},
            Breakers.uncounted());
    SampledJob sampled =
        SampledJob.of(
            conf, () -> true, getClass()::getClassLoader, blocks -> 1, appAttempt, access);
    Map<TaskId, TaskInfo> recovered = new HashMap<>();
    for (TaskType type : done) {
      recovered.put(MRBuilderUtils.newTaskId(JOB, 0, type), new TaskInfo());
    }
    assertThat(sampled.plan(conf, JOB, staging(), splits, recovered)).hasSize(2);
    return recovered;
  }

  @Test
  void tasksOfASamplingAppMasterAreRecovered() {
    plan(1);
    assertThat(plan(2, TaskType.MAP, TaskType.REDUCE)).hasSize(2);
  }

  @Test
  void mapsOfAnotherAppMasterRunAgain() {
    assertThat(plan(2, TaskType.MAP)).isEmpty();
  }

  @Test
  void thoseOfAnotherOneInBetweenToo() {
    plan(1);
    assertThat(plan(3, TaskType.MAP)).isEmpty();
  }

  @Test
  void outputOfAnotherAppMasterIsNotMixedWithASample() {
    assertThatThrownBy(() -> plan(2, TaskType.MAP, TaskType.REDUCE))
        .isInstanceOf(SampleRefusedException.class)
        .hasMessageContaining("which was not Drover's");
    conf.setInt(MRJobConfig.NUM_REDUCES, 0);
    assertThatThrownBy(() -> plan(2, TaskType.MAP)).isInstanceOf(SampleRefusedException.class);
  }
}
