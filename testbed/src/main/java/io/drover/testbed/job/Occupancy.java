// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.job.RunResult.OutputDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How full the cluster was during a run of {@link Scenario#CEILING}, and how much of that clones
 * held. All times are since the submit of the big job, so those before it are negative.
 *
 * @param tau the ceiling of clones, a share of the cluster; if the cluster has none, the default,
 *     for comparison
 * @param samples the samples, by time
 * @param kills when the scheduler killed a clone
 * @param smallJobs the results of the small jobs
 * @param missed how many samples could not be taken
 * @param why why the first of those failed; empty if none did
 */
public record Occupancy(
    double tau,
    List<Sample> samples,
    List<Duration> kills,
    List<SmallJob> smallJobs,
    int missed,
    String why) {

  /** A dip below tau that is no longer than this is the room between a kill and its use. */
  private static final Duration DIP = Duration.ofSeconds(1);

  /** Copies the lists. */
  public Occupancy {
    samples = List.copyOf(samples);
    kills = List.copyOf(kills);
    smallJobs = List.copyOf(smallJobs);
  }

  /**
   * One sample.
   *
   * @param at when it was taken
   * @param utilisation the share of the cluster's memory that is in use, clones included
   * @param clones how many clones have a container
   * @param cloneShare the share of the cluster's memory that they hold
   */
  public record Sample(Duration at, double utilisation, int clones, double cloneShare) {}

  /**
   * The result of a small job.
   *
   * @param jobId the job's id
   * @param state its final state, in Hadoop's words
   * @param succeeded whether it succeeded
   * @param time from submit to finish in the job's history
   * @param output what it wrote
   */
  public record SmallJob(
      String jobId, String state, boolean succeeded, Duration time, OutputDigest output) {}

  /** Returns how many clones ran at once, at most. */
  public int peakClones() {
    return samples.stream().mapToInt(Sample::clones).max().orElse(0);
  }

  /** Returns when the longest stretch above tau began. It is never before the big job's submit. */
  public Optional<Duration> crossedAt() {
    return crowded().stream().findFirst().map(Sample::at);
  }

  /** Returns when no clone was left in that stretch; empty if no clone ran or some were left. */
  public Optional<Duration> reclaimedAt() {
    List<Sample> crowded = crowded();
    if (crowded.isEmpty() || peakClones() == 0) {
      return Optional.empty();
    }
    Duration crossed = crowded.get(0).at();
    Duration end = crowded.get(crowded.size() - 1).at();
    return samples.stream()
        .filter(sample -> sample.clones() == 0)
        .map(Sample::at)
        .filter(at -> at.compareTo(crossed) >= 0 && at.compareTo(end) <= 0)
        .findFirst();
  }

  /** Returns the time between {@link #crossedAt} and {@link #reclaimedAt}. */
  public Optional<Duration> reclaimTime() {
    return reclaimedAt().map(at -> at.minus(crossedAt().orElseThrow()));
  }

  /** Returns the longest stretch above tau since the big job's submit. Short dips do not end it. */
  private List<Sample> crowded() {
    List<Sample> longest = List.of();
    List<Sample> current = new ArrayList<>();
    for (Sample sample : samples) {
      if (sample.at().isNegative() || sample.utilisation() <= tau) {
        continue;
      }
      if (!current.isEmpty() && length(current).plus(DIP).compareTo(since(current, sample)) < 0) {
        current = new ArrayList<>();
      }
      current.add(sample);
      if (longest.isEmpty() || length(current).compareTo(length(longest)) > 0) {
        longest = current;
      }
    }
    return longest;
  }

  private static Duration length(List<Sample> stretch) {
    return since(stretch, stretch.get(stretch.size() - 1));
  }

  private static Duration since(List<Sample> stretch, Sample sample) {
    return sample.at().minus(stretch.get(0).at());
  }

  /** Returns the first small job that did not succeed, if there is one. */
  Optional<SmallJob> failed() {
    return smallJobs.stream().filter(job -> !job.succeeded()).findFirst();
  }
}
