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
  /** What a call may take of the processor. */
  private static final Duration USUAL = Duration.ofMillis(5);

  /**
   * Less than any time limit of a call to a ResourceManager: on a busy machine this thread and
   * those that hold a lock are put off.
   */
  private static final Duration LONGEST = Duration.ofSeconds(3);

  private static final int LEAST_CALLS = 200;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
  private final Queue<Long> processorNanos = new ConcurrentLinkedQueue<>();
  private final Queue<RuntimeException> thrown = new ConcurrentLinkedQueue<>();
  private final ChannelClient client;
  private volatile long threadId;
  private volatile long waits;
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
    long waitedBefore = threads.getThreadInfo(threadId).getWaitedCount();
    long processorBefore = threads.getCurrentThreadCpuTime();
    long begin = System.nanoTime();
    try {
      call.run();
    } catch (RuntimeException e) {
      thrown.add(e);
    }
    nanos.add(System.nanoTime() - begin);
    processorNanos.add(threads.getCurrentThreadCpuTime() - processorBefore);
    waits += threads.getThreadInfo(threadId).getWaitedCount() - waitedBefore;
  }

  /** It was kept from going on by nobody, and its calls took next to no time. */
  void assertThatItNeverWaited() {
    List<Long> sorted = processorNanos.stream().sorted().toList();
    assertThat(sorted).hasSizeGreaterThan(LEAST_CALLS);
    assertThat(thrown).isEmpty();
    assertThat(waits).as("how often a call waited, but for a lock").isZero();
    assertThat(Duration.ofMillis(threads.getThreadInfo(threadId).getBlockedTime()))
        .as("waiting for locks, all calls together")
        .isLessThan(LONGEST);
    long most = sorted.get(sorted.size() * 99 / 100);
    assertThat(Duration.ofNanos(most)).as("99 of 100 calls, of the processor").isLessThan(USUAL);
    assertThat(Duration.ofNanos(nanos.stream().max(Long::compare).orElseThrow()))
        .as("the longest call, with the processor shared")
        .isLessThan(LONGEST);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
