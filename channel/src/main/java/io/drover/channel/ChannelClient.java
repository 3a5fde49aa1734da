// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.Report.LostOutputs;
import io.drover.channel.ReportLoop.Transport;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import io.drover.core.containment.CircuitBreaker;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The AppMaster's end of the channel. Its methods only store what the AppMaster reports; a thread
 * of the channel sends it. The latest state of the cluster can be read at any time. No method waits
 * or throws, whatever happens to the ResourceManager. If an error occurs here during a call, the
 * call and its report are skipped. After several such errors in a row the channel logs one warning,
 * pauses for a minute and tries again.
 *
 * <p>An application attempt has one client. Each client numbers its reports from 1.
 */
public final class ChannelClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelClient.class);

  /** The pause after an error, and before the breaker is asked again while it is open. */
  private static final Duration PAUSE_AFTER_A_FAILURE = Duration.ofSeconds(1);

  private final Outbox outbox = new Outbox();
  private final Semaphore bell = new Semaphore(0);
  private final CountDownLatch answered = new CountDownLatch(1);
  private final ReportLoop reportLoop;
  private final CircuitBreaker breaker;
  private volatile boolean isOff;
  private volatile boolean isClosed;

  ChannelClient(String attempt, List<? extends Transport> lines) {
    this(attempt, lines, System::nanoTime);
  }

  ChannelClient(String attempt, List<? extends Transport> lines, LongSupplier nanos) {
    reportLoop =
        new ReportLoop(
            attempt, lines, outbox, nanos, () -> ThreadLocalRandom.current().nextDouble());
    breaker = new CircuitBreaker("The channel to Drover's scheduler", nanos, () -> {});
    isOff = lines.isEmpty();
  }

  /**
   * Starts a client for an application attempt. It sends nothing before {@link #job}. If no usable
   * address is configured, it never sends anything.
   *
   * @param speaker the user that has the attempt's AMRMToken, now and after it has been renewed
   */
  public static ChannelClient start(
      Configuration conf, ApplicationAttemptId attempt, UserGroupInformation speaker) {
    ChannelClient client =
        new ChannelClient(attempt.toString(), lines(conf, attempt.toString(), speaker));
    client.start(speaker);
    return client;
  }

  private static List<Transport> lines(
      Configuration conf, String attempt, UserGroupInformation speaker) {
    List<Transport> lines = new ArrayList<>();
    try {
      for (String address : ChannelAddresses.all(conf)) {
        lines.add(new RpcTransport(address, attempt, speaker, conf, RpcTransport.TIMEOUT));
      }
      if (lines.isEmpty()) {
        LOG.info("No channel to Drover's scheduler: {} is not set", ChannelSettings.ADDRESS.key());
      }
      return lines;
    } catch (BadSettingException e) {
      LOG.warn("No channel to Drover's scheduler: {}", e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("No channel to Drover's scheduler", e);
    }
    return List.of();
  }

  /** Starts the thread as the speaker. From Java 22 on, a thread does not inherit its user. */
  void start(UserGroupInformation speaker) {
    if (!isOff) {
      PrivilegedAction<Void> converses =
          () -> {
            converse();
            return null;
          };
      Thread thread = new Thread(() -> speaker.doAs(converses), "Drover channel");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void converse() {
    try {
      Duration silence = ReportLoop.NOTHING_TO_SAY;
      while (!isClosed) {
        if (bell.tryAcquire(silence.toMillis(), TimeUnit.MILLISECONDS)) {
          bell.drainPermits();
        }
        silence = breaker.call(this::speak, PAUSE_AFTER_A_FAILURE);
      }
      if (outbox.hasNews()) {
        breaker.call(this::speak, Duration.ZERO);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      isOff = true;
      answered.countDown();
      breaker.run(reportLoop::close);
      if (outbox.forgotten() > 0) {
        LOG.info("Too many events: {} were not reported to the scheduler", outbox.forgotten());
      }
    }
  }

  /** Makes one call. If the call throws, its report is not sent again. */
  private Duration speak() {
    boolean isDone = false;
    try {
      Duration silence = reportLoop.speak();
      if (latestState().isPresent()) {
        answered.countDown();
      }
      isDone = true;
      return silence;
    } finally {
      if (!isDone) {
        reportLoop.dropReport();
      }
    }
  }

  /** Describes the job as far as it is known now. The newest description counts. */
  public void job(JobStart job) {
    put(
        () -> {
          if (outbox.job(job)) {
            bell.release(); // later descriptions do not shorten a pause
          }
        });
  }

  /** Reports that an attempt has ended. If too many cannot be sent, the oldest are dropped. */
  public void ended(AttemptOutcome outcome) {
    put(() -> outbox.ended(outcome));
  }

  /**
   * Reports that a second attempt has ended.
   *
   * @param ran how long it ran, not negative
   */
  public void secondAttempt(Duration ran) {
    put(() -> outbox.secondAttempt(ran));
  }

  /**
   * Reports actions. Every report says what they have come to since this client was started.
   *
   * @param more what has been added
   */
  public void acted(ActionKind kind, ActionTotals more) {
    put(() -> outbox.acted(kind, more));
  }

  /** Reports that outputs on a machine were lost. */
  public void lost(LostOutputs lost) {
    put(() -> outbox.lost(lost));
  }

  /** Reports a measured bandwidth. The newest one of each rack counts. */
  public void bandwidth(RackBandwidth link) {
    put(() -> outbox.bandwidth(link));
  }

  /**
   * Asks for the outlier probabilities of these machines instead of the worst ones, from the next
   * report on.
   *
   * @param machines the machines, of which the first {@value Report#MAX_ASKED} are asked about;
   *     empty for the worst machines
   */
  public void ask(Collection<String> machines) {
    put(() -> outbox.ask(machines));
  }

  private void put(Runnable what) {
    if (isOff) {
      return;
    }
    try {
      what.run();
    } catch (Throwable cause) {
      breaker.failed(cause); // successes are not counted: they say nothing about calls
    }
  }

  /**
   * Returns the latest state from the ResourceManager; empty if there is none yet, or if it is too
   * old (30 s, or five periods if that is longer).
   */
  public Optional<TimestampedState> latestState() {
    return reportLoop.latestState();
  }

  /** Waits until there has been a state, the client has ended, or the time is over. */
  public void awaitState(Duration atMost) {
    try {
      answered.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether the client is active: an address is configured, and it has not ended. */
  public boolean isOn() {
    return !isOff;
  }

  /** Ends the client after one last report, if there is news. This method does not wait. */
  @Override
  public void close() {
    isClosed = true;
    bell.release();
  }

  /**
   * The latest state from the ResourceManager.
   *
   * @param state the state of the cluster at that time
   * @param age how old the state is
   */
  public record TimestampedState(ClusterState state, Duration age) {}
}
