// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.jobhistory.JobHistoryUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the job history of a job that samples from AppMasters that know nothing of its sample.
 *
 * <p>What stock does: AppMaster n + 1 of a job opens {@code <job>_<n>.jhist} in the staging
 * directory, and takes the tasks that have succeeded there for done, by their numbers. In a job
 * that samples, map 3 has read some block, and not split 3. Hadoop's AppMaster, which runs if
 * Drover is rolled back or its jar is missing on the node, would mix the two.
 *
 * <p>What is done here: the number in the file's name is raised by {@link #APART}. Hadoop's
 * AppMaster then finds no file, logs {@code Unable to parse prior job history, aborting recovery},
 * removes what tasks have written, and reads the whole input from the beginning. Drover's gives the
 * file the stock name before stock code looks for it.
 *
 * <p>What is lost: nothing of a job that ends under Drover, because Hadoop moves the history by the
 * path that it has written to, and names it anew. If Hadoop's AppMaster follows when the output was
 * being committed already, the job ends as it should, and its history has no tasks.
 */
final class SampleHistory {
  private static final Logger LOG = LoggerFactory.getLogger(SampleHistory.class);

  /** More AppMasters than a job can have. */
  private static final int APART = 100_000;

  private SampleHistory() {}

  /** Returns the number that AppMaster n has in the name of its history. */
  static int number(int appAttempt) {
    return APART + appAttempt;
  }

  /**
   * Gives the history of the AppMaster before this one the name by which stock code finds it. If
   * there is none, or it cannot be renamed, this AppMaster recovers nothing.
   */
  static void take(Configuration conf, ApplicationAttemptId attempt) {
    int before = attempt.getAttemptId() - 1;
    if (before < 1) {
      return;
    }
    try {
      Path stock = JobHistoryUtils.getPreviousJobHistoryPath(conf, attempt);
      String job = TypeConverter.fromYarn(attempt.getApplicationId()).toString();
      Path apart = JobHistoryUtils.getStagingJobHistoryFile(stock.getParent(), job, number(before));
      FileContext.getFileContext(stock.toUri(), conf).rename(apart, stock, Rename.OVERWRITE);
    } catch (FileNotFoundException e) {
      LOG.info("AppMaster {} of this job has left no history of a sample", before);
    } catch (IOException e) {
      LOG.warn("The history of AppMaster {} cannot be used, so all tasks run again", before, e);
    }
  }
}
