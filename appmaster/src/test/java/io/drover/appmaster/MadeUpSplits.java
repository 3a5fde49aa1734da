// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.job.impl.JobImpl;

/** Begins a job without files: its splits are made up and lie on all hosts. */
final class MadeUpSplits extends JobImpl.InitTransition {
  private final int maps;
  private final int reduces;
  private final Optional<FakeCluster> cluster;

  MadeUpSplits(int maps, int reduces, Optional<FakeCluster> cluster) {
    this.maps = maps;
    this.reduces = reduces;
    this.cluster = cluster;
  }

  @Override
  protected void setup(JobImpl made) throws IOException {
    super.setup(made);
    made.conf.setInt(MRJobConfig.NUM_REDUCES, reduces);
    made.remoteJobConfFile = new Path("test");
  }

  @Override
  protected TaskSplitMetaInfo[] createSplits(JobImpl made, JobId id) {
    String[] hosts = cluster.map(c -> c.scheduler().hosts()).orElse(new String[0]);
    TaskSplitMetaInfo split = new TaskSplitMetaInfo(new TaskSplitIndex(), hosts, 0);
    return Collections.nCopies(maps, split).toArray(TaskSplitMetaInfo[]::new);
  }
}
