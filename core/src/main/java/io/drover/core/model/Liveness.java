// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells how likely it is that an attempt of a phase has stopped, from how long nothing was heard of
 * it, and from what was heard of others meanwhile. The answer is one number, used wherever it
 * matters: for t_rem, for the choice between a kill and a copy, and for stalls of a whole phase.
 *
 * <pre>
 *   P(stopped | silent for s) = l / (l + S(s))
 * </pre>
 *
 * <p>S is the probability that an attempt that is well is silent for so long. For one that was
 * never heard of, it is that of the times that attempts of the job took from their launch to their
 * first report. For one that has reported, silence is measured in report intervals. l is the chance
 * that an attempt stops. It is greater on a machine that is known for outliers. It is much greater
 * if another attempt there, which was heard of before, has stopped, and none there is heard of:
 * then the machine is likely to have stopped. The same is true of a rack with two such machines,
 * while another rack is heard of.
 *
 * <p>If others are silent as well, the cause may be one that they share: the file system, the
 * network, a pause of the AppMaster, or, where they start, that many start at once. Then silence is
 * evidence only once it is several times as long. Where the whole phase stands still, see {@link
 * PhaseStall}.
 *
 * <p>No paper has this. In Mantri section 5.5, t_rem only grows with the silence, and what was
 * never heard of has no t_rem.
 */
public final class Liveness {
  /** l: about one attempt in a hundred never ends by itself, in the traces of Mantri and Dolly. */
  private static final double STOPS = 0.01;

  /** l where another attempt has stopped, or a whole rack has. */
  private static final double STOPS_THERE_TOO = 0.3;

  /** A machine may come back. */
  private static final double DEAD = 0.99;

  /** By how much a pause that many share is longer than the silence of one. */
  private static final double PAUSE = 3;

  /** Attempts whose ages differ by no more than this share are of about one age. */
  private static final double ABOUT = 0.1;

  private final PhaseModel phase;
  private final PhaseStall stall;

  /** Machines and racks, by their numbers. */
  private final List<Place> places = new ArrayList<>();

  /** Attempts that run and were never heard of. */
  private final Set<AttemptModel> starting = new HashSet<>();

  private Set<String> dead = Set.of();
  private long reports;
  private long changes;
  private double[] launches = new double[0];
  private long changesThen = -1;
  private double heardAt = Double.NaN;

  Liveness(PhaseModel phase) {
    this.phase = phase;
    this.stall = new PhaseStall(phase);
  }

  /** Returns what tells whether the phase stands still as a whole. */
  public PhaseStall stall() {
    return stall;
  }

  /** The attempts that run in a place, and what was found out about it last. */
  private static final class Place {
    private final Set<AttemptModel> running = new LinkedHashSet<>();

    /** Of those that have ended there; for machines, not for racks. */
    private final MachineSlowness ended = new MachineSlowness();

    private double lookedAt = Double.NaN;
    private long changesThen;
    private boolean hasStopped;
  }

  // --- what happens

  void launched(AttemptModel attempt) {
    changes++;
    starting.add(attempt);
    for (int place : attempt.places()) {
      while (places.size() <= place) {
        places.add(new Place());
      }
      places.get(place).running.add(attempt);
    }
  }

  void ended(AttemptModel attempt) {
    changes++;
    starting.remove(attempt);
    for (int place : attempt.places()) {
      places.get(place).running.remove(attempt);
    }
    if (attempt.machineNumber() >= 0) {
      places.get(attempt.machineNumber()).ended.add(attempt, attempt.endedAt());
    }
  }

  /**
   * Notes that a report of an attempt has come, before the attempt takes it in. O(1), except for
   * the first report after all attempts were silent.
   *
   * @return how many reports the phase has received
   */
  long onReport(AttemptModel attempt, double now) {
    if (now - heardAt > attempt.patience()) {
      stall.look(now);
    }
    heardAt = now;
    changes++;
    if (Double.isNaN(attempt.lastReportAt())) {
      starting.remove(attempt);
    }
    return ++reports;
  }

  /** Sets the machines of which others know that nothing there answers any more. */
  public void dead(Set<String> machines) {
    dead = Set.copyOf(machines);
  }

  /** Returns how often anything was heard of an attempt of the phase: a count that only rises. */
  long changes() {
    return changes;
  }

  // --- one attempt

  /** Returns whether an attempt is on a machine that is dead. */
  public boolean isOnDeadMachine(AttemptModel attempt) {
    return !dead.isEmpty() && dead.contains(attempt.machine().orElse(""));
  }

  /**
   * Returns the probability that an attempt has stopped: 0 while its next report is not overdue,
   * and in a sub-phase of which nothing has to be heard; unless its machine is dead.
   */
  public double stopped(AttemptModel attempt, double now) {
    if (attempt.state() == AttemptState.RUNNING && isOnDeadMachine(attempt)) {
      return DEAD;
    }
    double alive = silentThough(attempt, now);
    if (alive == 1) {
      return 0;
    }
    double outliers = phase.outlierProbability(attempt.machine().orElse(""));
    double stops =
        hasPlaceStopped(attempt, now) ? STOPS_THERE_TOO : STOPS * outliers / PhaseModel.OUTLIERS;
    return stops / (stops + alive);
  }

  /** Returns whether an attempt has stopped, more likely than not. */
  public boolean hasStopped(AttemptModel attempt, double now) {
    return stopped(attempt, now) > 0.5;
  }

  /**
   * Returns the seconds until an attempt works that was never heard of: as much as the others that
   * took so long needed on average; or, if it has stopped, as long again, and a new start. The work
   * that attempts have done before they are heard of is not counted.
   */
  public double untilHeardOf(AttemptModel attempt, double now) {
    double age = age(attempt, now);
    double stopped = stopped(attempt, now);
    double start = stopped * (age + starts().mean()) + (1 - stopped) * starts().residual(age);
    return Math.max(0, start - phase.schedulingLag().headStart());
  }

  /**
   * Returns how many times as long as usual an attempt is expected to take on its machine, at least
   * 1: by the other attempts there that ran or run, and by earlier jobs.
   */
  public double slowness(AttemptModel attempt, double now) {
    MachineSlowness there = new MachineSlowness();
    if (attempt.machineNumber() >= 0) {
      Place machine = places.get(attempt.machineNumber());
      there.add(machine.ended);
      machine.running.stream()
          .filter(other -> other != attempt)
          .forEach(other -> there.add(other, now));
    }
    return there.mean(phase.outlierProbability(attempt.machine().orElse("")));
  }

  /** Returns how long attempts usually take until something is heard of them. */
  private LogNormal starts() {
    return areStartsHeardOf() ? phase.schedulingLag().starts() : phase.lateNews();
  }

  private boolean areStartsHeardOf() {
    return phase.schedulingLag().starts().count() > 0;
  }

  /** Returns for how long nothing was heard of an attempt; where only ends are, for its size. */
  private double age(AttemptModel attempt, double now) {
    double age = now - attempt.launchedAt();
    return areStartsHeardOf() ? age : age / phase.sizes().relative(attempt.task());
  }

  /** Returns S: the probability that an attempt is silent for as long though it is well. */
  private double silentThough(AttemptModel attempt, double now) {
    if (attempt.state() != AttemptState.RUNNING || attempt.silence(now) == 0) {
      return 1;
    }
    if (!attempt.isHeardOf()) {
      return startsSoLate(attempt, age(attempt, now));
    }
    if (!attempt.pace().owesProgress()) {
      return 1;
    }
    double intervals = (now - attempt.heardOfAt()) / phase.tick(attempt.subPhase());
    boolean alone = !attempt.pace().isUnknown() && areOthersHeardOf(attempt, intervals);
    return LogNormal.survivalOfRatio(alone ? intervals : intervals / PAUSE);
  }

  /**
   * Returns how rarely a start takes so long: by those seen and, up to several times as long, by
   * how many others of about that age, on other machines, are not heard of either.
   */
  private double startsSoLate(AttemptModel attempt, double age) {
    LogNormal starts = starts();
    double byThoseSeen = starts.survival(age);
    if (byThoseSeen == 1) {
      return 1;
    }
    int late = asOld(attempt, age);
    double waiting = (double) late / (starts.count() + late);
    return Math.max(byThoseSeen, Math.min(waiting, starts.survival(age / PAUSE)));
  }

  /** Returns how many attempts of about that age were never heard of, on other machines. */
  private int asOld(AttemptModel attempt, double age) {
    if (changesThen != changes) {
      changesThen = changes;
      launches = starting.stream().mapToDouble(AttemptModel::launchedAt).sorted().toArray();
    }
    double next = Math.nextUp(attempt.launchedAt() + ABOUT * age);
    int older = SortedArrays.countBelow(launches, next) - 1; // not itself
    if (attempt.machineNumber() >= 0) {
      for (AttemptModel beside : places.get(attempt.machineNumber()).running) {
        boolean counted = starting.contains(beside) && beside.launchedAt() < next;
        older -= counted && beside != attempt ? 1 : 0;
      }
    }
    return older;
  }

  /**
   * Returns whether an attempt's machine seems to have stopped, or its rack: an attempt there that
   * was heard of is silent for as long as hardly any, in a rack on at least two machines, and none
   * is heard of now. Others that start say nothing: they are late together because they are in each
   * other's way.
   */
  private boolean hasPlaceStopped(AttemptModel attempt, double now) {
    for (int number : attempt.places()) {
      Place place = places.get(number);
      if (place.lookedAt != now || place.changesThen != changes) {
        place.lookedAt = now;
        place.changesThen = changes;
        place.hasStopped =
            number == attempt.machineNumber()
                ? silentMachines(place.running, now) > 0
                : silentMachines(place.running, now) > 1 && isAnyHeardOutside(place.running, now);
      }
      if (place.hasStopped) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns on how many machines attempts are silent for as long as hardly any; 0 if any is not.
   */
  private int silentMachines(Set<AttemptModel> running, double now) {
    BitSet machines = new BitSet();
    for (AttemptModel there : running) {
      if (there.isHeardOf() && !there.task().isDone()) {
        if (there.silence(now) == 0) {
          return 0;
        }
        if (silentThough(there, now) < STOPS) {
          machines.set(there.machineNumber());
        }
      }
    }
    return machines.cardinality();
  }

  private boolean isAnyHeardOutside(Set<AttemptModel> place, double now) {
    return phase.running().stream()
        .flatMap(task -> task.attempts().stream())
        .filter(attempt -> attempt.state() == AttemptState.RUNNING && attempt.isHeardOf())
        .anyMatch(attempt -> attempt.silence(now) == 0 && !place.contains(attempt));
  }

  /**
   * Returns whether at least half of the reports that were due from others since the attempt was
   * last heard of have come.
   */
  private boolean areOthersHeardOf(AttemptModel attempt, double intervals) {
    int others = phase.running().size() - 1;
    return others > 0 && reports - attempt.reportsThen() >= 0.5 * intervals * others;
  }
}
