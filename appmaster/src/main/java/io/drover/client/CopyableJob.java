// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import io.drover.core.config.JobSettings;
import io.drover.core.config.OutputSettings;
import io.drover.speculator.OutputSafety;
import java.util.Optional;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Which jobs may run in several copies at once. */
final class CopyableJob {
  private CopyableJob() {}

  /**
   * Refuses a job that may not.
   *
   * @throws InvalidJobConfException with the reason, and what would be right
   */
  static void check(Job job, JobSettings settings)
      throws InvalidJobConfException, ClassNotFoundException {
    if (job.getJobID() != null) {
      throw new IllegalStateException(
          job.getJobID() + " has been submitted: give the job before it is");
    }
    Class<?> format = JobShape.outputFormat(job);
    boolean directory =
        FileOutputFormat.class.isAssignableFrom(format)
            || org.apache.hadoop.mapred.FileOutputFormat.class.isAssignableFrom(format);
    if (!directory) {
      throw new InvalidJobConfException(
          format.getName()
              + " does not write into a directory: of several copies only those of a job that"
              + " writes through a FileOutputFormat can be kept apart");
    }
    Optional<OutputSafety.Objection> unsafe =
        new OutputSafety(settings.outputs())
            .objection(job.getConfiguration(), job.getConfiguration().getClassLoader());
    if (unsafe.isPresent()) {
      throw new InvalidJobConfException(
          unsafe.get().why()
              + " ("
              + OutputSettings.EXCLUDED.key()
              + "): what writes before the commit must not run in several copies");
    }
    if (job.getConfiguration().get(MRJobConfig.MR_JOB_END_NOTIFICATION_URL) != null) {
      throw new InvalidJobConfException(
          MRJobConfig.MR_JOB_END_NOTIFICATION_URL
              + " would be told of each copy, and before the output is in its place: unset it, and"
              + " notify after the run");
    }
  }
}
