// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.sampling.BlockChoice.Ending;
import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.core.sampling.OfferAnswer.Binding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs random jobs whose tasks keep their blocks, exchange them, read others beside them, lose
 * their outputs, and whose AppMaster starts again.
 */
class RandomTakenBlocksTest {
  private static final int MACHINES = 12;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyBlockHasOneTaskWhateverHappens(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int job = 0; job < 150; job++) {
      new Job(random).run();
    }
  }

  private static final class Task {
    private Integer own;
    private boolean done;
    private final Set<Integer> beside = new HashSet<>();
  }

  /** Drives one choice and checks its invariants after each step. */
  private static final class Job {
    private final SplittableRandom random;
    private final int needed;
    private final int most;
    private final List<List<Integer>> samples;
    private final List<InputBlock> blocks;
    private final SamplingSettings settings;
    private final List<Task> tasks = new ArrayList<>();
    private final Set<Integer> owed = new HashSet<>();
    private BlockChoice choice;
    private double now;

    Job(SplittableRandom random) {
      this.random = random;
      this.needed = 1 + random.nextInt(6);
      int size = needed + random.nextInt(6);
      this.most = needed + random.nextInt(1 + size - needed);
      this.samples = BlockChoices.disjoint(1 + random.nextInt(3), size);
      this.blocks = BlockChoices.anywhere(samples.size() * size, MACHINES, 2, random);
      double wait = random.nextBoolean() ? 0 : 2 * random.nextDouble();
      this.settings = new SamplingSettings(1.05, wait, wait / 2, 0.01, 5, random.nextBoolean());
      this.choice = choice();
      for (int task = 0; task < most; task++) {
        tasks.add(new Task());
      }
    }

    private BlockChoice choice() {
      return BlockChoice.oneOf(blocks, samples, needed, most, settings, random);
    }

    void run() {
      for (int step = 0; step < 200; step++) {
        now += 0.3 * random.nextDouble();
        step();
        verify();
      }
      end();
    }

    private void step() {
      Task task = tasks.get(random.nextInt(most));
      switch (random.nextInt(11)) {
        case 0, 1, 2 -> offer();
        case 3 -> take();
        case 4 -> exchange(task);
        case 5 -> beside(task);
        case 6 -> swap(task);
        case 7 -> done(task);
        case 8 -> undone(task);
        case 9 -> released(task);
        default -> {
          if (random.nextInt(5) == 0) {
            restart();
          }
        }
      }
    }

    private Optional<Task> unbound() {
      return tasks.stream().filter(task -> task.own == null).findFirst();
    }

    private void bound(Binding binding, int machine, boolean isLocal) {
      assertThat(used()).doesNotContain(binding.block());
      assertThat(binding.sample()).isEqualTo(choice.sample().orElseThrow());
      assertThat(binding.machine()).isEqualTo("m" + machine);
      BlockLocality near = choice.nearness(binding.block(), "m" + machine, "");
      assertThat(!isLocal || near == BlockLocality.MACHINE).isTrue();
    }

    private void offer() {
      int machine = random.nextInt(MACHINES);
      List<Integer> open = choice.open();
      int wanted = choice.wanted();
      OfferAnswer answer = choice.offer("m" + machine, BlockChoices.rackOf(machine), now);
      assertThat(answer.binding().isEmpty() || wanted > 0).isTrue();
      if (answer.binding().isEmpty()) {
        assertThat(wanted > 0 && settings.localitySeconds() == 0).isFalse();
        return;
      }
      Binding binding = answer.binding().get();
      assertThat(open).contains(binding.block());
      bound(binding, machine, answer.reason() == OfferAnswer.Reason.LOCAL);
      unbound().orElseThrow().own = binding.block();
      owed.remove(binding.block());
    }

    private void take() {
      int machine = random.nextInt(MACHINES);
      boolean may = unbound().isPresent();
      Optional<Binding> binding = choice.take("m" + machine, BlockChoices.rackOf(machine));
      assertThat(binding.isPresent()).isEqualTo(may);
      if (may) {
        bound(binding.get(), machine, false);
        assertThat(owed.isEmpty() || owed.contains(binding.get().block())).isTrue();
        unbound().orElseThrow().own = binding.get().block();
        owed.remove(binding.get().block());
      }
    }

    private void exchange(Task task) {
      if (task.own == null || task.done) {
        return;
      }
      int machine = random.nextInt(MACHINES);
      Optional<Binding> other = choice.exchange(task.own, "m" + machine);
      if (other.isPresent()) {
        bound(other.get(), machine, true);
        task.own = other.get().block();
      }
    }

    private void beside(Task task) {
      if (task.own == null || task.done) {
        return;
      }
      int machine = random.nextInt(MACHINES);
      Optional<Binding> other = choice.takeBeside("m" + machine);
      if (other.isPresent()) {
        bound(other.get(), machine, true);
        task.beside.add(other.get().block());
      }
    }

    private void swap(Task task) {
      if (task.own != null && !task.done && !task.beside.isEmpty()) {
        int other = task.beside.iterator().next();
        choice.swap(task.own, other);
        task.beside.remove(other);
        task.beside.add(task.own);
        task.own = other;
      }
    }

    private void done(Task task) {
      if (task.own == null || task.done) {
        return;
      }
      choice.done(task.own);
      task.done = true;
      if (random.nextBoolean()) { // else the attempts beside it end later
        endBeside(task);
      }
    }

    private void endBeside(Task task) {
      task.beside.forEach(block -> choice.released(block, Ending.KILLED));
      task.beside.clear();
    }

    private void undone(Task task) {
      if (task.done) {
        choice.undone(task.own);
        task.done = false;
      }
    }

    private void released(Task task) {
      endBeside(task);
      if (task.own == null) {
        return;
      }
      if (task.done) {
        choice.released(task.own, Ending.OUTPUT_LOST);
      } else if (random.nextBoolean()) {
        choice.released(task.own, Ending.KILLED);
      } else {
        choice.released(task.own, Ending.FAILED);
        if (!settings.replaceFailed()) {
          owed.add(task.own);
        }
      }
      task.own = null;
      task.done = false;
    }

    private void restart() {
      if (choice.sample().isEmpty()) {
        return;
      }
      int sample = choice.sample().getAsInt();
      choice = choice();
      choice.restore(sample, tasks.stream().filter(t -> t.own != null).map(t -> t.own).toList());
      tasks.stream().filter(task -> task.done).forEach(task -> choice.done(task.own));
      tasks.forEach(task -> task.beside.clear());
      owed.clear();
    }

    private List<Integer> used() {
      List<Integer> used = new ArrayList<>();
      for (Task task : tasks) {
        if (task.own != null) {
          used.add(task.own);
        }
        used.addAll(task.beside);
      }
      return used;
    }

    private void verify() {
      int done = (int) tasks.stream().filter(task -> task.done).count();
      int own = (int) tasks.stream().filter(task -> task.own != null).count();
      assertThat(own + owed.size()).isLessThanOrEqualTo(choice.most());
      assertThat(choice.most()).isEqualTo(most);
      assertThat(choice.running()).isEqualTo(own - done);
      assertThat(choice.missing()).isEqualTo(Math.max(0, needed - done));
      assertThat(choice.wanted()).isEqualTo(done >= needed ? 0 : most - own);
      List<Integer> used = used();
      assertThat(used).doesNotHaveDuplicates();
      assertThat(choice.openCount()).isEqualTo(choice.open().size());
      if (choice.sample().isEmpty()) {
        assertThat(used).isEmpty();
        return;
      }
      List<Integer> all = new ArrayList<>(used);
      List<Integer> open = choice.open();
      all.addAll(open);
      List<Integer> sample = samples.get(choice.sample().getAsInt());
      assertThat(all).containsExactlyInAnyOrderElementsOf(sample); // each is used or open, not both
      assertThat(open.subList(0, owed.size())).containsExactlyInAnyOrderElementsOf(owed);
      assertThat(open).hasSizeGreaterThanOrEqualTo(choice.wanted());
    }

    /** Lets all tasks end well, and checks that there is a block for each. */
    private void end() {
      tasks.forEach(this::endBeside);
      for (Task task : tasks) {
        if (task.own == null && choice.missing() > 0) {
          task.own = choice.take("m0", "r0").orElseThrow().block();
          owed.remove(task.own);
        }
        done(task);
        verify();
      }
      assertThat(choice.missing()).isZero();
      List<Integer> result =
          tasks.stream().filter(task -> task.done).limit(needed).map(task -> task.own).toList();
      assertThat(choice.fix(result).used()).containsExactlyInAnyOrderElementsOf(result);
    }
  }
}
