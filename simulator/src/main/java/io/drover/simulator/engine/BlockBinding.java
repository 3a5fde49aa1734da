// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.sampling.BlockChoice;
import io.drover.core.sampling.OfferAnswer;
import io.drover.core.sampling.OfferAnswer.Binding;
import io.drover.simulator.world.ClusterShape;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;

/**
 * Binds the blocks of a job's first phase to slots, by core's choice: all blocks (delay
 * scheduling), or any K of N (late binding).
 *
 * <p>If all blocks are read, the task that reads a block has the index of the block. Otherwise a
 * task gets a block with its first slot, and keeps it with two exceptions, as in the AppMaster. A
 * restart on a machine without the block takes an unused block of that machine, if there is one. An
 * attempt beside another one does so, too, and the attempt that succeeds first decides which of the
 * two blocks the task has read.
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

  /** The task of each block that is bound or read. A block never has two. */
  private final TaskRun[] taskOf;

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
    this.taskOf = new TaskRun[machines.length];
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

  /** Gives a task its block. */
  void begin(TaskRun task, int block) {
    claim(task, block);
    task.reads(block);
  }

  private void claim(TaskRun task, int block) {
    if (taskOf[block] != null) {
      throw new IllegalStateException(
          "block " + block + " of " + task + " is read by " + taskOf[block]);
    }
    taskOf[block] = task;
  }

  /** Returns the block that an attempt reads, which starts on a machine. */
  int bind(AttemptRun attempt, int machine) {
    TaskRun task = attempt.task();
    int block = task.block();
    if (!any || !isElsewhere(block, machine)) {
      return block;
    }
    String name = names.machine(machine);
    boolean isBeside = task.live().stream().anyMatch(AttemptRun::isRunning);
    Optional<Binding> other = isBeside ? choice.takeBeside(name) : choice.exchange(block, name);
    if (other.isEmpty()) {
      return block;
    }
    int taken = other.get().block();
    claim(task, taken);
    if (!isBeside) {
      taskOf[block] = null;
      task.reads(taken);
    }
    return taken;
  }

  /**
   * Returns a free slot for a further attempt of a task: on a machine that holds the task's block,
   * or else an unused block, if the attempt may read another one; -1 if there is none.
   *
   * @param block of the task
   * @param allowed returns whether a slot may be taken
   */
  int localSlot(int block, Slots slots, IntPredicate allowed) {
    int own = slotBeside(block, slots, allowed);
    if (own >= 0 || !any || machines[block].length == 0) {
      return own;
    }
    List<Integer> open = choice.open();
    int first = slots.anyPlace();
    for (int i = 0; i < open.size(); i++) {
      int slot = slotBeside(open.get((first + i) % open.size()), slots, allowed);
      if (slot >= 0) {
        return slot;
      }
    }
    return -1;
  }

  private int slotBeside(int block, Slots slots, IntPredicate allowed) {
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

  /** Makes the block of a successful attempt its task's block, which is done. */
  void done(AttemptRun by) {
    TaskRun task = by.task();
    int before = task.block();
    if (by.block() != before) {
      choice.swap(before, by.block());
      task.reads(by.block());
      releaseIfUnread(task, before);
    }
    choice.done(by.block());
  }

  /** Notes that an attempt has left its slot. */
  void ended(AttemptRun attempt) {
    if (any && !attempt.hasSucceeded()) {
      releaseIfUnread(attempt.task(), attempt.block());
    }
  }

  private void releaseIfUnread(TaskRun task, int block) {
    boolean isRead =
        block == task.block()
            || task.live().stream().anyMatch(other -> other.isRunning() && other.block() == block);
    if (!isRead) {
      choice.released(block, BlockChoice.Ending.KILLED);
      taskOf[block] = null;
    }
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

  /** Releases the block of a task that was given up because its output is not needed. */
  void givenUp(TaskRun task) {
    choice.released(task.block(), BlockChoice.Ending.KILLED);
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
