// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.AttemptOutcome;
import io.drover.channel.ChannelClient;
import io.drover.channel.JobStart;
import io.drover.channel.RackBandwidth;
import io.drover.channel.Report.LostOutputs;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A thread of an AppMaster that uses a channel all the time, and measures how long that takes. */
final class BusyAppMaster implements AutoCloseable {
  /**
   * What a call may take that waits for nobody, where others are given the processor now and then.
   */
  private static final Duration USUAL = Duration.ofMillis(5);

  /**
   * Far less than any time limit of a call to a ResourceManager: the other thread may be put off.
   */
  private static final Duration LONGEST = Duration.ofMillis(250);

  private static final int LEAST_CALLS = 200;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
  private final Queue<RuntimeException> thrown = new ConcurrentLinkedQueue<>();
  private final ChannelClient client;
  private volatile long threadId;
  private int number;

  BusyAppMaster(ChannelClient client) {
    this.client = client;
    threads.setThreadContentionMonitoringEnabled(true);
    thread.scheduleWithFixedDelay(this::work, 0, 5, TimeUnit.MILLISECONDS);
  }

  private void work() {
    threadId = Thread.currentThread().getId();
    number++;
    measured(client::latestState);
    measured(() -> client.job(job()));
    measured(() -> client.ended(outcome()));
    measured(() -> client.lost(new LostOutputs("127.0.0.2", 1)));
    measured(() -> client.bandwidth(bandwidth()));
    measured(() -> client.ask(List.of()));
  }

  private JobStart job() {
    return new JobStart(1 + number / 100, 0, Optional.empty(), Optional.empty(), true);
  }

  private AttemptOutcome outcome() {
    return new AttemptOutcome(
        1_000 + number, "127.0.0.2", false, OptionalDouble.empty(), Duration.ofSeconds(30));
  }

  private RackBandwidth bandwidth() {
    return new RackBandwidth("/default-rack", OptionalDouble.of(number), OptionalDouble.empty());
  }

  private void measured(Runnable call) {
    long begin = System.nanoTime();
    try {
      call.run();
    } catch (RuntimeException e) {
      thrown.add(e);
    }
    nanos.add(System.nanoTime() - begin);
  }

  /** It was kept from going on by nobody, and its calls took next to no time. */
  void assertThatItNeverWaited() {
    List<Long> sorted = nanos.stream().sorted().toList();
    assertThat(sorted).hasSizeGreaterThan(LEAST_CALLS);
    assertThat(thrown).isEmpty();
    assertThat(Duration.ofMillis(threads.getThreadInfo(threadId).getBlockedTime()))
        .as("waiting for locks, all calls together")
        .isLessThan(LONGEST);
    long most = sorted.get(sorted.size() * 99 / 100);
    assertThat(Duration.ofNanos(most)).as("99 of 100 calls").isLessThan(USUAL);
    assertThat(Duration.ofNanos(sorted.get(sorted.size() - 1)))
        .as("the longest call, with the processor shared")
        .isLessThan(LONGEST);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
