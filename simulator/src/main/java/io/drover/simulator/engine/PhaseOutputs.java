// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.FetchState.LossyFetchState;
import io.drover.simulator.engine.Output.Origin;
import io.drover.simulator.engine.Output.Place;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Keeps the outputs of a phase for the phase after it, in a cluster that may lose them. A loss is
 * only noticed when a reader requests the output.
 */
final class PhaseOutputs {
  /**
   * An output in the place where it was first made.
   *
   * @param number of outputs that the phase had before
   * @param lostAt when it is lost in that place, seconds
   */
  record First(TaskRun task, int number, int rack, double lostAt) {}

  private final PhaseRun phase;
  private final Losses losses;
  private final ClusterShape shape;
  private final ReworkCount count;
  private final Output[] kept;
  private final RackShares made;
  private final PriorityQueue<First> whole =
      new PriorityQueue<>(Comparator.comparingDouble(First::lostAt));
  private final List<First> lost = new ArrayList<>(0);
  private final Map<TaskRun, List<LossyFetchState>> waiting = new HashMap<>();

  PhaseOutputs(PhaseRun phase, Losses losses, ReworkCount count) {
    this.phase = phase;
    this.losses = losses;
    this.shape = phase.job().simulation().shape();
    this.count = count;
    this.kept = new Output[phase.spec().tasks()];
    this.made = new RackShares(shape.racks());
  }

  /** Adds the output of a task that an attempt has done, for the first time or again. */
  void made(AttemptRun by, boolean beforeMissed, double now) {
    int task = by.task().index();
    Origin origin = beforeMissed ? Origin.PRECOMPUTED : Origin.MADE;
    Place place = place(by.task(), by.number(), by.machine(), origin, now);
    if (kept[task] == null) {
      int rack = shape.rackOf(by.machine());
      whole.add(new First(by.task(), made.count(), rack, place.lostAt()));
      made.add(rack, phase.share(by.task()));
    }
    if (kept[task] != null && kept[task].readableAt(now) != null) {
      kept[task].add(place);
    } else {
      kept[task] = new Output(phase.outputBytes(by.task()), place);
    }
  }

  /** Adds a copy that has arrived on a machine, unless the output is lost meanwhile. */
  void copied(TaskRun task, Output output, int attempt, int machine, double now) {
    if (kept[task.index()] == output && output.readableAt(now) != null) {
      output.add(place(task, attempt, machine, Origin.REPLICA, now));
    }
  }

  private Place place(TaskRun task, int attempt, int machine, Origin origin, double now) {
    double lostAt = losses.lostAt(phase.key(), task.index(), attempt, machine, now);
    return new Place(machine, lostAt, origin);
  }

  /** Returns the output of a task; null if the task was never done. */
  Output of(TaskRun task) {
    return kept[task.index()];
  }

  /** Has a missed output made again, and registers the reader to be told when it is there. */
  void await(TaskRun task, LossyFetchState reader) {
    waiting.computeIfAbsent(task, t -> new ArrayList<>()).add(reader);
    phase.job().simulation().recomputations().missed(task);
  }

  /** Tells the readers that wait for a lost output that it is there again. */
  void isBack(TaskRun task, double now) {
    List<LossyFetchState> readers = waiting.remove(task);
    if (readers != null) {
      readers.forEach(reader -> reader.isBack(task, now));
    }
  }

  /**
   * Reads an output.
   *
   * @param share receives the output's share of all output, at the rack that it comes from
   * @return whether the output was there
   */
  boolean read(TaskRun task, double now, double[] share) {
    Place place = kept[task.index()].readableAt(now);
    if (place == null) {
      return false;
    }
    share[shape.rackOf(place.machine())] += phase.share(task);
    if (place.origin() != Origin.MADE && place.helps()) {
      count.helped(place.origin());
    }
    return true;
  }

  /** Returns all outputs that were ever there, each in the rack where it was first made. */
  RackShares made() {
    return made;
  }

  /** Returns the outputs that are no longer where they were first made, by when they were lost. */
  List<First> lostBy(double now) {
    while (!whole.isEmpty() && whole.peek().lostAt() <= now) {
      lost.add(whole.poll());
    }
    return lost;
  }

  /** Counts outputs of a phase by rack, and sums their shares of all output. */
  static final class RackShares {
    private final double[] shares;
    private final int[] counts;
    private int count;
    private double share;

    RackShares(int racks) {
      shares = new double[racks];
      counts = new int[racks];
    }

    void add(int rack, double share) {
      shares[rack] += share;
      counts[rack]++;
      count++;
      this.share += share;
    }

    /** Copies the values of another object. */
    void set(RackShares others) {
      System.arraycopy(others.shares, 0, shares, 0, shares.length);
      System.arraycopy(others.counts, 0, counts, 0, counts.length);
      count = others.count;
      share = others.share;
    }

    /** Returns, by rack, the shares of the outputs here that {@code others}, a subset, lacks. */
    double[] beyond(RackShares others) {
      double[] beyond = new double[shares.length];
      for (int rack = 0; rack < beyond.length; rack++) {
        // If there are no more outputs, rounding must not leave a share.
        boolean more = counts[rack] > others.counts[rack];
        beyond[rack] = more ? Math.max(0, shares[rack] - others.shares[rack]) : 0;
      }
      return beyond;
    }

    int count() {
      return count;
    }

    /** Returns the share of all output in all racks. */
    double share() {
      return share;
    }
  }
}
