// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything one run of a demo job left behind.
 *
 * @param jobId the job's id
 * @param spec what was run
 * @param mode how it was run
 * @param faultNode the node the fault was put on, for faults that have one
 * @param faultTask the task the fault was put on, for faults that have one
 * @param amNode the host that ran the job's AppMaster
 * @param succeeded whether the job ended well, and the small ones beside it, where there were any
 * @param state the job's final state, in Hadoop's word; that of a small job, if only that failed
 * @param diagnostics what Hadoop said about the job's end; empty when nothing was said
 * @param submitted when the user called submit
 * @param wall from submit until the submitting user saw the end
 * @param historyTime from submit to finish in the job's history
 * @param attempts every attempt of every task, by start
 * @param tally their sums
 * @param locality how near to their data the maps ran
 * @param counters the job's counters, {@code group/name} to value
 * @param output what the job wrote
 * @param decisions the decision log's JSON lines as written; empty when there is no log
 * @param decisionLog where they were read from, if there was a log
 * @param historyFile a copy of the job's history file in the cluster's directory, which goes with
 *     it
 * @param progress map and reduce progress as seen on the way
 * @param events what the runner did to the job on the way (a node killed), by time
 * @param shuffled what went from rack to rack in the shuffle, where it was counted
 * @param occupancy how full the cluster was, and what came of the small jobs beside this one, where
 *     there were any
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
    Optional<Occupancy> occupancy) {

  /** Copies the collections, so that a result never changes. */
  public RunResult {
    attempts = List.copyOf(attempts);
    counters = Map.copyOf(counters);
    decisions = List.copyOf(decisions);
    progress = List.copyOf(progress);
    events = List.copyOf(events);
  }
}
