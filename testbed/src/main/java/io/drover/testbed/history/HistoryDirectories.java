// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.mapreduce.v2.jobhistory.JobHistoryUtils;
import org.apache.hadoop.security.AccessControlException;

/** Finds history files in the directories of a cluster's JobHistoryServer. */
public final class HistoryDirectories {
  private HistoryDirectories() {}

  /**
   * Finds the history of a job: in the intermediate directory, where AppMasters put it, or in the
   * done directory, to which the JobHistoryServer moves it.
   *
   * @return empty if it is in neither, or the directory is not readable
   */
  public static Optional<Path> find(FileSystem fs, String jobId) throws IOException {
    Path intermediate =
        new Path(JobHistoryUtils.getConfiguredHistoryIntermediateDoneDirPrefix(fs.getConf()));
    FileStatus[] fresh = fs.globStatus(new Path(intermediate, "*/" + jobId + "-*.jhist"));
    if (fresh != null && fresh.length > 0) {
      return Optional.of(fresh[0].getPath());
    }
    Path done = new Path(JobHistoryUtils.getConfiguredHistoryServerDoneDirPrefix(fs.getConf()));
    try {
      fs.access(done, FsAction.READ_EXECUTE);
    } catch (java.io.FileNotFoundException | AccessControlException e) {
      return Optional.empty(); // not there yet, or not readable for us
    }
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(done, true);
    while (files.hasNext()) {
      Path file = files.next().getPath();
      if (file.getName().startsWith(jobId + "-") && file.getName().endsWith(".jhist")) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
