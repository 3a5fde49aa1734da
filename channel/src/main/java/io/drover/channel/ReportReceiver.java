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
import java.util.concurrent.atomic.AtomicLong;
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
 * Takes the reports of AppMasters. It checks in this order, cheapest first: who sends, whether the
 * attempt is running, whether it calls too often, whether the report is well-formed, and whether it
 * is new. The package documentation gives the reasons.
 */
final class ReportReceiver implements ChannelProtocolPB {
  /** How many times an application may call per period, and at once. */
  private static final int BURST = 3;

  private static final Logger LOG = LoggerFactory.getLogger(ReportReceiver.class);

  private final ReportHandler handler;
  private volatile Duration period;
  private final LongSupplier nanos;
  private final Map<ApplicationAttemptId, Session> sessions = new ConcurrentHashMap<>();
  private final Map<ReportStatus, LongAdder> counts = new EnumMap<>(ReportStatus.class);
  private final AtomicBoolean failed = new AtomicBoolean();
  private final AtomicLong prunedAt;

  /**
   * Creates a receiver for a scheduler.
   *
   * @param period how often an application should report
   * @param nanos a clock in nanoseconds that never goes back, such as {@link System#nanoTime}
   */
  ReportReceiver(ReportHandler handler, Duration period, LongSupplier nanos) {
    this.handler = handler;
    this.period = period;
    this.nanos = nanos;
    prunedAt = new AtomicLong(nanos.getAsLong());
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

  /** Answers a call from a caller that the RPC server has authenticated. */
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
      return refuse(caller, "the token is that of " + caller + ", not of the report's attempt");
    }
    if (!handler.knows(caller)) {
      return refuse(caller, caller + " is not running here");
    }
    Session session = session(caller);
    if (!session.enter()) {
      return wait(period.dividedBy(BURST), "another call of the attempt is in progress");
    }
    try {
      long now = nanos.getAsLong();
      long wait = session.limiter(interval(), BURST, now).waitFor(now);
      return wait > 0
          ? wait(Duration.ofNanos(wait), "calls must be " + period.dividedBy(BURST) + " apart")
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
   * Returns the session of a running attempt. When it creates one, and has not done so for a
   * period, it removes the sessions of attempts that have ended, so there are never many more
   * sessions than jobs. Not each time: after a failover thousands of sessions are new.
   */
  private Session session(ApplicationAttemptId attempt) {
    Session known = sessions.get(attempt);
    if (known != null) {
      return known;
    }
    long now = nanos.getAsLong();
    long before = prunedAt.get();
    if (now - before >= period.toNanos() && prunedAt.compareAndSet(before, now)) {
      sessions.keySet().removeIf(other -> !handler.knows(other));
    }
    return sessions.computeIfAbsent(
        attempt, id -> new Session(new RateLimiter(interval(), BURST, now)));
  }

  /** Returns the nanoseconds between calls of an application. */
  private long interval() {
    return period.dividedBy(BURST).toNanos();
  }

  /** Sets how often applications should report. The next answer tells each of them. */
  void period(Duration now) {
    period = now;
  }

  private Answer refuse(ApplicationAttemptId caller, String why) {
    LOG.debug("A report of {} is refused: {}", caller, why);
    return Answer.without(ReportStatus.REFUSED, why, period);
  }

  /** Adds a millisecond, because answers round down and the caller must not come too soon again. */
  private static Answer wait(Duration wait, String why) {
    return Answer.without(ReportStatus.WAIT, why, wait.plusMillis(1));
  }

  private static void complain(
      ApplicationAttemptId caller, Session session, BadMessageException why) {
    if (session.complains()) {
      LOG.info("a report of {} is malformed: {}", caller, why.getMessage());
    } else {
      LOG.debug("a report of {} is malformed: {}", caller, why.getMessage());
    }
  }

  private Answer trouble(ApplicationAttemptId caller, Throwable cause) {
    if (failed.compareAndSet(false, true)) {
      LOG.warn("Drover failed on a report of {}; further failures are only counted", caller, cause);
    } else {
      LOG.debug("Drover failed on a report of {}", caller, cause);
    }
    return Answer.without(ReportStatus.TROUBLE, "Drover failed on this report", period);
  }

  /** Returns how many calls have ended with a status. */
  long count(ReportStatus status) {
    return counts.get(status).sum();
  }

  /** Returns how many running attempts have reported. Those that have ended may have a session. */
  int speakers() {
    return (int) sessions.keySet().stream().filter(handler::knows).count();
  }

  /** Returns how many attempts have a session. */
  int sessions() {
    return sessions.size();
  }

  /**
   * Holds the few numbers that the service remembers of an application attempt. They belong to the
   * thread that has entered; the busy flag publishes them to the next thread.
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
     * Begins a call, unless another one is in progress. It does not wait for the other one, because
     * a caller with many connections could then block all threads that take reports.
     */
    boolean enter() {
      return busy.compareAndSet(false, true);
    }

    void leave() {
      busy.set(false);
    }

    /** Returns the limiter of calls; a new one if the interval has changed. */
    RateLimiter limiter(long interval, int burst, long now) {
      if (!limiter.hasInterval(interval)) {
        limiter = new RateLimiter(interval, burst, now);
      }
      return limiter;
    }

    /**
     * Returns whether a report is new, and remembers its number. So no report is counted twice,
     * even if processing it fails.
     */
    boolean isNew(Report report) {
      boolean isNew = report.sequence() > last;
      if (isNew) {
        last = report.sequence();
      }
      return isNew;
    }

    /** Notes that the scheduler has got a report. */
    void onReport(Report report) {
      knowsJob |= report.job().isPresent();
    }

    boolean knowsJob() {
      return knowsJob;
    }

    /** Returns whether this is the first complaint about the attempt; later ones are debug only. */
    boolean complains() {
      boolean isFirst = !complained;
      complained = true;
      return isFirst;
    }
  }
}
