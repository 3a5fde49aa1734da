// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.channel.AttemptOutcome;
import io.drover.channel.ChannelClient;
import io.drover.channel.ChannelClient.TimestampedState;
import io.drover.channel.ClusterState;
import io.drover.channel.JobStart;
import io.drover.channel.RackBandwidth;
import io.drover.channel.Report.LostOutputs;
import io.drover.core.machine.SlowMachineRule;
import io.drover.core.placement.LinkBandwidths;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job's connection to Drover's scheduler. All that is heard is advice: where there is none,
 * because no channel is configured, Drover's scheduler does not run or it has not been heard for a
 * while, every answer is empty or the usual one, and the job goes by its settings and by what it
 * sees itself.
 *
 * <p>On any thread; nothing waits and nothing is thrown.
 */
public class ClusterChannel implements LinkBandwidths.Known, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterChannel.class);

  /** A scheduler that answers at all does so within this time. */
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(2);

  private final Supplier<Optional<ClusterState>> state;
  private volatile Optional<ChannelClient> client = Optional.empty();
  private volatile long openedAt;

  /** A channel that is not open: nothing is heard, and what is told is lost. */
  ClusterChannel() {
    this.state = () -> client.flatMap(ChannelClient::latestState).map(TimestampedState::state);
  }

  /** A channel that tells nobody, and on which is heard what is given here. */
  ClusterChannel(Supplier<Optional<ClusterState>> state) {
    this.state = state;
  }

  /**
   * Opens the channel, where one is configured; what is told before is not told.
   *
   * @param speaker has the attempt's AMRMToken, also when it is renewed
   */
  void open(Configuration conf, ApplicationAttemptId attempt, UserGroupInformation speaker) {
    openedAt = System.nanoTime();
    client = Optional.of(ChannelClient.start(conf, attempt, speaker));
  }

  @Override
  public void close() {
    client.ifPresent(ChannelClient::close);
  }

  // --- what is heard

  /** The probability that an attempt somewhere in the cluster is an outlier, in [0,1]. */
  OptionalDouble outlierProbability() {
    return lookUp(ClusterState::outlierProbability).orElse(OptionalDouble.empty());
  }

  /**
   * The probability that an attempt on a host is an outlier, in [0,1]; empty of hosts of which
   * nothing is told, as is the case where there are many that are worse.
   */
  OptionalDouble outlierProbability(String host) {
    Optional<Double> known =
        lookUp(ClusterState::table).map(table -> table.outlierProbabilities().get(host));
    return known.isPresent() ? OptionalDouble.of(known.get()) : OptionalDouble.empty();
  }

  /** Whether a host is one that second copies keep away from. */
  boolean isSlow(String host) {
    OptionalDouble here = outlierProbability(host);
    OptionalDouble anywhere = outlierProbability();
    return here.isPresent()
        && anywhere.isPresent()
        && SlowMachineRule.DEFAULT.isSlow(here.getAsDouble(), anywhere.getAsDouble());
  }

  /**
   * How many clones the job may ask for now besides those that have a container; empty where the
   * scheduler keeps no clones under a ceiling.
   */
  OptionalInt cloneRoom() {
    return lookUp(ClusterState::cloneRoom).orElse(OptionalInt.empty());
  }

  /**
   * Whether an earlier job of the same program has shown that its tasks cannot bear two attempts.
   */
  boolean forbidsSecondAttempts() {
    return lookUp(ClusterState::singleAttempts).orElse(false);
  }

  /**
   * Whether it may be that much is heard in a moment: the channel was opened just now, and there
   * has been no answer yet.
   */
  boolean isAwaited() {
    long age = System.nanoTime() - openedAt;
    return client.isPresent()
        && client.get().isOn()
        && state.get().isEmpty()
        && age < FIRST_ANSWER.toNanos();
  }

  @Override
  public OptionalDouble up(String rack) {
    return link(rack, RackBandwidth::up);
  }

  @Override
  public OptionalDouble down(String rack) {
    return link(rack, RackBandwidth::down);
  }

  private OptionalDouble link(String rack, Function<RackBandwidth, OptionalDouble> direction) {
    return lookUp(ClusterState::table).stream()
        .flatMap(table -> table.bandwidths().stream())
        .filter(link -> link.rack().equals(rack))
        .map(direction)
        .findFirst()
        .orElse(OptionalDouble.empty());
  }

  private <T> Optional<T> lookUp(Function<ClusterState, T> what) {
    return state.get().map(what);
  }

  // --- what is told

  void job(JobStart job) {
    send(channel -> channel.job(job));
  }

  void ended(AttemptOutcome outcome) {
    send(channel -> channel.ended(outcome));
  }

  void lost(String host) {
    send(channel -> channel.lost(new LostOutputs(host, 1)));
  }

  void bandwidth(String rack, OptionalDouble up, OptionalDouble down) {
    send(channel -> channel.bandwidth(new RackBandwidth(rack, up, down)));
  }

  /** A name or a number that the channel does not take is the loss of that piece of news only. */
  private void send(Consumer<ChannelClient> news) {
    try {
      client.ifPresent(news);
    } catch (IllegalArgumentException e) {
      LOG.warn("Drover's scheduler is not told: {}", e.getMessage());
    }
  }
}
