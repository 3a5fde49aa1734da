// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import io.drover.core.config.CloneKeys;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One copy of a job: a job of its own, with an output of its own. */
public final class JobCopy {
  private static final Logger LOG = LoggerFactory.getLogger(JobCopy.class);

  private final int number;
  private final Job job;
  private final CopiedOutput output;
  private final UserGroupInformation user = UserGroupInformation.getCurrentUser();

  /** Whether the cluster has given no answer about it when it was last asked for its end. */
  private volatile boolean isUnknown;

  private JobCopy(int number, Job job, CopiedOutput output) throws IOException {
    this.number = number;
    this.job = job;
    this.output = output;
  }

  /**
   * Creates a copy that is ready to submit.
   *
   * @param number from 1
   * @param copies how many there will be, for the job's name
   */
  static JobCopy of(Job original, int number, int copies, CopiedOutput output) throws IOException {
    Job job = JobShape.copy(original);
    Configuration conf = job.getConfiguration();
    conf.set(FileOutputFormat.OUTDIR, output.of(number).toString());
    conf.set(CloneKeys.MODE.key(), "off"); // no clones of clones
    job.setJobName(original.getJobName() + " [copy " + number + " of " + copies + "]");
    return new JobCopy(number, job, output);
  }

  /** Returns its number, from 1 in the order of submission. */
  public int number() {
    return number;
  }

  /** Returns the job, which has the id, counters, tracking URL and, after a failure, the reason. */
  public Job job() {
    return job;
  }

  /** Returns its own output directory. */
  Path directory() {
    return output.of(number);
  }

  /** Submits it. If that fails, nothing of it is left. */
  void submit() throws IOException, InterruptedException, ClassNotFoundException {
    boolean submitted = false;
    try {
      job.submit();
      submitted = true;
    } catch (IOException e) {
      throw unlessInterrupted(e);
    } finally {
      if (!submitted) {
        output.remove(directory());
      }
    }
    LOG.info("Submitted {}, {}", this, job.getTrackingURL());
  }

  /**
   * Waits for the end of the job. If the cluster cannot be asked about it, say because a
   * JobHistoryServer starts again, this asks again for a while.
   *
   * @param over is counted down when nobody needs the answer any more
   * @param patience how long the cluster may give no answer
   * @return SUCCEEDED, FAILED or KILLED
   * @throws IOException if the cluster has given no answer for so long, after Hadoop's own retries
   * @throws InterruptedException if nobody needs the answer any more
   */
  JobStatus.State awaitEnd(CountDownLatch over, Duration patience)
      throws IOException, InterruptedException {
    long pollMillis = Job.getProgressPollInterval(job.getConfiguration());
    long unknownSince = 0;
    do {
      try {
        JobStatus.State state = job.getJobState();
        if (state != JobStatus.State.PREP && state != JobStatus.State.RUNNING) {
          return state;
        }
        isUnknown = false;
      } catch (IOException e) {
        if (!isUnknown) {
          unknownSince = System.nanoTime(); // Hadoop has tried for minutes already
          LOG.warn("The state of {} is not known; the cluster is asked again", this, e);
        }
        isUnknown = true;
        if (System.nanoTime() - unknownSince >= patience.toNanos()) {
          throw new IOException("it is not known what became of " + this + ": " + e, e);
        }
      }
    } while (!over.await(pollMillis, TimeUnit.MILLISECONDS));
    throw new InterruptedException("the end of " + this + " no longer matters");
  }

  /** Throws an InterruptedException for the interruptions that Hadoop reports as failures. */
  private static IOException unlessInterrupted(IOException e) throws InterruptedException {
    if (Thread.interrupted()
        || (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException))
        || e.getCause() instanceof InterruptedException) {
      InterruptedException interruption = new InterruptedException(e.getMessage());
      interruption.initCause(e);
      throw interruption;
    }
    return e;
  }

  /**
   * Kills the job if it still runs, waits for its end, and removes its output. If the end does not
   * become known, the output is left: the job may still write it, or may have succeeded. That of a
   * job that turns out to have succeeded after {@link #awaitEnd} had given it up is left as well if
   * there is no other.
   *
   * @param isWon whether another copy gave the output
   */
  void discard(boolean isWon) {
    try {
      // If the process is ending, this runs in a hook, and not in the user's name.
      boolean hasSucceeded =
          user.doAs(
              (PrivilegedExceptionAction<Boolean>)
                  () -> {
                    if (!job.isComplete()) {
                      LOG.info("Killing {}", this);
                      job.killJob();
                    }
                    return job.waitForCompletion(false);
                  });
      if (hasSucceeded && isUnknown && !isWon) {
        LOG.warn("{} has succeeded after all: its output is left in {}", this, directory());
      } else {
        output.remove(directory());
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} may still run, and {} is left", this, directory(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("{} may still run, and {} is left: interrupted", this, directory(), e);
    }
  }

  /** Returns the job's name and id, for messages. */
  @Override
  public String toString() {
    return job.getConfiguration().get("mapreduce.job.name") + " (" + job.getJobID() + ")";
  }

  /** Predicts what a job will be when it is submitted, by the rules of Hadoop's JobSubmitter. */
  static final class JobShape {
    private JobShape() {}

    /**
     * Creates a job with the same configuration, credentials and reservation, which shares none of
     * them with the first.
     */
    static Job copy(Job job) throws IOException {
      // Not of the JobConf itself: that would share its credentials, and both would fill them.
      Job copy = Job.getInstance(new Configuration(job.getConfiguration()));
      copy.getCredentials().addAll(job.getCredentials());
      copy.setReservationId(job.getReservationId());
      return copy;
    }

    /** Returns the class that writes the job's output; for a lazy output, the class in it. */
    static Class<?> outputFormat(Job job) throws ClassNotFoundException {
      JobConf conf = (JobConf) job.getConfiguration();
      boolean newApi = job.getNumReduceTasks() == 0 ? hasNewMapper(conf) : hasNewReducer(conf);
      Class<?> format = newApi ? job.getOutputFormatClass() : conf.getOutputFormat().getClass();
      boolean lazy =
          LazyOutputFormat.class.isAssignableFrom(format)
              || org.apache.hadoop.mapred.lib.LazyOutputFormat.class.isAssignableFrom(format);
      return lazy ? conf.getClass(LazyOutputFormat.OUTPUT_FORMAT, format) : format;
    }

    /** Returns how many maps and reduces it will have. Computes the splits of its input. */
    static int tasks(Job job) throws IOException, InterruptedException, ClassNotFoundException {
      Job copy = copy(job); // an input format may write into what it is given
      JobConf conf = (JobConf) copy.getConfiguration();
      return copy.getNumReduceTasks()
          + (hasNewMapper(conf)
              ? newInput(copy).getSplits(copy).size()
              : conf.getInputFormat().getSplits(conf, conf.getNumMapTasks()).length);
    }

    private static InputFormat<?, ?> newInput(Job job) throws ClassNotFoundException {
      return ReflectionUtils.newInstance(job.getInputFormatClass(), job.getConfiguration());
    }

    /** Decides as {@code Job.submit} will. */
    private static boolean hasNewMapper(JobConf conf) {
      return conf.getBoolean("mapred.mapper.new-api", conf.get("mapred.mapper.class") == null);
    }

    private static boolean hasNewReducer(JobConf conf) {
      return conf.getBoolean("mapred.reducer.new-api", conf.get("mapred.reducer.class") == null);
    }
  }
}
