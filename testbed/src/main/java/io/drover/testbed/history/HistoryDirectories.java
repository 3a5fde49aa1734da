// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapreduce.v2.jobhistory.JobHistoryUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/** Finds history files in the directories of a cluster's JobHistoryServer. */
public final class HistoryDirectories {
  private HistoryDirectories() {}

  /**
   * Finds the history of a job: in the intermediate directory, where AppMasters put it, or in the
   * done directory, to which the JobHistoryServer moves it.
   *
   * @return its file; empty if it is in neither, or the directory is not readable
   */
  public static Optional<Path> find(Configuration conf, String jobId) throws IOException {
    Path intermediate =
        new Path(JobHistoryUtils.getConfiguredHistoryIntermediateDoneDirPrefix(conf));
    FileSystem fs = intermediate.getFileSystem(conf); // each may be on another one than jobs' data
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    for (String of : List.of(user, "*")) { // those of others may not be readable
      Optional<Path> fresh = glob(fs, new Path(intermediate, of + "/" + jobId + "-*.jhist"));
      if (fresh.isPresent()) {
        return fresh;
      }
    }
    Path done = new Path(JobHistoryUtils.getConfiguredHistoryServerDoneDirPrefix(conf));
    try {
      return below(done.getFileSystem(conf), done, jobId);
    } catch (FileNotFoundException | AccessControlException e) {
      return Optional.empty(); // not there yet, or not readable for us
    }
  }

  private static Optional<Path> glob(FileSystem fs, Path pattern) throws IOException {
    try {
      FileStatus[] found = fs.globStatus(pattern);
      return found == null || found.length == 0
          ? Optional.empty()
          : Optional.of(found[0].getPath());
    } catch (AccessControlException e) {
      return Optional.empty();
    }
  }

  private static Optional<Path> below(FileSystem fs, Path directory, String jobId)
      throws IOException {
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(directory, true);
    while (files.hasNext()) {
      Path file = files.next().getPath();
      if (file.getName().startsWith(jobId + "-") && file.getName().endsWith(".jhist")) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
