// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The AppMaster's end of the channel: what it says is put down and said by a thread of the
 * channel's; what is heard can be read. No method waits for anybody or throws anything, whatever
 * becomes of the ResourceManager. If anything goes wrong in here, the channel ends with one
 * warning, and nothing is heard any more.
 *
 * <p>An application attempt has one client; the numbers of its reports begin anew with each.
 */
public final class ChannelClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelClient.class);

  private final Outbox outbox = new Outbox();
  private final Semaphore bell = new Semaphore(0);
  private final Conversation conversation;
  private volatile boolean isOff;
  private volatile boolean isClosed;

  ChannelClient(String attempt, List<? extends Line> lines) {
    conversation =
        new Conversation(
            attempt,
            lines,
            outbox,
            System::nanoTime,
            () -> ThreadLocalRandom.current().nextDouble());
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
    client.start();
    return client;
  }

  private static List<Line> lines(
      Configuration conf, String attempt, UserGroupInformation speaker) {
    List<Line> lines = new ArrayList<>();
    try {
      for (String address : ChannelAddresses.all(conf)) {
        lines.add(new RpcLine(address, attempt, speaker, conf, RpcLine.TIMEOUT));
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

  void start() {
    if (!isOff) {
      Thread thread = new Thread(this::converse, "Drover channel");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void converse() {
    try {
      Duration silence = Conversation.NOTHING_TO_SAY;
      while (!isClosed) {
        if (bell.tryAcquire(silence.toMillis(), TimeUnit.MILLISECONDS)) {
          bell.drainPermits();
        }
        silence = conversation.speak();
      }
      if (outbox.hasNews()) {
        conversation.speak();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | LinkageError e) {
      turnOff(e);
    } finally {
      isOff = true;
      conversation.close();
      if (outbox.forgotten() > 0) {
        LOG.info("Drover's scheduler was not told of {} events: too many", outbox.forgotten());
      }
    }
  }

  private void turnOff(Throwable cause) {
    LOG.warn("Drover's channel ends; the job goes on by what it knows itself", cause);
    isOff = true;
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
  public void ended(Outcome outcome) {
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

  /** How many clones there are, and how many are wanted; the newest counts. */
  public void clones(Clones clones) {
    put(() -> outbox.clones(clones));
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
    } catch (RuntimeException e) {
      turnOff(e);
    }
  }

  /**
   * What the ResourceManager said last; empty if it said nothing yet, or nothing for so long (30 s,
   * or five periods if they are longer) that it holds no more.
   */
  public Optional<Heard> heard() {
    return conversation.heard();
  }

  /** Says what is left to say, once, and ends; nobody waits for that. */
  @Override
  public void close() {
    isClosed = true;
    bell.release();
  }
}
