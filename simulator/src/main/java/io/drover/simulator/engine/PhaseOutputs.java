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
 * What the tasks of a phase have put out for the phase after it, in a cluster that may lose it.
 * That an output is lost shows when somebody wants to read it, and not before.
 */
final class PhaseOutputs {
  /**
   * An output, where it was made at first.
   *
   * @param number how many outputs of the phase were there before it
   * @param lostAt seconds, when it is lost there
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

  /** A task is done, for the first time or again: its output lies where the attempt ran. */
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

  /** A copy of an output has arrived on a machine; it is in vain if that output has gone since. */
  void copied(TaskRun task, Output output, int attempt, int machine, double now) {
    if (kept[task.index()] == output && output.readableAt(now) != null) {
      output.add(place(task, attempt, machine, Origin.REPLICA, now));
    }
  }

  private Place place(TaskRun task, int attempt, int machine, Origin origin, double now) {
    double lostAt = losses.lostAt(phase.key(), task.index(), attempt, machine, now);
    return new Place(machine, lostAt, origin);
  }

  /** The output of a task; null if it was never done. */
  Output of(TaskRun task) {
    return kept[task.index()];
  }

  /** A reader has missed an output, and is to be told when it is there again. */
  void await(TaskRun task, LossyFetchState reader) {
    waiting.computeIfAbsent(task, t -> new ArrayList<>()).add(reader);
    phase.job().simulation().recomputations().missed(task);
  }

  /** An output that was lost is there again: those are told who wait for it. */
  void isBack(TaskRun task, double now) {
    List<LossyFetchState> readers = waiting.remove(task);
    if (readers != null) {
      readers.forEach(reader -> reader.isBack(task, now));
    }
  }

  /**
   * Somebody reads an output.
   *
   * @param share to which its share of all output is added, at the rack that it comes from
   * @return whether it was there
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

  /** All outputs that were ever there, each in the rack where it was made at first. */
  RackShares made() {
    return made;
  }

  /** The outputs that are no longer where they were made at first, by when they were lost there. */
  List<First> lostBy(double now) {
    while (!whole.isEmpty() && whole.peek().lostAt() <= now) {
      lost.add(whole.poll());
    }
    return lost;
  }

  /** Outputs of one phase by the rack that they lie in: how many, and their share of all output. */
  static final class RackShares {
    private final double[] shares;
    private final int[] counts;
    private int count;
    private double share;

    /** None yet. */
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

    /** Makes these the same as others. */
    void set(RackShares others) {
      System.arraycopy(others.shares, 0, shares, 0, shares.length);
      System.arraycopy(others.counts, 0, counts, 0, counts.length);
      count = others.count;
      share = others.share;
    }

    /** The shares by rack of what is here and not among others, all of which are here. */
    double[] beyond(RackShares others) {
      double[] beyond = new double[shares.length];
      for (int rack = 0; rack < beyond.length; rack++) {
        // Where there is nothing more, rounding must not leave something.
        boolean more = counts[rack] > others.counts[rack];
        beyond[rack] = more ? Math.max(0, shares[rack] - others.shares[rack]) : 0;
      }
      return beyond;
    }

    int count() {
      return count;
    }

    /** The share of all of them together. */
    double share() {
      return share;
    }
  }
}
