// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.core.sampling.OfferAnswer.Binding;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Keeps the state of each block of a job for {@link BlockChoice}. At any time {@code bound + done +
 * owed <= M}, all of one sample.
 */
final class BlockLedger {
  private enum State {
    UNUSED,
    BOUND,
    DONE,
    /** Not bound, and this very block has to be bound again. */
    OWED
  }

  private final List<InputBlock> blocks;
  private final int total;
  private final int needed;
  private final int most;
  private final SamplingSettings settings;
  private final BlockIndex unused;
  private final BlockIndex owed;
  private final State[] state;
  private final boolean[] boundBefore;

  /** Bound blocks of attempts that run beside another one of their task; they do not count. */
  private final BitSet beside = new BitSet();

  private OptionalInt sample = OptionalInt.empty();
  private Optional<SampleRecord> record = Optional.empty();
  private int bound;
  private int done;

  /** Creates a ledger of blocks. None can be bound before a sample is chosen. */
  BlockLedger(List<InputBlock> blocks, int needed, int most, SamplingSettings settings) {
    this.blocks = blocks;
    this.total = blocks.size();
    this.needed = needed;
    this.most = most;
    this.settings = settings;
    this.unused = new BlockIndex(blocks);
    this.owed = new BlockIndex(blocks);
    this.state = new State[total];
    Arrays.fill(state, State.UNUSED);
    this.boundBefore = new boolean[total];
  }

  void choose(int chosen, List<Integer> blocks) {
    sample = OptionalInt.of(chosen);
    blocks.forEach(unused::add);
  }

  /** Binds a block no farther than {@code nearness}, if one may be bound; owed ones first. */
  Optional<Binding> bind(BlockLocality nearness, String machine, String rack) {
    Optional<Binding> again = bindFrom(owed, nearness, machine, rack);
    return again.isPresent() || wanted() <= owed.size()
        ? again
        : bindFrom(unused, nearness, machine, rack);
  }

  /** Binds the nearest block, an owed one if possible, if fewer than M are bound or done. */
  Optional<Binding> take(String machine, String rack) {
    if (record.isPresent() || room() <= 0) {
      return Optional.empty();
    }
    BlockIndex from = owed.size() > 0 ? owed : unused;
    for (BlockLocality nearness : BlockLocality.values()) {
      Optional<Binding> binding = bindFrom(from, nearness, machine, rack);
      if (binding.isPresent()) {
        return binding;
      }
    }
    return Optional.empty();
  }

  /** Binds a block of a machine for an attempt beside another one, if enough blocks are left. */
  Optional<Binding> bindBeside(String machine) {
    if (!canSpare()) {
      return Optional.empty();
    }
    Optional<Binding> binding = bindUnusedOf(machine);
    binding.ifPresent(
        taken -> {
          bound--;
          beside.set(taken.block());
        });
    return binding;
  }

  /** Returns whether there are more blocks than those that must be bound before there are M. */
  boolean canSpare() {
    return unused.size() + owed.size() > room();
  }

  /** Returns whether a machine has an unused block that may be bound. */
  boolean hasUnused(String machine) {
    return record.isEmpty() && unused.first(BlockLocality.MACHINE, machine, "").isPresent();
  }

  /** Exchanges a bound block for an unused one of a machine, if there is one. */
  Optional<Binding> exchange(int block, String machine) {
    expectOfTask(block);
    Optional<Binding> binding = bindUnusedOf(machine);
    binding.ifPresent(taken -> released(block, BlockChoice.Ending.KILLED));
    return binding;
  }

  private Optional<Binding> bindUnusedOf(String machine) {
    return record.isPresent()
        ? Optional.empty()
        : bindFrom(unused, BlockLocality.MACHINE, machine, "");
  }

  /** Binds the first block of an index that is no farther than {@code nearness}, if any. */
  private Optional<Binding> bindFrom(
      BlockIndex from, BlockLocality nearness, String machine, String rack) {
    OptionalInt block = from.first(nearness, machine, rack);
    if (block.isEmpty()) {
      return Optional.empty();
    }
    from.remove(block.getAsInt());
    return Optional.of(bind(block.getAsInt(), nearness, machine));
  }

  void swap(int block, int besideIt) {
    expect(block, State.BOUND);
    expect(besideIt, State.BOUND);
    if (beside.get(block) || !beside.get(besideIt)) {
      throw new IllegalStateException("block " + besideIt + " is not beside block " + block);
    }
    beside.set(block);
    beside.clear(besideIt);
  }

  /** Binds blocks that an earlier execution had bound. */
  void restore(Collection<Integer> boundBlocks) {
    for (int block : boundBlocks) {
      expect(block, State.UNUSED);
      unused.remove(block);
      state[block] = State.BOUND;
      boundBefore[block] = true;
      bound++;
    }
  }

  private Binding bind(int block, BlockLocality nearness, String machine) {
    boolean again = boundBefore[block];
    state[block] = State.BOUND;
    boundBefore[block] = true;
    bound++;
    return new Binding(block, sample.orElseThrow(), machine, nearness, again);
  }

  void done(int block) {
    expectOfTask(block);
    state[block] = State.DONE;
    bound--;
    done += counts(block) ? 1 : 0;
  }

  void released(int block, BlockChoice.Ending why) {
    if (why == BlockChoice.Ending.OUTPUT_LOST) {
      expect(block, State.DONE);
      done -= counts(block) ? 1 : 0;
    } else {
      expect(block, State.BOUND);
      bound -= beside.get(block) ? 0 : 1;
      beside.clear(block);
    }
    boolean failed = why == BlockChoice.Ending.FAILED;
    boolean same = record.isPresent() || (failed && !settings.replaceFailed());
    if (same && counts(block)) {
      state[block] = State.OWED;
      owed.add(block);
    } else {
      state[block] = State.UNUSED;
      unused.add(block);
    }
  }

  /** Binds a block again whose output is lost. */
  void undone(int block) {
    expect(block, State.DONE);
    state[block] = State.BOUND;
    done -= counts(block) ? 1 : 0;
    bound++;
  }

  SampleRecord fix(Collection<Integer> used) {
    if (record.isPresent()) {
      throw new IllegalStateException("the sample is fixed already: " + record.get());
    }
    used.forEach(block -> expect(block, State.DONE));
    SampleRecord fixed =
        new SampleRecord(needed, total, sample.orElse(0), used.stream().sorted().toList());
    record = Optional.of(fixed);
    done = needed;
    for (int block = 0; block < total; block++) {
      if (state[block] == State.OWED) {
        owed.remove(block);
        state[block] = State.UNUSED;
      }
    }
    return fixed;
  }

  /** Returns whether the result can still use a block. */
  private boolean counts(int block) {
    return record.isEmpty() || record.get().contains(block);
  }

  private void expect(int block, State expected) {
    if (block < 0 || block >= total) {
      throw new IllegalArgumentException("block " + block + " is out of range, N = " + total);
    }
    if (state[block] != expected) {
      throw new IllegalStateException(
          "block " + block + " is " + state[block] + ", not " + expected);
    }
  }

  private void expectOfTask(int block) {
    expect(block, State.BOUND);
    if (beside.get(block)) {
      throw new IllegalStateException("block " + block + " is beside the block of its task");
    }
  }

  /** Returns how many more blocks could be bound before there are M. */
  private int room() {
    return most - bound - done;
  }

  int wanted() {
    if (missing() == 0) {
      return 0;
    }
    return record.isPresent() ? owed.size() : room();
  }

  /** Returns the blocks that can be bound now: those that are owed first. */
  List<Integer> open() {
    List<Integer> open = new ArrayList<>(owed.members());
    if (record.isEmpty()) {
      open.addAll(unused.members());
    }
    return open;
  }

  int openCount() {
    return owed.size() + (record.isPresent() ? 0 : unused.size());
  }

  BlockLocality nearness(int block, String machine, String rack) {
    return blocks.get(block).nearness(machine, rack);
  }

  int missing() {
    return Math.max(0, needed - done);
  }

  int running() {
    return bound;
  }

  int needed() {
    return needed;
  }

  int total() {
    return total;
  }

  int most() {
    return most;
  }

  OptionalInt sample() {
    return sample;
  }

  Optional<SampleRecord> record() {
    return record;
  }

  /**
   * A set of blocks that finds one by machine, by rack, or any, in amortised constant time. A
   * removed block stays in the queues until it reaches their head.
   */
  static final class BlockIndex {
    private final List<InputBlock> blocks;
    private final Map<String, Deque<Integer>> byMachine = new HashMap<>();
    private final Map<String, Deque<Integer>> byRack = new HashMap<>();
    private final Deque<Integer> all = new ArrayDeque<>();
    private final BitSet members = new BitSet();
    private int size;

    BlockIndex(List<InputBlock> blocks) {
      this.blocks = blocks;
    }

    int size() {
      return size;
    }

    List<Integer> members() {
      return members.stream().boxed().toList();
    }

    /** Adds a block that is not a member. */
    void add(int block) {
      members.set(block);
      size++;
      all.add(block);
      blocks.get(block).machines().forEach(machine -> queue(byMachine, machine).add(block));
      blocks.get(block).racks().forEach(rack -> queue(byRack, rack).add(block));
    }

    /** Removes a block that is a member. */
    void remove(int block) {
      members.clear(block);
      size--;
    }

    /** Returns the earliest added member no farther than {@code nearness}, if any. */
    OptionalInt first(BlockLocality nearness, String machine, String rack) {
      return switch (nearness) {
        case MACHINE -> first(byMachine.get(machine));
        case RACK -> first(byRack.get(rack));
        case ELSEWHERE -> first(all);
      };
    }

    private OptionalInt first(Deque<Integer> queue) {
      while (queue != null && !queue.isEmpty()) {
        int head = queue.getFirst();
        if (members.get(head)) {
          return OptionalInt.of(head);
        }
        queue.removeFirst();
      }
      return OptionalInt.empty();
    }

    private static Deque<Integer> queue(Map<String, Deque<Integer>> queues, String key) {
      return queues.computeIfAbsent(key, unused -> new ArrayDeque<>());
    }
  }
}
