// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.utils.YarnServerSecurityUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the reports of AppMasters: who speaks, whether it may, how often, whether it makes sense,
 * whether it is new, in this order, the cheapest questions first. Why it is done so: see the
 * package.
 */
final class ReportReceiver implements ChannelProtocolPB {
  /** An application may call so many times in a period, and so many times at once. */
  private static final int BURST = 3;

  private static final Logger LOG = LoggerFactory.getLogger(ReportReceiver.class);

  private final ReportHandler handler;
  private volatile Duration period;
  private final LongSupplier nanos;
  private final Map<ApplicationAttemptId, Session> sessions = new ConcurrentHashMap<>();
  private final Map<ReportStatus, LongAdder> counts = new EnumMap<>(ReportStatus.class);
  private final AtomicBoolean failed = new AtomicBoolean();

  /**
   * A reception for a scheduler.
   *
   * @param period how often an application is to report
   * @param nanos a clock in nanoseconds that never goes back, such as {@link System#nanoTime}
   */
  ReportReceiver(ReportHandler handler, Duration period, LongSupplier nanos) {
    this.handler = handler;
    this.period = period;
    this.nanos = nanos;
    for (ReportStatus status : ReportStatus.values()) {
      counts.put(status, new LongAdder());
    }
  }

  @Override
  public AnswerProto report(RpcController controller, ReportProto report) throws ServiceException {
    try {
      return report(YarnServerSecurityUtils.authorizeRequest().getApplicationAttemptId(), report);
    } catch (YarnException e) {
      throw new ServiceException(e);
    }
  }

  /** The answer to a call of which the RPC server knows who makes it. */
  AnswerProto report(ApplicationAttemptId caller, ReportProto report) {
    Answer answer;
    try {
      answer = answer(caller, report);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      answer = trouble(caller, e);
    }
    counts.get(answer.status()).increment();
    return AnswerCodec.write(answer, report.getTableTag());
  }

  private Answer answer(ApplicationAttemptId caller, ReportProto report) {
    if (!caller.toString().equals(report.getAttempt())) {
      return refuse(caller, "the token is that of " + caller + ", not of the attempt that speaks");
    }
    if (!handler.knows(caller)) {
      return refuse(caller, caller + " does not run here");
    }
    Session session = session(caller);
    if (!session.enter()) {
      return wait(period.dividedBy(BURST), "another call of the attempt is under way");
    }
    try {
      long now = nanos.getAsLong();
      long wait = session.limiter(interval(), BURST, now).waitFor(now);
      return wait > 0
          ? wait(Duration.ofNanos(wait), "one call in " + period.dividedBy(BURST) + " is enough")
          : take(caller, session, ReportCodec.read(report));
    } catch (BadMessageException e) {
      complain(caller, session, e);
      return Answer.without(ReportStatus.BAD, e.getMessage(), period);
    } finally {
      session.leave();
    }
  }

  private Answer take(ApplicationAttemptId caller, Session session, Report report) {
    boolean isNew = session.isNew(report);
    if (isNew) {
      handler.onReport(caller, report);
      session.onReport(report);
    }
    return new Answer(
        isNew ? ReportStatus.TAKEN : ReportStatus.REPLAYED,
        "",
        period,
        !session.knowsJob(),
        Optional.of(handler.state(caller, report.machines())));
  }

  /**
   * The session of an attempt that runs. The sessions of those that do not any more go when one
   * comes, so there are never many more than there are jobs.
   */
  private Session session(ApplicationAttemptId attempt) {
    Session known = sessions.get(attempt);
    if (known != null) {
      return known;
    }
    sessions.keySet().removeIf(other -> !handler.knows(other));
    return sessions.computeIfAbsent(
        attempt, id -> new Session(new RateLimiter(interval(), BURST, nanos.getAsLong())));
  }

  /** Nanoseconds between calls of an application. */
  private long interval() {
    return period.dividedBy(BURST).toNanos();
  }

  /** How often an application is to report from now on; each is told with its next answer. */
  void period(Duration now) {
    period = now;
  }

  private Answer refuse(ApplicationAttemptId caller, String why) {
    LOG.debug("{} is not listened to: {}", caller, why);
    return Answer.without(ReportStatus.REFUSED, why, period);
  }

  /** The caller rounds down to milliseconds, and is not to come too soon again. */
  private static Answer wait(Duration wait, String why) {
    return Answer.without(ReportStatus.WAIT, why, wait.plusMillis(1));
  }

  private static void complain(
      ApplicationAttemptId caller, Session session, BadMessageException why) {
    if (session.complains()) {
      LOG.info("a report of {} makes no sense: {}", caller, why.getMessage());
    } else {
      LOG.debug("a report of {} makes no sense: {}", caller, why.getMessage());
    }
  }

  private Answer trouble(ApplicationAttemptId caller, Throwable cause) {
    if (failed.compareAndSet(false, true)) {
      LOG.warn(
          "Drover failed over a report of {}; further failures are only counted", caller, cause);
    } else {
      LOG.debug("Drover failed over a report of {}", caller, cause);
    }
    return Answer.without(ReportStatus.TROUBLE, "Drover failed over this report", period);
  }

  /** How many calls have ended with a status. */
  long count(ReportStatus status) {
    return counts.get(status).sum();
  }

  /** How many attempts are remembered. */
  int sessions() {
    return sessions.size();
  }

  /**
   * What the service remembers of an application attempt: a few numbers. The fields belong to the
   * thread that has entered; the flag hands them on.
   */
  static final class Session {
    private final AtomicBoolean busy = new AtomicBoolean();
    private RateLimiter limiter;
    private long last;
    private boolean knowsJob;
    private boolean complained;

    Session(RateLimiter limiter) {
      this.limiter = limiter;
    }

    /**
     * Begins a call, unless another one is under way: waiting for it, a caller with many
     * connections would tie up the threads that take everybody's reports.
     */
    boolean enter() {
      return busy.compareAndSet(false, true);
    }

    void leave() {
      busy.set(false);
    }

    /** The pace of calls; a new one begins where its interval has changed. */
    RateLimiter limiter(long interval, int burst, long now) {
      if (!limiter.hasInterval(interval)) {
        limiter = new RateLimiter(interval, burst, now);
      }
      return limiter;
    }

    /**
     * Whether a report is new; from then on it is not, whatever becomes of it, so that none is ever
     * counted twice.
     */
    boolean isNew(Report report) {
      boolean isNew = report.sequence() > last;
      if (isNew) {
        last = report.sequence();
      }
      return isNew;
    }

    /** A report has been passed on. */
    void onReport(Report report) {
      knowsJob |= report.job().isPresent();
    }

    boolean knowsJob() {
      return knowsJob;
    }

    /** Whether this is the first complaint about the attempt: later ones are not worth a line. */
    boolean complains() {
      boolean isFirst = !complained;
      complained = true;
      return isFirst;
    }
  }
}
