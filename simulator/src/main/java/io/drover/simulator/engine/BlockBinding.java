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
 * Binds the blocks of a job's first phase to slots, by core's choice: all blocks (delay
 * scheduling), or any K of N (late binding). The task that reads a block has the index of the
 * block.
 *
 * <p>Each machine with a free slot is offered once. It is offered again when one of its slots has
 * been given back, or when the job has waited long enough. In a real cluster every heartbeat would
 * offer it.
 */
final class BlockBinding {
  /** Seconds added to a wait so that rounding does not make it look unfinished. */
  private static final double ROUNDING = 1e-6;

  private final BlockChoice choice;
  private final int[][] machines;
  private final ClusterShape shape;
  private final Names names;
  private final double localitySeconds;
  private final boolean any;

  /** How many of the slots that were given back have been offered. */
  private long offered;

  private double offerAllAt = Double.NEGATIVE_INFINITY;
  private double askedAgainAt = Double.NEGATIVE_INFINITY;

  /**
   * Creates a binding in which no block is bound yet.
   *
   * @param machines that hold each block; empty arrays if they are not known
   * @param localitySeconds the wait for locality that {@code choice} uses
   * @param any whether the job needs any K blocks of a larger number
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

  record Bound(int slot, int block) {}

  /** Offers the free slots to the job. Returns empty if the job takes no slot. */
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
   * Returns when the job's wait ends, so that slots must be offered again even if no other slot
   * comes free. Returns empty if that offer is already scheduled.
   */
  OptionalDouble askAgainAt(double now) {
    if (askedAgainAt > now) {
      return OptionalDouble.empty();
    }
    askedAgainAt = offerAllAt;
    return OptionalDouble.of(askedAgainAt);
  }

  /**
   * Returns a free slot on a machine that holds a block; -1 if there is none.
   *
   * @param allowed returns whether a slot may be taken
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

  /** Returns whether a machine would have to read a block over the network. */
  boolean isElsewhere(int block, int machine) {
    for (int holder : machines[block]) {
      if (holder == machine) {
        return false;
      }
    }
    return machines[block].length > 0;
  }

  /** Returns the rack from which a machine reads a remote block: its own rack if possible. */
  int sourceRack(int block, int machine, int attempt) {
    for (int holder : machines[block]) {
      if (shape.rackOf(holder) == shape.rackOf(machine)) {
        return shape.rackOf(machine);
      }
    }
    return shape.rackOf(machines[block][attempt % machines[block].length]);
  }

  void done(int block) {
    choice.done(block);
  }

  /**
   * Fixes the K blocks whose outputs the job uses.
   *
   * @throws IllegalArgumentException if they are not K different blocks
   * @throws IllegalStateException if one of them is not done
   */
  void fix(Collection<Integer> blocks) {
    choice.fix(blocks);
  }

  /** Releases a block whose task was given up because its output is not needed. */
  void givenUp(int block) {
    choice.released(block, BlockChoice.Ending.KILLED);
  }

  /** Returns whether the job needs any K blocks of a larger number. */
  boolean isOfAny() {
    return any;
  }

  /** Returns whether the K blocks are fixed. */
  boolean isFixed() {
    return choice.record().isPresent();
  }

  /** Returns the number of slots that it would take. */
  int wanted() {
    return choice.wanted();
  }
}
