// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What befalls a job that it does not do itself: once its maps are so far, a process of it dies,
 * its user kills it, or another queue's job comes.
 */
final class FaultFromOutside implements RunListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FaultFromOutside.class);

  /** Of the progress of all maps; a rival's AppMaster takes its time to start. */
  private static final double AT = 0.3;

  private static final double RIVAL_AT = 0.05;

  /** Of a map's progress, from where on its process is spared: it may be done before it dies. */
  private static final double FAR = 0.6;

  private final SoakFault fault;
  private final DroverCluster cluster;
  private final JobRunner runner;
  private String jobId;
  private boolean done;
  private FutureTask<RunResult> rival;
  private Thread rivalsThread;

  private FaultFromOutside(SoakFault fault, DroverCluster cluster, JobRunner runner) {
    this.fault = fault;
    this.cluster = cluster;
    this.runner = runner;
  }

  static FaultFromOutside of(SoakPair pair, DroverCluster cluster, JobRunner runner)
      throws IOException {
    if (pair.fault() == SoakFault.RIVAL) {
      runner.prepare(rival());
    }
    return new FaultFromOutside(pair.fault(), cluster, runner);
  }

  /** It wants its queue's half of the cluster. */
  private static DemoJobSpec rival() {
    return DemoJobSpec.of(Scenario.NONE)
        .with()
        .tasks(6, 1)
        .bytesPerMap(150_000, 0)
        .pace(Duration.ofSeconds(4), Duration.ofSeconds(1))
        .build();
  }

  @Override
  public void submitted(String id) {
    jobId = id;
  }

  @Override
  public void progress(JobProgress job) throws IOException, InterruptedException {
    if (done || job.maps() < (fault == SoakFault.RIVAL ? RIVAL_AT : AT)) {
      return;
    }
    switch (fault) {
      case DEAD_PROCESS -> done = killProcess();
      case KILLED_JOB -> {
        done = true;
        withJob(Job::killJob);
      }
      case RIVAL -> {
        done = true;
        startRival();
      }
      default -> done = true;
    }
  }

  /**
   * Of the first of the maps' first attempts that is at work. A process that has done its work
   * stays for a moment: to kill that one would be no fault.
   */
  private boolean killProcess() throws IOException, InterruptedException {
    Set<String> atWork = mapsAtWork();
    Optional<LiveContainer> victim =
        cluster.liveContainers().stream()
            .filter(container -> atWork.contains(container.attemptId().orElse("")))
            .min(Comparator.comparing(container -> container.attemptId().orElseThrow()));
    victim
        .flatMap(container -> ProcessHandle.of(container.pid()))
        .ifPresent(
            process -> {
              LOG.info("kills the process of {}", victim.orElseThrow().attemptId().orElseThrow());
              process.destroyForcibly();
            });
    return victim.isPresent();
  }

  /** First attempts of maps that have much left to do. */
  private Set<String> mapsAtWork() throws IOException, InterruptedException {
    Set<String> atWork = new HashSet<>();
    withJob(
        job -> {
          for (TaskReport map : job.getTaskReports(TaskType.MAP)) {
            if (map.getCurrentStatus() == TIPStatus.RUNNING && map.getProgress() < FAR) {
              map.getRunningTaskAttemptIds().stream()
                  .filter(attempt -> attempt.getId() == 0)
                  .forEach(attempt -> atWork.add(attempt.toString()));
            }
          }
        });
    return atWork;
  }

  /** What is done with a job that runs. */
  private interface Use {
    void of(Job job) throws IOException, InterruptedException;
  }

  private void withJob(Use use) throws IOException, InterruptedException {
    Cluster client = new Cluster(cluster.clientConf());
    try {
      Job job = client.getJob(JobID.forName(jobId));
      if (job == null) {
        throw new IOException(jobId + " is not known");
      }
      use.of(job);
    } finally {
      client.close();
    }
  }

  private void startRival() {
    Map<String, String> queue = Map.of("mapreduce.job.queuename", SoakCluster.RIVALS_QUEUE);
    rival = new FutureTask<>(() -> runner.run(rival(), RunMode.CLEAN, queue, RunListener.NONE));
    rivalsThread = new Thread(rival, "rival");
    rivalsThread.setDaemon(true);
    rivalsThread.start();
  }

  /** Waits until nothing of it is left. */
  void await() throws IOException, InterruptedException {
    if (rival == null) {
      return;
    }
    try {
      RunResult result = rival.get();
      if (!result.succeeded()) {
        throw new IOException("the rival is " + result.state() + ": " + result.diagnostics());
      }
    } catch (ExecutionException e) {
      throw new IOException("the rival did not run", e);
    }
  }

  /** Ends the rival if the run ended with an exception. */
  @Override
  public void close() throws InterruptedException {
    if (rivalsThread != null) {
      rivalsThread.interrupt(); // its job is killed then
      rivalsThread.join(Duration.ofSeconds(30).toMillis());
    }
  }
}
