// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.core.sampling.OfferAnswer.Binding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Late binding: the slots that become free decide which K of its N blocks a job reads.
 *
 * <pre>
 *   a slot takes a block of its own machine that is not taken yet
 *   once the job has left slots for localitySeconds, any slot takes any, the nearest first
 *   at most M blocks are taken, each once; with samples, all from one
 * </pre>
 *
 * <p>Source: KMN section 5.2. The paper leaves the following open:
 *
 * <ul>
 *   <li><em>When the wait begins</em>: with the first slot that was left since the last local
 *       binding. A job that gets no offers does not wait for locality. Once it has waited long
 *       enough it takes every slot, until a local one shows that waiting is worthwhile again (the
 *       rule of delay scheduling).
 *   <li><em>When a sample is chosen</em>: a binding to a sample commits the job to it. So it is
 *       delayed while a better sample may appear: until all K blocks of some sample have been seen
 *       on free machines (nothing can be better), or for {@code sampleSeconds}, or until the job
 *       has waited long enough for locality anyway. Then the first offer that is bound chooses the
 *       sample with the most blocks on free machines. Call {@link #see} first for all slots that
 *       are free at once.
 *   <li><em>Failures</em>: a block whose task failed is read again, because leaving out blocks that
 *       make the program fail would give another sample (unless {@code replaceFailed}). A block
 *       whose task was killed, or whose output was lost before it was used, may be exchanged,
 *       because that says nothing about its content.
 *   <li><em>Which of a machine's blocks</em>: in random order, because in the file's order a small
 *       K would read the beginning of the file. The paper assumes shuffled blocks.
 * </ul>
 *
 * <p>It never binds a block to two slots, more than M blocks in total, or blocks of two samples.
 * Once K blocks are done or {@linkplain #fix fixed}, it binds no other block. An offer costs
 * amortised constant time, plus a look at each sample until one is chosen.
 */
public final class BlockChoice {
  /** What ended a task or removed its output. */
  public enum Ending {
    /** The task failed by itself. */
    FAILED,
    /** The task was killed or its machine was lost, so the block cannot be the reason. */
    KILLED,
    /** The task was done, and its output can no longer be read. */
    OUTPUT_LOST
  }

  private static final List<BlockLocality> LOCAL_ONLY = List.of(BlockLocality.MACHINE);
  private static final List<BlockLocality> ANY = List.of(BlockLocality.values());

  private final List<List<Integer>> samples;
  private final SamplingSettings settings;
  private final SampleRace race;
  private final BlockLedger ledger;
  private OptionalDouble firstSeen = OptionalDouble.empty();
  private OptionalDouble leftSince = OptionalDouble.empty();

  private BlockChoice(
      List<InputBlock> blocks,
      List<List<Integer>> samples,
      int needed,
      int most,
      SamplingSettings settings) {
    check(needed >= 1, "K must be at least 1, was " + needed);
    check(most >= needed, "M must be at least K, " + needed + ", was " + most);
    int smallest = Samples.smallest(samples, blocks.size(), needed);
    this.samples = samples.stream().map(List::copyOf).toList();
    this.settings = settings;
    this.race = new SampleRace(blocks, samples.size() == 1 ? List.of() : this.samples, needed);
    this.ledger = new BlockLedger(blocks, needed, Math.min(most, smallest), settings);
    if (samples.size() == 1) {
      choose(0);
    }
  }

  /**
   * Creates a choice of any K of all blocks.
   *
   * @param needed K, at least 1 and at most the number of blocks
   * @param most M, the maximum number of blocks read at any time, at least {@code needed}
   * @param chance orders the blocks of a machine; it is used only in this call
   */
  public static BlockChoice anyOf(
      List<InputBlock> blocks,
      int needed,
      int most,
      SamplingSettings settings,
      RandomGenerator chance) {
    List<Integer> all = IntStream.range(0, blocks.size()).boxed().toList();
    return new BlockChoice(blocks, List.of(Samples.shuffled(all, chance)), needed, most, settings);
  }

  /**
   * Creates a choice of all blocks, for a job that does not sample: plain delay scheduling.
   *
   * @param order all blocks, each once; of a machine's blocks the first in this order is bound
   *     first, for example the largest
   */
  public static BlockChoice allOf(
      List<InputBlock> blocks, List<Integer> order, SamplingSettings settings) {
    int n = blocks.size();
    check(order.size() == n, "the order is of " + order.size() + " blocks, and there are " + n);
    return new BlockChoice(blocks, List.of(order), n, n, settings);
  }

  /**
   * Creates a choice of any K blocks of one of several samples.
   *
   * @param samples indices into {@code blocks}, at least K in each, none in two; M is at most the
   *     size of the smallest, so samples of K blocks, as in the paper, leave no room for extra
   *     tasks
   */
  public static BlockChoice oneOf(
      List<InputBlock> blocks,
      List<List<Integer>> samples,
      int needed,
      int most,
      SamplingSettings settings,
      RandomGenerator chance) {
    List<List<Integer>> orders = samples.stream().map(s -> Samples.shuffled(s, chance)).toList();
    return new BlockChoice(blocks, orders, needed, most, settings);
  }

  private void choose(int sample) {
    ledger.choose(sample, samples.get(sample));
  }

  /**
   * Notes that a machine has a free slot, without taking it. Only the choice of a sample depends on
   * this. It is best to note all slots that are free at once before the first of them is offered.
   *
   * @param now seconds
   */
  public void see(String machine, double now) {
    check(Double.isFinite(now), "a time must be finite, was " + now);
    if (ledger.sample().isEmpty()) {
      race.see(machine);
      firstSeen = firstSeen.isPresent() ? firstSeen : OptionalDouble.of(now);
    }
  }

  /**
   * Offers a free slot.
   *
   * @param now seconds, not less than at earlier calls
   * @return the block that the slot is to read, if any, and the reason
   */
  public OfferAnswer offer(String machine, String rack, double now) {
    see(machine, now);
    if (ledger.missing() == 0) {
      return answer(OfferAnswer.Reason.ENOUGH_DONE, Optional.empty(), now);
    }
    if (ledger.wanted() == 0) {
      return answer(OfferAnswer.Reason.ALL_BOUND, Optional.empty(), now);
    }
    boolean anySlot = waited(now) >= settings.localitySeconds();
    if (ledger.sample().isEmpty()) {
      Optional<OfferAnswer.Reason> open = reasonToWait(machine, anySlot, now);
      if (open.isPresent()) {
        return leave(open.get(), now);
      }
      choose(race.leader(machine));
    }
    for (BlockLocality nearness : anySlot ? ANY : LOCAL_ONLY) {
      Optional<Binding> binding = ledger.bind(nearness, machine, rack);
      if (binding.isPresent()) {
        return take(binding.get(), now);
      }
    }
    return leave(OfferAnswer.Reason.WAIT_FOR_LOCALITY, now);
  }

  private Optional<OfferAnswer.Reason> reasonToWait(String machine, boolean anySlot, double now) {
    if (anySlot) {
      return Optional.empty();
    }
    if (!race.isWon() && now - firstSeen.orElse(now) < settings.sampleSeconds()) {
      return Optional.of(OfferAnswer.Reason.WAIT_FOR_SAMPLE);
    }
    return race.isOn(machine, race.leader(machine))
        ? Optional.empty()
        : Optional.of(OfferAnswer.Reason.WAIT_FOR_LOCALITY);
  }

  private OfferAnswer take(Binding binding, double now) {
    boolean local = binding.nearness() == BlockLocality.MACHINE;
    OfferAnswer answer =
        answer(
            local ? OfferAnswer.Reason.LOCAL : OfferAnswer.Reason.WAITED_ENOUGH,
            Optional.of(binding),
            now);
    leftSince = local ? OptionalDouble.empty() : leftSince;
    return answer;
  }

  private OfferAnswer leave(OfferAnswer.Reason reason, double now) {
    leftSince = leftSince.isPresent() ? leftSince : OptionalDouble.of(now);
    return answer(reason, Optional.empty(), now);
  }

  private OfferAnswer answer(OfferAnswer.Reason reason, Optional<Binding> binding, double now) {
    return new OfferAnswer(reason, binding, waited(now), ledger.wanted());
  }

  private double waited(double now) {
    return now - leftSince.orElse(now);
  }

  /**
   * Binds a block to a slot that cannot be left: the nearest, however short the wait was, and even
   * if enough blocks are done.
   *
   * @return empty if M blocks are bound or done already, or the K blocks are fixed
   */
  public Optional<Binding> take(String machine, String rack) {
    if (ledger.sample().isEmpty()) {
      choose(race.leader(machine));
    }
    return ledger.take(machine, rack);
  }

  /**
   * Exchanges the block of a task that starts again on another machine for an unused block of that
   * machine. No paper has this. Nothing of the block's output was used, so the sample stays any K.
   *
   * @param block a bound block
   * @return empty if the machine has no unused block, or the K blocks are fixed
   */
  public Optional<Binding> exchange(int block, String machine) {
    return ledger.exchange(block, machine);
  }

  /**
   * Binds an unused block of a machine for an attempt that runs beside another one of its task. It
   * does not count among the M blocks. When the attempt succeeds first, {@link #swap} makes it the
   * task's block; when it ends, the block is {@linkplain #released released}.
   *
   * @return empty if no block can be spared, or the K blocks are fixed
   */
  public Optional<Binding> takeBeside(String machine) {
    return ledger.sample().isEmpty() ? Optional.empty() : ledger.bindBeside(machine);
  }

  /**
   * Makes the block of an attempt beside another one the task's block.
   *
   * @param block the task's block, which becomes the one beside it
   */
  public void swap(int block, int beside) {
    ledger.swap(block, beside);
  }

  /** Notes that the output of a block that was done is lost, and that its task reads it again. */
  public void undone(int block) {
    ledger.undone(block);
  }

  /**
   * Takes over what an earlier execution of the job had bound. Call it before anything else.
   *
   * @param sample index of the sample that the blocks are from
   * @param bound blocks of tasks that are to run again, or whose output is still there; at most M
   */
  public void restore(int sample, Collection<Integer> bound) {
    check(sample >= 0 && sample < samples.size(), "there is no sample " + sample);
    check(
        bound.size() <= most() && new HashSet<>(samples.get(sample)).containsAll(bound),
        "these are not at most " + most() + " blocks of sample " + sample + ": " + bound);
    if (ledger.sample().isEmpty()) {
      choose(sample);
    }
    ledger.restore(bound);
  }

  /** Notes that the task of a bound block is done. */
  public void done(int block) {
    ledger.done(block);
  }

  /** Notes that a block no longer has a task, or an output. */
  public void released(int block, Ending why) {
    ledger.released(block, why);
  }

  /**
   * Decides which K blocks the result is made of. From now on only these are bound, and only if
   * their output is lost. Other tasks that still run are to be killed.
   *
   * @param used K blocks that are done
   * @return the record to keep with the job
   */
  public SampleRecord fix(Collection<Integer> used) {
    return ledger.fix(used);
  }

  /** Returns how many slots the job can use now; 0 once K blocks are done. */
  public int wanted() {
    return ledger.wanted();
  }

  /** Returns the blocks that an offer could bind, if its machine and the wait allow it. */
  public List<Integer> open() {
    return ledger.sample().isEmpty()
        ? samples.stream().flatMap(List::stream).toList()
        : ledger.open();
  }

  /** Returns the number of {@link #open} blocks. */
  public int openCount() {
    return ledger.sample().isEmpty()
        ? samples.stream().mapToInt(List::size).sum()
        : ledger.openCount();
  }

  /** Returns how near a block is to a machine. */
  public BlockLocality nearness(int block, String machine, String rack) {
    return ledger.nearness(block, machine, rack);
  }

  /**
   * Returns whether attempts beside others may take blocks: there are more than tasks need that
   * have none.
   */
  public boolean canSpare() {
    return ledger.sample().isPresent() && ledger.canSpare();
  }

  /** Returns whether a machine has a block that {@link #exchange} would bind now. */
  public boolean hasUnused(String machine) {
    return ledger.hasUnused(machine);
  }

  /** Returns how many of the K blocks are still to be done. */
  public int missing() {
    return ledger.missing();
  }

  /** Returns how many blocks are being read. */
  public int running() {
    return ledger.running();
  }

  /** Returns K. */
  public int needed() {
    return ledger.needed();
  }

  /** Returns N. */
  public int total() {
    return ledger.total();
  }

  /** Returns M, limited to the size of the smallest sample. */
  public int most() {
    return ledger.most();
  }

  /** Returns the chosen sample; empty until one is chosen. */
  public OptionalInt sample() {
    return ledger.sample();
  }

  /** Returns the K blocks of the result, once they are {@linkplain #fix fixed}. */
  public Optional<SampleRecord> record() {
    return ledger.record();
  }

  private static void check(boolean good, String problem) {
    if (!good) {
      throw new IllegalArgumentException(problem);
    }
  }

  /** Checks and shuffles samples, which are lists of indices into a job's blocks. */
  static final class Samples {
    private Samples() {}

    /**
     * Returns the size of the smallest sample.
     *
     * @throws IllegalArgumentException unless the samples are disjoint, have known blocks only, and
     *     at least K each
     */
    static int smallest(List<List<Integer>> samples, int total, int needed) {
      check(!samples.isEmpty(), "there must be at least one sample");
      Set<Integer> seen = new HashSet<>();
      int smallest = total;
      for (List<Integer> blocks : samples) {
        int size = blocks.size();
        check(size >= needed, "a sample has " + size + " blocks, but K is " + needed);
        smallest = Math.min(smallest, size);
        for (int block : blocks) {
          if (block < 0 || block >= total) {
            throw new IllegalArgumentException("block " + block + " is out of range, N = " + total);
          }
          if (!seen.add(block)) {
            throw new IllegalArgumentException("block " + block + " is in the samples twice");
          }
        }
      }
      return smallest;
    }

    private static void check(boolean good, String problem) {
      if (!good) {
        throw new IllegalArgumentException(problem);
      }
    }

    /** Returns the blocks in an order of which each is equally likely (Fisher and Yates). */
    static List<Integer> shuffled(List<Integer> blocks, RandomGenerator chance) {
      List<Integer> order = new ArrayList<>(blocks);
      for (int i = order.size() - 1; i > 0; i--) {
        int j = chance.nextInt(i + 1);
        order.set(i, order.set(j, order.get(i)));
      }
      return List.copyOf(order);
    }
  }
}
