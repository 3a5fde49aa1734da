// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.core.sampling.OfferAnswer.Binding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Runs random jobs on random clusters. Tasks fail, are killed and lose their outputs. */
class RandomBlockChoiceTest {
  private static final int MACHINES = 25;

  @Test
  void everyJobEndsWithKBlocksOfOneSampleEachReadOnceAtATime() {
    SplittableRandom random = new SplittableRandom(42);
    for (int job = 0; job < 600; job++) {
      new Job(random).run();
    }
  }

  /** Drives one choice and checks its invariants after each step. */
  private static final class Job {
    private final SplittableRandom random;
    private final int needed;
    private final int most;
    private final List<List<Integer>> samples;
    private final List<InputBlock> blocks;
    private final SamplingSettings settings;
    private final BlockChoice choice;
    private final List<Integer> running = new ArrayList<>();
    private final List<Integer> done = new ArrayList<>();
    private final Set<Integer> owed = new HashSet<>();
    private double trouble = 0.4;
    private double now;
    private double leftAt = Double.POSITIVE_INFINITY;

    Job(SplittableRandom random) {
      this.random = random;
      this.needed = 1 + random.nextInt(12);
      int size = needed + random.nextInt(10);
      this.most = needed + random.nextInt(5);
      this.samples = BlockChoices.disjoint(1 + random.nextInt(4), size);
      this.blocks =
          BlockChoices.anywhere(samples.size() * size + random.nextInt(3), 2 * MACHINES, 3, random);
      this.settings =
          new SamplingSettings(
              1.05, 4 * random.nextDouble(), random.nextDouble(), 0.01, 5, random.nextBoolean());
      this.choice = BlockChoice.oneOf(blocks, samples, needed, most, settings, random);
    }

    void run() {
      for (int step = 0; done.size() < needed; step++) {
        assertThat(step).isLessThan(5000);
        trouble *= 0.99;
        now += 0.3 * random.nextDouble();
        offer();
        end();
        verify();
      }
      SampleRecord record = choice.fix(done.subList(0, needed));
      assertThat(record.used()).containsExactlyInAnyOrderElementsOf(done.subList(0, needed));
      assertThat(choice.wanted()).isZero();
      loseAndRepeat(record);
    }

    private void offer() {
      int machine = random.nextInt(MACHINES);
      boolean wants = choice.wanted() > 0;
      OfferAnswer answer = choice.offer("m" + machine, BlockChoices.rackOf(machine), now);
      assertThat(answer.wanted()).isEqualTo(choice.wanted());
      if (answer.binding().isEmpty()) {
        assertThat(wants && now - leftAt >= settings.localitySeconds()).isFalse();
        leftAt = wants ? Math.min(leftAt, now) : leftAt;
        return;
      }
      Binding binding = answer.binding().get();
      InputBlock block = blocks.get(binding.block());
      boolean local = block.machines().contains(binding.machine());
      assertThat(binding.nearness() == BlockLocality.MACHINE).isEqualTo(local);
      assertThat(binding.machine()).isEqualTo("m" + machine);
      assertThat(local || now - leftAt >= settings.localitySeconds()).isTrue();
      leftAt = local ? Double.POSITIVE_INFINITY : leftAt;
      assertThat(running).doesNotContain(binding.block());
      assertThat(done).doesNotContain(binding.block());
      running.add(binding.block());
      owed.remove(binding.block());
    }

    private void end() {
      if (running.isEmpty() || random.nextInt(3) > 0) {
        return;
      }
      int block = running.remove(random.nextInt(running.size()));
      double luck = random.nextDouble();
      if (luck < trouble / 2) {
        choice.released(block, BlockChoice.Ending.FAILED);
        if (!settings.replaceFailed()) {
          owed.add(block);
        }
      } else if (luck < trouble) {
        choice.released(block, BlockChoice.Ending.KILLED);
      } else {
        choice.done(block);
        done.add(block);
        if (random.nextDouble() < trouble) {
          int lost = done.remove(random.nextInt(done.size()));
          choice.released(lost, BlockChoice.Ending.OUTPUT_LOST);
        }
      }
    }

    private void verify() {
      assertThat(running.size() + done.size() + owed.size()).isLessThanOrEqualTo(choice.most());
      assertThat(choice.most()).isBetween(needed, most);
      assertThat(choice.running()).isEqualTo(running.size());
      assertThat(choice.missing()).isEqualTo(Math.max(0, needed - done.size()));
      if (!running.isEmpty() || !done.isEmpty()) {
        List<Integer> sample = samples.get(choice.sample().orElseThrow());
        assertThat(sample).containsAll(running).containsAll(done);
      }
    }

    private void loseAndRepeat(SampleRecord record) {
      int lost = record.used().get(random.nextInt(needed));
      choice.released(lost, BlockChoice.Ending.OUTPUT_LOST);
      for (int block : running) {
        choice.done(block);
      }
      assertThat(choice.missing()).isEqualTo(1);
      OfferAnswer answer = choice.offer("nowhere", "nowhere", now);
      while (answer.binding().isEmpty()) {
        now += settings.localitySeconds();
        answer = choice.offer("nowhere", "nowhere", now);
      }
      Binding again = answer.binding().get();
      assertThat(again.block()).isEqualTo(lost);
      assertThat(again.again()).isTrue();
    }
  }
}
