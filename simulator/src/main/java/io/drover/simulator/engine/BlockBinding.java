// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.sampling.BlockChoice;
import io.drover.core.sampling.OfferAnswer;
import io.drover.simulator.world.ClusterShape;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;

/**
 * The blocks of a job's first phase, and core's choice of those that slots read: of all of them
 * (delay scheduling), or of any K of N (late binding). The task of a block has the block's index.
 *
 * <p>Each machine with a free slot is offered once, and again when a slot of it has been given back
 * or the job has waited for long enough; in a cluster each heartbeat would offer it.
 */
final class BlockBinding {
  /** Seconds by which rounding might let a wait look unfinished. */
  private static final double ROUNDING = 1e-6;

  private final BlockChoice choice;
  private final int[][] machines;
  private final ClusterShape shape;
  private final Names names;
  private final double localitySeconds;
  private final boolean any;

  /** How many slots had been given back when the last of them was offered. */
  private long offered;

  private double offerAllAt = Double.NEGATIVE_INFINITY;
  private double askedAgainAt = Double.NEGATIVE_INFINITY;

  /**
   * A binding of no block yet.
   *
   * @param machines that hold each block; empty arrays where they are not known
   * @param localitySeconds as the choice has it
   * @param any whether any K blocks of more will do
   */
  BlockBinding(
      BlockChoice choice,
      int[][] machines,
      ClusterShape shape,
      Names names,
      double localitySeconds,
      boolean any) {
    this.choice = choice;
    this.machines = machines;
    this.shape = shape;
    this.names = names;
    this.localitySeconds = localitySeconds;
    this.any = any;
  }

  /** A block that was bound to a free slot. */
  record Bound(int slot, int block) {}

  /** Offers free slots; empty if the job leaves them all. */
  Optional<Bound> offer(Slots slots, double now) {
    long given = slots.givenBack();
    if (now >= offerAllAt || given - offered > slots.remembered()) {
      return offerAll(slots, now);
    }
    while (offered < given) {
      int slot = slots.on(slots.machineGivenBack(offered));
      Optional<Bound> bound = slot < 0 ? Optional.empty() : bound(slot, answer(slot, now));
      if (bound.isPresent()) {
        return bound;
      }
      offered++;
    }
    return Optional.empty();
  }

  private Optional<Bound> offerAll(Slots slots, double now) {
    int count = slots.count();
    int first = slots.anyPlace();
    for (int i = 0; i < count; i++) {
      int slot = slots.at((first + i) % count);
      if (slots.on(shape.machineOf(slot)) == slot) { // once for each machine
        OfferAnswer answer = answer(slot, now);
        if (answer.binding().isPresent()) {
          return bound(slot, answer);
        }
        offerAllAt = now + (localitySeconds - answer.waitedSeconds()) + ROUNDING;
      }
    }
    offered = slots.givenBack();
    return Optional.empty();
  }

  private OfferAnswer answer(int slot, double now) {
    int machine = shape.machineOf(slot);
    return choice.offer(names.machine(machine), names.rack(shape.rackOf(machine)), now);
  }

  private static Optional<Bound> bound(int slot, OfferAnswer answer) {
    return answer.binding().map(binding -> new Bound(slot, binding.block()));
  }

  /**
   * When the job is to be asked again though no slot has come free: when its wait is over. Empty if
   * it is going to be asked anyway.
   */
  OptionalDouble askAgainAt(double now) {
    if (askedAgainAt > now) {
      return OptionalDouble.empty();
    }
    askedAgainAt = offerAllAt;
    return OptionalDouble.of(askedAgainAt);
  }

  /**
   * A free slot of a machine that holds a block; -1 if there is none.
   *
   * @param allowed slots that may be taken
   */
  int localSlot(int block, Slots slots, IntPredicate allowed) {
    for (int machine : machines[block]) {
      int slot = slots.on(machine);
      if (slot >= 0 && allowed.test(slot)) {
        return slot;
      }
    }
    return -1;
  }

  /** Whether a machine would have to read a block over the network. */
  boolean isElsewhere(int block, int machine) {
    for (int holder : machines[block]) {
      if (holder == machine) {
        return false;
      }
    }
    return machines[block].length > 0;
  }

  /** The rack from which a machine reads a block that is elsewhere: its own, if it is there. */
  int sourceRack(int block, int machine, int attempt) {
    for (int holder : machines[block]) {
      if (shape.rackOf(holder) == shape.rackOf(machine)) {
        return shape.rackOf(machine);
      }
    }
    return shape.rackOf(machines[block][attempt % machines[block].length]);
  }

  /** The task of a block is done. */
  void done(int block) {
    choice.done(block);
  }

  /**
   * The K blocks whose outputs go on.
   *
   * @throws IllegalStateException unless they are K, each once, and done
   */
  void fix(Collection<Integer> blocks) {
    choice.fix(blocks);
  }

  /** The task of a block is given up, since its output is not needed. */
  void givenUp(int block) {
    choice.released(block, BlockChoice.Ending.KILLED);
  }

  /** Whether any K blocks of more will do. */
  boolean isOfAny() {
    return any;
  }

  /** Whether the K blocks are known. */
  boolean isFixed() {
    return choice.record().isPresent();
  }

  /** Slots that it would take. */
  int wanted() {
    return choice.wanted();
  }
}
