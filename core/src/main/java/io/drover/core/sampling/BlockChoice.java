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
 * Late binding: which K of its N blocks a job reads is decided by the slots that come free.
 *
 * <pre>
 *   a slot takes a block of its own machine that is not taken yet
 *   once the job has left slots for localitySeconds, any slot takes any, the nearest first
 *   at most M blocks are taken, each once; with samples, all from one
 * </pre>
 *
 * <p>Source: KMN section 5.2. Where it is silent:
 *
 * <ul>
 *   <li><em>When the wait begins</em>: with the first slot that was left since the last local
 *       binding. A job that is offered nothing does not wait for locality; and once it has waited
 *       enough it takes every slot, until a local one shows that waiting is worth while again
 *       (delay scheduling's rule).
 *   <li><em>When a sample is chosen</em>: a binding to a sample binds the job, so it is put off
 *       while a better one may turn up: until all K blocks of some sample have been seen on free
 *       machines (nothing can be better), or for {@code sampleSeconds}, or until the job has waited
 *       enough for locality anyway. Then the sample with the most blocks on free machines is
 *       chosen, by the first offer that is bound. {@link #see} makes known what is free at once.
 *   <li><em>Failures</em>: a block whose task failed is read again, since leaving out blocks that
 *       make the program fail would be another sample (unless {@code replaceFailed}). One whose
 *       task was killed, or whose output was lost before it was used, says nothing of its content
 *       and may be exchanged.
 *   <li><em>Which of a machine's blocks</em>: in an order given by chance, for in the file's order
 *       a small K would read the beginning of the file. The paper presumes shuffled blocks.
 * </ul>
 *
 * <p>It never binds a block to two slots, more than M in all, or blocks of two samples; nor, once K
 * blocks are done or {@linkplain #fix fixed}, any other block. It costs amortised constant time an
 * offer, and while samples are open a look at each sample.
 */
public final class BlockChoice {
  /** What ended a task, or took its output away. */
  public enum Ending {
    /** It failed, by itself. */
    FAILED,
    /** It was killed, or its machine was lost: nothing that the block could be the reason of. */
    KILLED,
    /** It was done, and its output can no longer be read. */
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
   * Any K of all blocks.
   *
   * @param needed K, at least 1 and no more than there are blocks
   * @param most M, blocks that are read at most at any time, at least {@code needed}
   * @param chance orders the blocks of a machine; it is used here only
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
   * All blocks, for a job that does not sample: delay scheduling, as its tasks have it as well.
   *
   * @param order of all blocks, each once: of a machine's blocks the first is bound first, such as
   *     the largest
   */
  public static BlockChoice allOf(
      List<InputBlock> blocks, List<Integer> order, SamplingSettings settings) {
    int n = blocks.size();
    check(order.size() == n, "the order is of " + order.size() + " blocks, and there are " + n);
    return new BlockChoice(blocks, List.of(order), n, n, settings);
  }

  /**
   * Any K blocks of one of several samples.
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

  /** The blocks that an earlier execution has used, and no other. */
  public static BlockChoice again(
      List<InputBlock> blocks,
      SampleRecord used,
      SamplingSettings settings,
      RandomGenerator chance) {
    check(
        blocks.size() == used.total(),
        "the record is of " + used.total() + " blocks, and there are " + blocks.size());
    int k = used.needed();
    return new BlockChoice(blocks, List.of(Samples.shuffled(used.used(), chance)), k, k, settings);
  }

  private void choose(int sample) {
    ledger.choose(sample, samples.get(sample));
  }

  /**
   * Takes in that a machine has a free slot, without taking it. Only the choice of a sample depends
   * on it; all that is free at once is best made known before the first of it is offered.
   *
   * @param now seconds
   */
  public void see(String machine, double now) {
    check(Double.isFinite(now), "a time is a finite number, not " + now);
    if (ledger.sample().isEmpty()) {
      race.see(machine);
      firstSeen = firstSeen.isPresent() ? firstSeen : OptionalDouble.of(now);
    }
  }

  /**
   * Offers a free slot.
   *
   * @param now seconds, not less than at earlier calls
   * @return the block that the slot is to read, if any, and why
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

  /** Takes in that the task of a bound block is done. */
  public void done(int block) {
    ledger.done(block);
  }

  /** Takes in that a block has no task any more, or no output. */
  public void released(int block, Ending why) {
    ledger.released(block, why);
  }

  /**
   * Decides which K blocks the result is of. From now on only these are bound, and only if their
   * output is lost; what else still runs is to be killed.
   *
   * @param used K blocks that are done
   * @return what is to be kept with the job
   */
  public SampleRecord fix(Collection<Integer> used) {
    return ledger.fix(used);
  }

  /** How many slots the job can use now; none once K blocks are done. */
  public int wanted() {
    return ledger.wanted();
  }

  /** How many blocks are still to be done, of K. */
  public int missing() {
    return ledger.missing();
  }

  /** How many blocks are being read. */
  public int running() {
    return ledger.running();
  }

  /** M, but no more than every sample has blocks. */
  public int most() {
    return ledger.most();
  }

  /** The sample that was chosen; nothing while it is open. */
  public OptionalInt sample() {
    return ledger.sample();
  }

  /** The K blocks of the result, once they are {@linkplain #fix fixed}. */
  public Optional<SampleRecord> record() {
    return ledger.record();
  }

  private static void check(boolean good, String problem) {
    if (!good) {
      throw new IllegalArgumentException(problem);
    }
  }

  /** Checks and shuffles samples: lists of indices into a job's blocks. */
  static final class Samples {
    private Samples() {}

    /**
     * The size of the smallest sample.
     *
     * @throws IllegalArgumentException unless they are disjoint, of known blocks, and at least K
     *     each
     */
    static int smallest(List<List<Integer>> samples, int total, int needed) {
      check(!samples.isEmpty(), "there must be at least one sample");
      Set<Integer> seen = new HashSet<>();
      int smallest = total;
      for (List<Integer> blocks : samples) {
        int size = blocks.size();
        check(size >= needed, "a sample has " + size + " blocks, not K, " + needed);
        smallest = Math.min(smallest, size);
        for (int block : blocks) {
          if (block < 0 || block >= total) {
            throw new IllegalArgumentException("there is no block " + block + " of " + total);
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

    /** The blocks of a sample in an order in which each is equally likely (Fisher and Yates). */
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
