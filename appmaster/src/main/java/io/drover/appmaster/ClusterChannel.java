// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.EndOrders.DueOrder;
import io.drover.channel.AttemptOutcome;
import io.drover.channel.ChannelClient;
import io.drover.channel.ChannelClient.TimestampedState;
import io.drover.channel.ClusterState;
import io.drover.channel.JobStart;
import io.drover.channel.RackBandwidth;
import io.drover.channel.Report.LostOutputs;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.machine.SlowMachineRule;
import io.drover.core.placement.LinkBandwidths;
import io.drover.core.restart.SlowTasks;
import io.drover.core.sampling.SamplingSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a job to Drover's scheduler. Everything the scheduler says is advice. If no channel is
 * configured, or the scheduler does not run or has been silent for a while, every method returns
 * empty or false, and the job uses its own settings and measurements.
 *
 * <p>Any thread may call this. No method waits or throws.
 */
public class ClusterChannel implements LinkBandwidths.Known, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterChannel.class);

  /** A scheduler that answers sends its first answer within this time. */
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(2);

  private final Supplier<Optional<ClusterState>> state;
  private volatile Optional<ChannelClient> client = Optional.empty();
  private volatile long openedAt;

  /** Creates a channel that is not open: it knows nothing, and what is sent is lost. */
  ClusterChannel() {
    this.state = () -> client.flatMap(ChannelClient::latestState).map(TimestampedState::state);
  }

  /** Creates a channel that sends to nobody and knows a given state. */
  ClusterChannel(Supplier<Optional<ClusterState>> state) {
    this.state = state;
  }

  /**
   * Opens the channel if one is configured and it is not open. What was sent before is lost.
   *
   * @param speaker has the attempt's AMRMToken, also when it is renewed
   */
  void open(Configuration conf, ApplicationAttemptId attempt, UserGroupInformation speaker) {
    if (client.isEmpty()) {
      openedAt = System.nanoTime();
      client = Optional.of(ChannelClient.start(conf, attempt, speaker));
    }
  }

  @Override
  public void close() {
    client.ifPresent(ChannelClient::close);
  }

  // --- what the scheduler says

  /** Returns the probability that an attempt somewhere in the cluster is an outlier, in [0,1]. */
  OptionalDouble outlierProbability() {
    return lookUp(ClusterState::outlierProbability).orElse(OptionalDouble.empty());
  }

  /**
   * Returns the probability that an attempt on a host is an outlier, in [0,1]. It is empty for
   * hosts that the scheduler does not report, for example because many others are worse.
   */
  OptionalDouble outlierProbability(String host) {
    Optional<Double> known =
        lookUp(ClusterState::table).map(table -> table.outlierProbabilities().get(host));
    return known.isPresent() ? OptionalDouble.of(known.get()) : OptionalDouble.empty();
  }

  /**
   * Returns the probability that an output kept on a host is lost while it is needed, in [0,1]. It
   * is empty for hosts that lose few outputs, and while too little is known.
   */
  public OptionalDouble lossProbability(String host) {
    Optional<Double> known =
        lookUp(ClusterState::table).map(table -> table.lossProbabilities().get(host));
    return known.isPresent() ? OptionalDouble.of(known.get()) : OptionalDouble.empty();
  }

  /**
   * Returns whether second attempts keep away from a host. Before enough attempts have been judged
   * to tell the cluster's probability, the scheduler names only hosts that others call slow.
   */
  boolean isSlow(String host) {
    OptionalDouble here = outlierProbability(host);
    return here.isPresent()
        && SlowMachineRule.DEFAULT.isSlow(here.getAsDouble(), outlierProbability().orElse(0));
  }

  /**
   * Returns how many clones the job may ask for now besides those that have a container. It is
   * empty if the scheduler has no ceiling for clones.
   */
  OptionalInt cloneRoom() {
    return lookUp(ClusterState::cloneRoom).orElse(OptionalInt.empty());
  }

  /**
   * Returns M/K, the administrator's limit of extra tasks, or KMN's default if the scheduler does
   * not say it. Opens the channel, and waits for the scheduler's first answer if it may come in a
   * moment.
   *
   * @param blocks N; the scheduler answers nobody who has not described a job
   */
  double upstreamRatio(
      Configuration conf, ApplicationAttemptId attempt, UserGroupInformation speaker, int blocks) {
    open(conf, attempt, speaker);
    int reduces = conf.getInt(MRJobConfig.NUM_REDUCES, 0);
    job(new JobStart(blocks, reduces, Optional.empty(), Optional.empty(), false));
    if (isAwaited()) {
      client.ifPresent(channel -> channel.awaitState(FIRST_ANSWER));
    }
    return lookUp(ClusterState::upstreamRatio).orElse(SamplingSettings.KMN.extraRatio());
  }

  /** Returns the order to end that is in force. */
  Optional<DueOrder> endOrder() {
    return client
        .flatMap(ChannelClient::latestState)
        .flatMap(known -> known.state().end().map(order -> new DueOrder(order, known.age())));
  }

  /**
   * Returns whether an earlier job of the program showed that its tasks cannot bear two attempts.
   */
  boolean forbidsSecondAttempts() {
    return lookUp(ClusterState::singleAttempts).orElse(false);
  }

  /** Returns what became of slow tasks in earlier jobs of the program. */
  SlowTasks slowTasks() {
    return lookUp(ClusterState::slowTasks).orElse(SlowTasks.NONE);
  }

  /**
   * Returns how likely the job is to succeed, in (0,1]. It is 1 if the scheduler does not expect it
   * to fail, or does not say so.
   */
  double successProbability() {
    return lookUp(ClusterState::successProbability).orElse(OptionalDouble.empty()).orElse(1);
  }

  /**
   * Returns whether a first answer may come in a moment: the channel was opened just now, and the
   * scheduler has not answered yet.
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

  // --- what the scheduler is told

  void job(JobStart job) {
    send(channel -> channel.job(job));
  }

  void ended(AttemptOutcome outcome) {
    send(channel -> channel.ended(outcome));
  }

  void secondAttempt(Duration ran) {
    send(channel -> channel.secondAttempt(ran));
  }

  void acted(ActionKind kind, ActionTotals more) {
    send(channel -> channel.acted(kind, more));
  }

  void lost(String host) {
    send(channel -> channel.lost(new LostOutputs(host, 1)));
  }

  void bandwidth(String rack, OptionalDouble up, OptionalDouble down) {
    send(channel -> channel.bandwidth(new RackBandwidth(rack, up, down)));
  }

  /** Sends a piece of news. If the channel rejects a name or number in it, only that is lost. */
  private void send(Consumer<ChannelClient> news) {
    try {
      client.ifPresent(news);
    } catch (IllegalArgumentException e) {
      LOG.warn("Could not report to Drover's scheduler: {}", e.getMessage());
    }
  }
}
