// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.appmaster.shuffle.ShuffleClient;
import io.drover.core.protect.CrawlingMachines.Share;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.net.NetworkTopology;

/** The outputs of a job's maps, by the host that keeps each. Used on the dispatcher thread. */
final class OutputsByHost {
  private final Map<TaskId, Output> outputs = new HashMap<>();
  private final Map<String, Map<TaskId, Output>> byHost = new HashMap<>();
  private final Map<String, Long> bytes = new HashMap<>();

  /** Of all outputs that a host has or had. */
  private final Map<String, Long> bytesEver = new HashMap<>();

  private final boolean isEncrypted;

  /**
   * Creates a state without outputs.
   *
   * @param isEncrypted whether the shuffle is
   */
  OutputsByHost(boolean isEncrypted) {
    this.isEncrypted = isEncrypted;
  }

  /**
   * The output of a map.
   *
   * @param attempt the attempt that made it
   * @param host where it is
   * @param address where reduces find it, such as {@code http://host:13562}
   * @param bytes its size
   * @param seconds how long the attempt ran
   */
  record Output(TaskAttempt attempt, String host, String address, long bytes, double seconds) {
    Output at(String otherHost, String otherAddress) {
      return new Output(attempt, otherHost, otherAddress, bytes, seconds);
    }

    TaskAttemptId id() {
      return attempt.getID();
    }

    /** Returns the rack of the host, and of the host of a replica. */
    String rack() {
      return Objects.requireNonNullElse(attempt.getNodeRackName(), NetworkTopology.DEFAULT_RACK);
    }
  }

  /**
   * Takes in what has become of a map: whether it has an output now, and whose.
   *
   * @return whether it was the last one on its host
   */
  boolean refresh(Task map) {
    Output known = outputs.get(map.getID());
    boolean isOneEmpty = false;
    if (known != null && (map.getState() != TaskState.SUCCEEDED || !hasSucceeded(known.attempt))) {
      remove(known);
      isOneEmpty = !byHost.containsKey(known.host);
      known = null;
    }
    if (known == null && map.getState() == TaskState.SUCCEEDED) {
      TaskAttempt attempt = map.getAttempt(map.getReport().getSuccessfulAttempt());
      if (hasSucceeded(attempt) && attempt.getNodeId() != null) {
        add(output(attempt));
      }
    }
    return isOneEmpty;
  }

  private Output output(TaskAttempt attempt) {
    long size =
        attempt.getCounters().findCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).getValue();
    return new Output(
        attempt,
        attempt.getNodeId().getHost(),
        ShuffleClient.address(isEncrypted, attempt.getNodeHttpAddress(), attempt.getShufflePort()),
        Math.max(0, size),
        Math.max(0, attempt.getFinishTime() - attempt.getLaunchTime()) / 1e3);
  }

  /** Notes that an output is read elsewhere from now on. */
  void move(Output from, Output to) {
    remove(from);
    add(to);
  }

  /** Returns all outputs, in no particular order. */
  Collection<Output> all() {
    return outputs.values();
  }

  private static boolean hasSucceeded(TaskAttempt attempt) {
    return attempt.getState() == TaskAttemptState.SUCCEEDED;
  }

  private void add(Output output) {
    TaskId map = output.id().getTaskId();
    outputs.put(map, output);
    byHost.computeIfAbsent(output.host, host -> new HashMap<>()).put(map, output);
    bytes.merge(output.host, output.bytes, Long::sum);
    bytesEver.merge(output.host, output.bytes, Long::sum);
  }

  /** Forgets an output. */
  void remove(Output output) {
    TaskId map = output.id().getTaskId();
    if (!outputs.remove(map, output)) {
      return;
    }
    bytes.merge(output.host, -output.bytes, Long::sum);
    byHost.computeIfPresent(
        output.host,
        (host, there) -> {
          there.remove(map);
          return there.isEmpty() ? null : there;
        });
  }

  /** Returns the output that an attempt has made, if it is the one that counts. */
  Optional<Output> of(TaskAttemptId attempt) {
    return Optional.ofNullable(outputs.get(attempt.getTaskId()))
        .filter(output -> output.id().equals(attempt));
  }

  /** Returns the output of a map, if it has one now. */
  Optional<Output> of(Task map) {
    return Optional.ofNullable(outputs.get(map.getID()));
  }

  /** Returns the outputs on a host, in no particular order. */
  List<Output> on(String host) {
    return List.copyOf(byHost.getOrDefault(host, Map.of()).values());
  }

  /** Returns what each reduce needs from a host. */
  Share share(String host, int reduces) {
    return new Share(
        bytes.getOrDefault(host, 0L) / (double) reduces,
        bytesEver.getOrDefault(host, 0L) / (double) reduces);
  }

  /** Returns how long a map in the middle ran; 0 if there is no output. */
  double usualSeconds() {
    double[] seconds = outputs.values().stream().mapToDouble(Output::seconds).sorted().toArray();
    return seconds.length == 0 ? 0 : seconds[seconds.length / 2];
  }

  /** Returns all hosts that keep an output. */
  Set<String> hosts() {
    return byHost.keySet();
  }

  /**
   * Returns whether some reduce still has to read map outputs: it has not succeeded, and none of
   * its attempts has got past the shuffle, or a second one that has been found worth while has not.
   * Any thread may call this.
   *
   * @param lost hosts whose attempts do not count, since they may be lost too
   */
  static boolean areUnread(Job job, Collection<String> lost) {
    return job.getTasks(TaskType.REDUCE).values().stream()
        .filter(reduce -> reduce.getState() != TaskState.SUCCEEDED)
        .anyMatch(
            reduce -> {
              List<TaskAttempt> living =
                  reduce.getAttempts().values().stream()
                      .filter(
                          attempt ->
                              HadoopAttempts.isLiving(attempt)
                                  && !HadoopAttempts.isOn(attempt, lost))
                      .toList();
              return living.isEmpty() || !living.stream().allMatch(OutputsByHost::hasRead);
            });
  }

  /**
   * Returns where reduces run that are not done: for each the hosts of its attempts, none if it
   * waits for a container.
   *
   * @param lost hosts whose attempts do not count
   */
  static List<Set<String>> unfinished(Job job, Collection<String> lost) {
    return job.getTasks(TaskType.REDUCE).values().stream()
        .filter(reduce -> reduce.getState() != TaskState.SUCCEEDED)
        .map(
            reduce ->
                reduce.getAttempts().values().stream()
                    .filter(HadoopAttempts::isLiving)
                    .flatMap(attempt -> HadoopAttempts.host(attempt).stream())
                    .filter(host -> !lost.contains(host))
                    .collect(Collectors.toSet()))
        .toList();
  }

  private static boolean hasRead(TaskAttempt attempt) {
    Phase phase = attempt.getPhase();
    boolean isEarly = phase == null || phase == Phase.STARTING || phase == Phase.SHUFFLE;
    boolean runs =
        attempt.getState() == TaskAttemptState.RUNNING
            || attempt.getState() == TaskAttemptState.COMMIT_PENDING;
    return runs && !isEarly;
  }
}
