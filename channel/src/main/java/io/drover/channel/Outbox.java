// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.Report.LostOutputs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects what an AppMaster has to report until it is sent. Any thread puts in; the channel's
 * takes out. Nobody holds the lock for longer than it takes to copy one report.
 *
 * <p>Bounded: of a state the newest counts; of events as many are kept as are worth it, and then
 * the oldest go.
 */
final class Outbox {
  /** Outcomes that are kept; as many as a ResourceManager takes in within 10 reports. */
  static final int MAX_OUTCOMES = 10 * Report.MAX_OUTCOMES;

  /** Machines, and racks, that are kept. */
  static final int MAX_NAMES = 1_000;

  private final Deque<AttemptOutcome> outcomes = new ArrayDeque<>();
  private final Map<String, LostOutputs> lostOutputs = new LinkedHashMap<>();
  private final Map<String, RackBandwidth> bandwidths = new LinkedHashMap<>();
  private JobStart job;
  private boolean jobIsNews;
  private List<String> machines = List.of();
  private long forgotten;

  /**
   * What job it is. Nothing is said before that is known.
   *
   * @return whether it is known only now
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
    bandwidths.remove(link.rack()); // it is the youngest again
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

  /** The first {@link Report#MAX_ASKED} of the machines are asked about from now on. */
  synchronized void ask(Collection<String> names) {
    machines =
        names.stream().filter(Validation::isName).distinct().limit(Report.MAX_ASKED).toList();
  }

  synchronized boolean knowsJob() {
    return job != null;
  }

  /** Whether there is more to say than how things stand. */
  synchronized boolean hasNews() {
    return jobIsNews || !outcomes.isEmpty() || !lostOutputs.isEmpty() || !bandwidths.isEmpty();
  }

  /**
   * Takes out the next report.
   *
   * @param withJob whether it says what job it is, even if that is no news
   */
  synchronized Report take(long sequence, boolean withJob, long tableTag) {
    Optional<JobStart> said = jobIsNews || withJob ? Optional.ofNullable(job) : Optional.empty();
    jobIsNews = false;
    return new Report(
        sequence,
        said,
        removeFirst(outcomes, Report.MAX_OUTCOMES),
        removeFirst(lostOutputs.values(), Report.MAX_LOST),
        removeFirst(bandwidths.values(), Report.MAX_RACKS),
        machines,
        tableTag);
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

  /** How much has been forgotten because there was no room for it. */
  synchronized long forgotten() {
    return forgotten;
  }
}
