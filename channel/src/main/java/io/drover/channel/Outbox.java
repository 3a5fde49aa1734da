// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.Report.LostOutputs;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects what an AppMaster has to report until it is sent. Any thread may add to it; the
 * channel's thread takes reports out. The lock is held no longer than it takes to copy one report.
 *
 * <p>The outbox is bounded. For a state, such as a rack's bandwidth, it keeps the newest value. Of
 * events it keeps a limited number and drops the oldest. Sums of actions are sent in every report.
 */
final class Outbox {
  /** The maximum number of outcomes: as many as fit into 10 reports. */
  static final int MAX_OUTCOMES = 10 * Report.MAX_OUTCOMES;

  /** The maximum number of machines with lost outputs, and of racks. */
  static final int MAX_NAMES = 1_000;

  private final Deque<AttemptOutcome> outcomes = new ArrayDeque<>();
  private final Map<String, LostOutputs> lostOutputs = new LinkedHashMap<>();
  private final Map<String, RackBandwidth> bandwidths = new LinkedHashMap<>();
  private JobStart job;
  private boolean jobIsNews;
  private List<String> machines = List.of();
  private Duration secondAttempts = Duration.ZERO;
  private final Map<ActionKind, ActionTotals> actions = new EnumMap<>(ActionKind.class);
  private boolean actionsAreNews;
  private long forgotten;

  /**
   * Sets the description of the job. Nothing is reported before it is set.
   *
   * @return whether this is the first description
   */
  synchronized boolean job(JobStart now) {
    boolean isFirst = job == null;
    jobIsNews |= !now.equals(job);
    job = now;
    return isFirst;
  }

  synchronized void ended(AttemptOutcome outcome) {
    outcomes.addLast(outcome);
    if (outcomes.size() > MAX_OUTCOMES) {
      outcomes.removeFirst();
      forgotten++;
    }
  }

  /** Adds the time of a second attempt that has ended. */
  synchronized void secondAttempt(Duration ran) {
    Duration sum = secondAttempts.plus(ran);
    boolean fits = sum.compareTo(Report.MAX_SECOND_ATTEMPTS) <= 0;
    secondAttempts = fits ? sum : Report.MAX_SECOND_ATTEMPTS;
  }

  /**
   * Adds to what the actions of a kind have come to. What would make sums that no report may have
   * is left out: statistics must not cost the job its channel.
   */
  synchronized void acted(ActionKind kind, ActionTotals more) {
    ActionTotals sum = actions.getOrDefault(kind, ActionTotals.NONE).plus(more);
    if (Report.mayCarry(sum)) {
      actions.put(kind, sum);
      actionsAreNews = true;
    } else {
      forgotten++;
    }
  }

  synchronized void lost(LostOutputs lost) {
    lostOutputs.merge(
        lost.machine(),
        lost,
        (a, b) ->
            new LostOutputs(
                a.machine(), Math.min(LostOutputs.MAX_OUTPUTS, a.outputs() + b.outputs())));
    forgetEldest(lostOutputs);
  }

  synchronized void bandwidth(RackBandwidth link) {
    bandwidths.remove(link.rack()); // so that it becomes the youngest
    bandwidths.put(link.rack(), link);
    forgetEldest(bandwidths);
  }

  private void forgetEldest(Map<String, ?> map) {
    if (map.size() > MAX_NAMES) {
      Iterator<String> eldest = map.keySet().iterator();
      eldest.next();
      eldest.remove();
      forgotten++;
    }
  }

  /** Asks about the first {@link Report#MAX_ASKED} valid names in every report from now on. */
  synchronized void ask(Collection<String> names) {
    machines =
        names.stream().filter(Validation::isName).distinct().limit(Report.MAX_ASKED).toList();
  }

  synchronized boolean knowsJob() {
    return job != null;
  }

  /** Returns whether there is anything to report. */
  synchronized boolean hasNews() {
    return jobIsNews
        || !outcomes.isEmpty()
        || !lostOutputs.isEmpty()
        || !bandwidths.isEmpty()
        || !secondAttempts.isZero()
        || actionsAreNews;
  }

  /**
   * Takes out the next report.
   *
   * @param withJob whether it describes the job even if that has not changed
   */
  synchronized Report take(long sequence, boolean withJob, long tableTag) {
    Optional<JobStart> said = jobIsNews || withJob ? Optional.ofNullable(job) : Optional.empty();
    jobIsNews = false;
    Duration second = secondAttempts;
    secondAttempts = Duration.ZERO;
    actionsAreNews = false;
    return new Report(
        sequence,
        said,
        removeFirst(outcomes, Report.MAX_OUTCOMES),
        removeFirst(lostOutputs.values(), Report.MAX_LOST),
        removeFirst(bandwidths.values(), Report.MAX_RACKS),
        machines,
        tableTag,
        second,
        actions);
  }

  private static <T> List<T> removeFirst(Collection<T> from, int most) {
    List<T> first = new ArrayList<>(Math.min(most, from.size()));
    Iterator<T> it = from.iterator();
    while (it.hasNext() && first.size() < most) {
      first.add(it.next());
      it.remove();
    }
    return first;
  }

  /** Returns how many entries have been dropped because there was no room for them. */
  synchronized long forgotten() {
    return forgotten;
  }
}
