// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.Report.LostOutputs;
import io.drover.channel.ReportLoop.Transport;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import io.drover.core.containment.CircuitBreaker;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
 * The AppMaster's end of the channel: what it says is put down and said by a thread of the
 * channel's; what is heard can be read. No method waits for anybody or throws anything, whatever
 * becomes of the ResourceManager. A call over which something goes wrong in here is left out, with
 * its report; after several in a row the channel pauses for a minute, with one warning, and is then
 * tried again.
 *
 * <p>An application attempt has one client; the numbers of its reports begin anew with each.
 */
public final class ChannelClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelClient.class);

  /** Until the next call, or until the breaker is asked again. */
  private static final Duration PAUSE_AFTER_A_FAILURE = Duration.ofSeconds(1);

  private final Outbox outbox = new Outbox();
  private final Semaphore bell = new Semaphore(0);
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
   * A client that speaks for an application attempt. It says nothing before {@link #job}; if no
   * address is configured, or none that can be used, it never does.
   *
   * @param speaker has the attempt's AMRMToken, also when it is renewed
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

  /** From Java 22 on a thread has no user of itself: it works in the name of the speaker. */
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
      breaker.run(reportLoop::close);
      if (outbox.forgotten() > 0) {
        LOG.info("Drover's scheduler was not told of {} events: too many", outbox.forgotten());
      }
    }
  }

  /** Makes one call; a report over which it fails is not said again. */
  private Duration speak() {
    boolean isDone = false;
    try {
      Duration silence = reportLoop.speak();
      isDone = true;
      return silence;
    } finally {
      if (!isDone) {
        reportLoop.dropReport();
      }
    }
  }

  /** What job it is, as far as that is known now; the newest counts. */
  public void job(JobStart job) {
    put(
        () -> {
          if (outbox.job(job)) {
            bell.release(); // later ones do not cut a pause short
          }
        });
  }

  /** An attempt has ended. Of very many that cannot be told the last ones are kept. */
  public void ended(AttemptOutcome outcome) {
    put(() -> outbox.ended(outcome));
  }

  /** Outputs on a machine were lost. */
  public void lost(LostOutputs lost) {
    put(() -> outbox.lost(lost));
  }

  /** A bandwidth has been measured; of each rack the newest counts. */
  public void bandwidth(RackBandwidth link) {
    put(() -> outbox.bandwidth(link));
  }

  /**
   * Asks for the probabilities of some machines in the place of the worst ones, from the next
   * answer on.
   *
   * @param machines of which the first {@value Report#MAX_ASKED} are asked about; none for the
   *     worst
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
      breaker.failed(cause); // that all others succeed is no sign that calls do
    }
  }

  /**
   * What the ResourceManager said last; empty if it said nothing yet, or nothing for so long (30 s,
   * or five periods if they are longer) that it holds no more.
   */
  public Optional<TimestampedState> latestState() {
    return reportLoop.latestState();
  }

  /** Whether it speaks: an address is configured, and it has not ended. */
  public boolean isOn() {
    return !isOff;
  }

  /** Says what is left to say, once, and ends; nobody waits for that. */
  @Override
  public void close() {
    isClosed = true;
    bell.release();
  }

  /**
   * What the ResourceManager said last.
   *
   * @param state of the cluster, as it was then
   * @param age how long ago that was
   */
  public record TimestampedState(ClusterState state, Duration age) {}
}
