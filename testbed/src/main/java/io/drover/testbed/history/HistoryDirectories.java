// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.jobhistory.JobHistoryUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/** Finds history files in the directories of a cluster's JobHistoryServer. */
public final class HistoryDirectories {
  /** How HistoryFileManager writes the number of a job, of which it takes the first six digits. */
  private static final String SERIAL_NUMBER = "%09d";

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
    return glob(done.getFileSystem(conf), new Path(done + place(jobId)));
  }

  /** Returns where a job's file is in the done directory, which has a directory for each day. */
  private static String place(String jobId) {
    String serial =
        JobHistoryUtils.serialNumberDirectoryComponent(
            TypeConverter.toYarn(JobID.forName(jobId)), SERIAL_NUMBER);
    return JobHistoryUtils.doneSubdirsBeforeSerialTail() + "/" + serial + "/" + jobId + "-*.jhist";
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
}
