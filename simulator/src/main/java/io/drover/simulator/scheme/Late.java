// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.TaskRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.stat.StatUtils;

/**
 * LATE, "longest approximate time to end":
 *
 * <pre>
 *   progress rate = score / age       time to end = (1 - score) / progress rate
 *   a copy for the task with the longest time to end, of those
 *     that have run for a minute, have no copy,
 *     and whose progress rate is below the 25th percentile of the phase's tasks that have begun
 *   while less than 10 % of all slots hold copies, one is free, and no task waits
 * </pre>
 *
 * <p>Source: Zaharia et al., "Improving MapReduce performance in heterogeneous environments", OSDI
 * 2008, section 4. Departure: it does not check whether the node of a free slot is among the
 * slowest quarter, because a copy gets its slot later here.
 *
 * <p>{@code late-early} is the variant in Mantri's comparison (section 6.3, figure 17): "identical
 * in all ways except that it addresses stragglers early", even while tasks wait.
 */
public final class Late implements Scheme {
  private static final double SLOW_PERCENTILE = 25;
  private static final double SHARE_OF_SLOTS = 0.1;
  private static final double LEAST_AGE = 60;

  private final boolean early;
  private final Set<AttemptRun> copies = new HashSet<>();
  private final Map<PhaseRun, List<Double>> ratesAtEnd = new HashMap<>();

  /**
   * Creates the scheme.
   *
   * @param early whether it also acts while tasks wait
   */
  public Late(boolean early) {
    this.early = early;
  }

  @Override
  public String name() {
    return early ? "late-early" : "late";
  }

  @Override
  public double firstScan(PhaseRun phase) {
    ratesAtEnd.put(phase, new ArrayList<>());
    return phase.period();
  }

  @Override
  public void ended(AttemptRun attempt) {
    copies.remove(attempt);
    List<Double> rates = ratesAtEnd.get(attempt.phase());
    if (attempt.hasSucceeded() && rates != null) {
      rates.add(1 / attempt.slotSeconds());
    }
  }

  @Override
  public void ended(JobRun job) {
    job.ended().forEach(ratesAtEnd::remove);
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    if (early || phase.waiting() == 0) {
      int room = room(actions);
      for (TaskRun task : slow(phase, actions.now())) {
        if (room-- <= 0) {
          break;
        }
        actions.copy(task);
        copies.add(task.live().get(task.live().size() - 1));
      }
    }
    return phase.period();
  }

  private int room(Actions actions) {
    copies.removeIf(AttemptRun::isOver);
    int most = (int) (SHARE_OF_SLOTS * actions.slots()) - copies.size();
    return early ? most : Math.min(most, actions.freeSlots());
  }

  /** Returns the slow tasks, the one with the longest time to end first. */
  private List<TaskRun> slow(PhaseRun phase, double now) {
    List<TaskRun> old =
        phase.running().stream()
            .filter(task -> task.live().size() == 1)
            .filter(task -> now - task.live().get(0).launchedAt() >= LEAST_AGE)
            .collect(Collectors.toCollection(ArrayList::new));
    if (old.isEmpty()) {
      return old;
    }
    double limit = limit(phase, now);
    old.removeIf(task -> rate(task.live().get(0), now) >= limit);
    old.sort(Comparator.comparingDouble(task -> -timeToEnd(task.live().get(0), now)));
    return old;
  }

  private double limit(PhaseRun phase, double now) {
    DoubleStream running =
        phase.running().stream().mapToDouble(task -> rate(task.live().get(0), now));
    DoubleStream done = ratesAtEnd.get(phase).stream().mapToDouble(Double::doubleValue);
    return StatUtils.percentile(DoubleStream.concat(done, running).toArray(), SLOW_PERCENTILE);
  }

  private static double rate(AttemptRun attempt, double now) {
    return attempt.score(now) / Math.max(1e-9, now - attempt.launchedAt());
  }

  private static double timeToEnd(AttemptRun attempt, double now) {
    return (1 - attempt.score(now)) / Math.max(1e-9, rate(attempt, now));
  }
}
