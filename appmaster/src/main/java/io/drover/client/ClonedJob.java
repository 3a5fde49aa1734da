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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
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
 * It replaces {@code job.waitForCompletion(true)}:
 *
 * <pre>{@code
 * ClonedJob.Outcome outcome = ClonedJob.of(job, 2).run();
 * boolean succeeded = outcome.winner().isPresent();
 * }</pre>
 *
 * <p>Each copy is a job of its own, submitted from a copy of the configuration. It has its own
 * output directory beside the job's, and its tasks have no clones. The output of the first copy
 * that succeeds gets the job's name. The others are killed and their outputs are removed. If a copy
 * fails, or its submission is refused while others run, the rest go on: the job fails when all
 * copies have failed. If this process is interrupted or ends, all copies are killed and nothing is
 * left, except of a copy whose end does not become known because the cluster gives no answer. If it
 * is killed outright, the copies run to their ends in their own directories, and nothing appears in
 * the output's place.
 *
 * <p>Source: Dolly section 3.1. With c copies of a job of n tasks, each an outlier with probability
 * p, all copies meet an outlier with probability (1 - (1 - p)^n)^c; {@link CloneCount#ofWholeJob}
 * solves for c. Departure: the paper limits c by the room under a ceiling of utilisation. A client
 * does not know that room, so a setting limits the copies, and the queue's own limits apply.
 *
 * <p>Why the result can only be one whole output or none:
 *
 * <ul>
 *   <li>No copy knows the output's place, so only {@link CopiedOutput#install} writes there. It is
 *       a rename in one step that fails if the place is taken, in a file system that has such a
 *       rename. Readers see no output or all of it, and of two runs to the same place, one fails.
 *   <li>A copy is installed after its job is seen to have SUCCEEDED. Its commit is over then, and
 *       nothing of that job writes any more.
 *   <li>Two copies may succeed at once, or a loser may commit while it is killed. They are
 *       processed one after the other: the first is installed, and the other one's output is in its
 *       own directory.
 *   <li>Submission, installation and the end (also that of the process) exclude each other. After
 *       the end, nothing is submitted or installed. A copy that is being installed is kept.
 *   <li>If the rename fails, the winner's output is not removed, and the error says where it is.
 * </ul>
 *
 * <p>What maps and reduces do outside of their committer happens once for each copy. Jobs for which
 * that is known to do harm are refused, and so are jobs whose output is not a directory.
 */
public final class ClonedJob {
  private static final Logger LOG = LoggerFactory.getLogger(ClonedJob.class);

  /** Limit for killing all copies when the process ends; Hadoop kills hard after 10 s. */
  private static final long HOOK_LIMIT_SECONDS = 60;

  /** How long the cluster may give no answer about a copy before that copy drops out. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Job job;
  private final int count;
  private final CopiedOutput output;
  private final Duration patience;
  private final List<JobCopy> copies = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private JobCopy winner;

  private ClonedJob(Job job, int count, CopiedOutput output, Duration patience) {
    this.job = job;
    this.count = count;
    this.output = output;
    this.patience = patience;
  }

  /** How a copy ended. */
  private record End(JobCopy copy, JobStatus.State state) {}

  /**
   * The result of a run.
   *
   * @param winner the copy whose output is the job's; empty if all copies failed
   * @param copies all copies that were submitted, in that order
   */
  public record Outcome(Optional<JobCopy> winner, List<JobCopy> copies) {}

  /**
   * Creates a job that runs in a given number of copies.
   *
   * @param job configured, not submitted; it never is, and stays as it is
   * @param copies c, at least 1
   * @throws InvalidJobConfException if the job cannot run in several copies; it says why
   */
  public static ClonedJob of(Job job, int copies) throws IOException, ClassNotFoundException {
    return of(job, copies, PATIENCE);
  }

  /**
   * Creates such a job.
   *
   * @param patience how long the cluster may give no answer about a copy
   */
  static ClonedJob of(Job job, int copies, Duration patience)
      throws IOException, ClassNotFoundException {
    if (copies < 1) {
      throw new IllegalArgumentException("a job runs in at least 1 copy, not in " + copies);
    }
    CopyableJob.check(job, settings(job));
    return new ClonedJob(job, copies, CopiedOutput.of(job), patience);
  }

  /**
   * Creates a job that runs in as many copies as bring the probability that all of them meet an
   * outlier to {@code mapreduce.drover.clone.eps} or less, given its {@code outlier-probability},
   * but no more than its {@code max-copies}. If it has more than {@code max-tasks} tasks, it runs
   * in one. To count its tasks, the splits of the input are made once more than for the copies.
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

  /** Returns how many copies there will be. */
  public int count() {
    return count;
  }

  /**
   * Runs the copies until one has succeeded and the others are gone, or all have failed. Call it
   * once.
   *
   * @throws org.apache.hadoop.mapred.FileAlreadyExistsException if there is an output already
   * @throws IOException if no copy could be submitted, if none is known to have succeeded and it is
   *     not known how one ended, or if the winner's output could not be renamed; it says where the
   *     output is
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
      LOG.debug("The process is already ending; its hook has nothing left to do", e);
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
        LOG.warn("{} was rejected; these continue: {}", copy, copies, e);
        return; // the next one would be refused too
      }
    }
  }

  private synchronized void submit(JobCopy copy)
      throws IOException, InterruptedException, ClassNotFoundException {
    checkNotOver();
    copy.submit();
    copies.add(copy);
  }

  /**
   * Waits for the first copy that succeeds, or until none is left. Each copy is asked on a thread
   * of its own, because to ask about one whose node is dead takes minutes.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // they are taken as they are done
  private void awaitWinner() throws IOException, InterruptedException {
    CompletionService<End> ends =
        new ExecutorCompletionService<>(
            work -> UserThread.daemon(work, "Drover copy of a job").start());
    copies.forEach(copy -> ends.submit(() -> new End(copy, copy.awaitEnd(over, patience))));
    IOException unknown = null;
    for (int left = copies.size(); left > 0; left--) {
      try {
        End end = ends.take().get();
        if (end.state() == JobStatus.State.SUCCEEDED) {
          install(end.copy());
          return;
        }
        LOG.warn("{} has dropped out: {}", end.copy(), end.state());
      } catch (ExecutionException e) {
        checkNotOver();
        if (!(e.getCause() instanceof IOException silence)) {
          throw new IllegalStateException("a copy cannot be awaited", e.getCause());
        }
        LOG.warn("A copy has dropped out", silence);
        unknown = silence;
      }
    }
    if (unknown != null) { // it may have succeeded
      throw unknown;
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
              + " has succeeded, but its output in "
              + copy.directory()
              + " could not be renamed to "
              + output.place()
              + " and is left where it is",
          e);
    }
    LOG.info("{} has succeeded: its output is in {}", copy, output.place());
  }

  private void checkNotOver() throws InterruptedException {
    if (over.getCount() == 0) {
      throw new InterruptedException("this process is ending");
    }
  }

  /**
   * Kills all copies except the winner, all at once, and removes their outputs if they have ended.
   */
  synchronized void end() {
    over.countDown();
    boolean isWon = winner != null;
    CompletableFuture.allOf(
            copies.stream()
                .filter(copy -> copy != winner)
                .map(
                    copy ->
                        CompletableFuture.runAsync(
                            () -> copy.discard(isWon),
                            task -> UserThread.daemon(task, "discard " + copy).start()))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  /** Decides which jobs may run in several copies at once. */
  static final class CopyableJob {
    private CopyableJob() {}

    /**
     * Refuses a job that may not run in several copies.
     *
     * @throws InvalidJobConfException with the reason and a remedy
     */
    static void check(Job job, JobSettings settings)
        throws InvalidJobConfException, ClassNotFoundException {
      if (job.getJobID() != null) {
        throw new IllegalStateException(
            job.getJobID() + " has been submitted: create the ClonedJob before that");
      }
      Class<?> format = JobShape.outputFormat(job);
      boolean directory =
          FileOutputFormat.class.isAssignableFrom(format)
              || org.apache.hadoop.mapred.FileOutputFormat.class.isAssignableFrom(format);
      if (!directory) {
        throw new InvalidJobConfException(
            format.getName()
                + " does not write into a directory: only a job that writes through a"
                + " FileOutputFormat can run in several copies");
      }
      Optional<OutputSafety.Objection> unsafe =
          new OutputSafety(settings.outputs())
              .objection(job.getConfiguration(), job.getConfiguration().getClassLoader());
      if (unsafe.isPresent()) {
        throw new InvalidJobConfException(
            unsafe.get().why()
                + " ("
                + OutputSettings.EXCLUDED.key()
                + "): a job that writes before its commit must not run in several copies");
      }
      if (job.getConfiguration().get(MRJobConfig.MR_JOB_END_NOTIFICATION_URL) != null) {
        throw new InvalidJobConfException(
            MRJobConfig.MR_JOB_END_NOTIFICATION_URL
                + " would be notified of each copy before the output is in place: unset it, and"
                + " notify after the run");
      }
    }
  }
}
