// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.AttemptRecord.Role;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunListener.RunEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.JobCounter;

/**
 * The result of one run of a demo job.
 *
 * @param jobId the job's id
 * @param spec what was run
 * @param mode how it was run
 * @param faultNode the node of the fault, for faults that have one
 * @param faultTask the task of the fault, for faults that have one
 * @param amNode the host that ran the job's AppMaster
 * @param succeeded whether the job succeeded, and so did any small jobs beside it
 * @param state the job's final state, in Hadoop's words; that of a small job, if only that failed
 * @param diagnostics what Hadoop said about the job's end; empty if nothing
 * @param submitted when the user called submit
 * @param wall from submit until the submitting user saw the end
 * @param historyTime from submit to finish in the job's history
 * @param attempts every attempt of every task, by start
 * @param tally their sums
 * @param locality how near to their data the maps ran
 * @param counters the job's counters, {@code group/name} to value
 * @param output what the job wrote
 * @param decisions the decision log's JSON lines as written; empty if there is no log
 * @param decisionLog where they were read from, if there was a log
 * @param historyFile a copy of the job's history file in the cluster's directory, which is removed
 *     with it
 * @param progress map and reduce progress as seen during the run
 * @param events what the runner did to the job during the run (a node killed), by time
 * @param shuffled what was sent from rack to rack in the shuffle, if it was counted
 * @param occupancy how full the cluster was, and the results of the small jobs beside this one, if
 *     there were any
 * @param sample which blocks were read where, if the job needed a sample
 * @param stream what each job has come to, if the run was a stream of jobs; the run's job is then
 *     the first of them, its times are those of the stream, and its output is that of each job that
 *     succeeded
 */
public record RunResult(
    String jobId,
    DemoJobSpec spec,
    RunMode mode,
    Optional<String> faultNode,
    Optional<String> faultTask,
    String amNode,
    boolean succeeded,
    String state,
    String diagnostics,
    Instant submitted,
    Duration wall,
    Duration historyTime,
    List<AttemptRecord> attempts,
    AttemptTally tally,
    MapLocality locality,
    Map<String, Long> counters,
    OutputDigest output,
    List<String> decisions,
    Optional<String> decisionLog,
    Optional<Path> historyFile,
    List<JobProgress> progress,
    List<RunEvent> events,
    Optional<RackTraffic> shuffled,
    Optional<Occupancy> occupancy,
    Optional<SampleRun> sample,
    Optional<JobStream> stream) {

  /** Copies the collections, so that a result never changes. */
  public RunResult {
    attempts = List.copyOf(attempts);
    counters = Map.copyOf(counters);
    decisions = List.copyOf(decisions);
    progress = List.copyOf(progress);
    events = List.copyOf(events);
  }

  /**
   * How near to their data the maps ran, from the job's counters.
   *
   * @param dataLocal on a host that holds the block
   * @param rackLocal in a rack that holds the block
   * @param offSwitch in another rack
   */
  public record MapLocality(long dataLocal, long rackLocal, long offSwitch) {

    /** Takes them from a job's counters. */
    static MapLocality of(Map<String, Long> counters) {
      String group = JobCounter.class.getName() + "/";
      return new MapLocality(
          counters.getOrDefault(group + JobCounter.DATA_LOCAL_MAPS, 0L),
          counters.getOrDefault(group + JobCounter.RACK_LOCAL_MAPS, 0L),
          counters.getOrDefault(group + JobCounter.OTHER_LOCAL_MAPS, 0L));
    }
  }

  /**
   * The cost of a run, over all its attempts.
   *
   * @param taskTime the sum of all attempts' lifetimes
   * @param wastedTime the part of it that was spent in attempts whose output was not used
   * @param copies attempts started while an earlier one of their task was running
   * @param copiesWon copies whose output was used
   * @param copiesLost copies whose output was not used
   * @param restarts attempts started after all earlier ones of their task had ended
   * @param failed attempts that Hadoop counts as failed
   */
  public record AttemptTally(
      Duration taskTime,
      Duration wastedTime,
      int copies,
      int copiesWon,
      int copiesLost,
      int restarts,
      int failed) {

    /** Counts the attempts. */
    static AttemptTally of(List<AttemptRecord> attempts) {
      return new AttemptTally(
          time(attempts, attempt -> true),
          time(attempts, attempt -> !attempt.won()),
          count(attempts, a -> a.role() == Role.COPY),
          count(attempts, a -> a.role() == Role.COPY && a.won()),
          count(attempts, a -> a.role() == Role.COPY && !a.won()),
          count(attempts, a -> a.role() == Role.RETRY),
          count(attempts, a -> a.outcome() == Outcome.FAILED));
    }

    private static int count(List<AttemptRecord> attempts, Predicate<AttemptRecord> which) {
      return (int) attempts.stream().filter(which).count();
    }

    private static Duration time(List<AttemptRecord> attempts, Predicate<AttemptRecord> which) {
      return attempts.stream()
          .filter(which)
          .map(AttemptRecord::duration)
          .reduce(Duration.ZERO, Duration::plus);
    }
  }

  /**
   * What a job wrote, in a form by which two runs can be compared.
   *
   * @param sha256 the digest of the sorted lines of all parts, so that it depends neither on how
   *     keys were spread over reduces nor on which attempts wrote them; that of no lines if the job
   *     failed
   * @param lines how many lines
   * @param bytes how many bytes, line ends included
   */
  public record OutputDigest(String sha256, long lines, long bytes) {}
}
