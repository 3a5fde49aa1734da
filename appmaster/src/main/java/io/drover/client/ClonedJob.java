// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import io.drover.client.JobCopy.JobShape;
import io.drover.core.clone.CloneCount;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.JobSettings;
import io.drover.core.config.OutputSettings;
import io.drover.speculator.HadoopSettings;
import io.drover.speculator.OutputSafety;
import io.drover.speculator.UserThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job that runs in several whole copies, of which the first to succeed counts: job-level clones.
 * In the place of {@code job.waitForCompletion(true)}:
 *
 * <pre>{@code
 * ClonedJob.Outcome outcome = ClonedJob.of(job, 2).run();
 * boolean succeeded = outcome.winner().isPresent();
 * }</pre>
 *
 * <p>Each copy is a job of its own, submitted from a copy of the configuration, with an output
 * directory of its own beside the job's, and without clones of its tasks. The output of the first
 * that succeeds gets the job's name; the others are killed, and what they wrote is removed. A copy
 * that fails, or whose submission is refused while others run, leaves the rest to go on: the job
 * fails when all copies have. If this process is interrupted or ends, all copies are killed and
 * nothing is left. If it is killed outright, the copies run to their ends, beside the output's
 * place, and nothing appears there.
 *
 * <p>Source: Dolly section 3.1. With c copies of a job of n tasks, each an outlier with probability
 * p, all copies meet an outlier with probability (1 - (1 - p)^n)^c; {@link CloneCount#ofWholeJob}
 * solves for c. Departure: the paper caps c by the room under a ceiling of utilisation. A client
 * does not know that room; copies are capped by a setting, and the queue's own limits hold.
 *
 * <p>Why one output, whole, is all that can come of it:
 *
 * <ul>
 *   <li>No copy is told of the output's place, so only {@link CopiedOutput#install} writes there.
 *       It is a rename in one step that fails if the place is taken, in a file system that has such
 *       a rename: readers see no output or all of it, and of two runs to the same place one is
 *       told.
 *   <li>A copy is installed after its job is seen to have SUCCEEDED, that is after its commit, and
 *       nothing of that job writes any more.
 *   <li>Two copies may succeed at once, or a loser commit while it is killed: they are processed
 *       one after the other, the first is installed, and the other one's output is in its own
 *       directory.
 *   <li>Submission, installation and the end (also that of the process) exclude each other. After
 *       the end nothing is submitted or installed. A copy that is being installed is kept.
 *   <li>If the rename fails, the winner's output is not removed: the error says where it is.
 * </ul>
 *
 * <p>What maps and reduces do outside of their committer happens once for each copy. Jobs for which
 * that is known to do harm are refused, as are those whose output is no directory.
 */
public final class ClonedJob {
  private static final Logger LOG = LoggerFactory.getLogger(ClonedJob.class);

  /** To kill all copies when the process ends: Hadoop kills hard after 10 s. */
  private static final long HOOK_LIMIT_SECONDS = 60;

  private final Job job;
  private final int count;
  private final CopiedOutput output;
  private final List<JobCopy> copies = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private JobCopy winner;

  private ClonedJob(Job job, int count, CopiedOutput output) {
    this.job = job;
    this.count = count;
    this.output = output;
  }

  /**
   * What came of it.
   *
   * @param winner the copy whose output is the job's; empty if all copies failed
   * @param copies all that were submitted, in that order
   */
  public record Outcome(Optional<JobCopy> winner, List<JobCopy> copies) {}

  /**
   * A job in a given number of copies.
   *
   * @param job configured, not submitted; it never is, and stays as it is
   * @param copies c, at least 1
   * @throws InvalidJobConfException if the job cannot run in several copies; it says why
   */
  public static ClonedJob of(Job job, int copies) throws IOException, ClassNotFoundException {
    if (copies < 1) {
      throw new IllegalArgumentException("a job runs in 1 copy or more, not in " + copies);
    }
    CopyableJob.check(job, settings(job));
    return new ClonedJob(job, copies, CopiedOutput.of(job));
  }

  /**
   * A job in as many copies as bring the chance that all of them meet an outlier to {@code
   * mapreduce.drover.clone.eps} or less, by its {@code outlier-probability}, but no more than its
   * {@code max-copies}; in one if it has more than {@code max-tasks} tasks. For the number of its
   * tasks, the splits of the input are made once more than for the copies.
   *
   * @param job configured, not submitted; it never is, and stays as it is
   * @throws InvalidJobConfException if the job cannot run in several copies; it says why
   */
  public static ClonedJob of(Job job)
      throws IOException, InterruptedException, ClassNotFoundException {
    CloneSettings settings = settings(job).clones();
    int tasks = JobShape.tasks(job);
    boolean small = tasks > 0 && tasks <= settings.maxTasks();
    return of(job, small ? settings.count().ofWholeJob(tasks, settings.outlierProbability()) : 1);
  }

  private static JobSettings settings(Job job) throws InvalidJobConfException {
    try {
      return HadoopSettings.read(job.getConfiguration());
    } catch (BadSettingException e) {
      throw new InvalidJobConfException(e.getMessage(), e);
    }
  }

  /** How many copies there are to be. */
  public int count() {
    return count;
  }

  /**
   * Runs the copies until one has succeeded and the others are gone, or all have failed. To be
   * called once.
   *
   * @throws org.apache.hadoop.mapred.FileAlreadyExistsException if there is an output already
   * @throws IOException if no copy could be submitted, if the cluster could not be asked about the
   *     last one, or if the winner's output could not be given its name; it says where it is
   * @throws InterruptedException if interrupted, or if the process ends; all copies are killed then
   */
  public Outcome run() throws IOException, InterruptedException, ClassNotFoundException {
    output.checkAbsent();
    Runnable hook = this::end;
    ShutdownHookManager.get()
        .addShutdownHook(
            hook,
            FileSystem.SHUTDOWN_HOOK_PRIORITY + 1, // before file systems are closed
            HOOK_LIMIT_SECONDS,
            TimeUnit.SECONDS);
    try {
      submit();
      awaitWinner();
    } finally {
      end();
      remove(hook);
    }
    return new Outcome(Optional.ofNullable(winner), List.copyOf(copies));
  }

  private static void remove(Runnable hook) {
    try {
      ShutdownHookManager.get().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      LOG.debug("The process ends already; its hook finds nothing left to do", e);
    }
  }

  private void submit() throws IOException, InterruptedException, ClassNotFoundException {
    for (int number = 1; number <= count; number++) {
      JobCopy copy = JobCopy.of(job, number, count, output);
      try {
        submit(copy);
      } catch (IOException | RuntimeException e) {
        if (copies.isEmpty()) {
          throw e;
        }
        LOG.warn("{} was refused; {} go on", copy, copies, e);
        return; // what refuses one will refuse the next
      }
    }
  }

  private synchronized void submit(JobCopy copy)
      throws IOException, InterruptedException, ClassNotFoundException {
    checkNotOver();
    copy.submit();
    copies.add(copy);
  }

  private void awaitWinner() throws IOException, InterruptedException {
    long pollMillis = Job.getProgressPollInterval(job.getConfiguration());
    List<JobCopy> running = new ArrayList<>(copies);
    while (!running.isEmpty()) {
      for (Iterator<JobCopy> each = running.iterator(); each.hasNext(); ) {
        JobCopy copy = each.next();
        Optional<JobStatus.State> state = state(copy, running.size() == 1);
        if (state.isPresent() && state.get() == JobStatus.State.SUCCEEDED) {
          install(copy);
          return;
        }
        if (state.isEmpty() || isFailed(state.get())) {
          LOG.warn("{} is out: {}", copy, state.map(Enum::name).orElse("not to be asked"));
          each.remove();
        }
      }
      if (!running.isEmpty() && over.await(pollMillis, TimeUnit.MILLISECONDS)) {
        checkNotOver();
      }
    }
  }

  private static boolean isFailed(JobStatus.State state) {
    return state == JobStatus.State.FAILED || state == JobStatus.State.KILLED;
  }

  /** Empty if the cluster cannot be asked about this copy, and there are others. */
  private static Optional<JobStatus.State> state(JobCopy copy, boolean last)
      throws IOException, InterruptedException {
    try {
      return Optional.of(copy.state());
    } catch (IOException e) {
      if (last) {
        throw e;
      }
      LOG.warn("How it stands with {} is not known", copy, e);
      return Optional.empty();
    }
  }

  private synchronized void install(JobCopy copy) throws IOException, InterruptedException {
    checkNotOver();
    winner = copy;
    try {
      output.install(copy.directory());
    } catch (IOException e) {
      throw new IOException(
          copy
              + " has succeeded; but its output, in "
              + copy.directory()
              + ", could not be renamed to "
              + output.place()
              + ", and is left where it is",
          e);
    }
    LOG.info("{} has succeeded: its output is in {}", copy, output.place());
  }

  private void checkNotOver() throws InterruptedException {
    if (over.getCount() == 0) {
      throw new InterruptedException("this process ends");
    }
  }

  /** Kills all copies but the winner, at once, and removes their outputs. */
  synchronized void end() {
    over.countDown();
    CompletableFuture.allOf(
            copies.stream()
                .filter(copy -> copy != winner)
                .map(
                    copy ->
                        CompletableFuture.runAsync(
                            copy::discard,
                            task -> UserThread.daemon(task, "discard " + copy).start()))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  /** Which jobs may run in several copies at once. */
  static final class CopyableJob {
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
}
