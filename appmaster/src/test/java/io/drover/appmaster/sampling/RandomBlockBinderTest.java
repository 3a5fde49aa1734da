// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.sampling.SampleState.MapAttempt;
import io.drover.core.sampling.BlockChoice;
import io.drover.core.sampling.InputBlock;
import io.drover.core.sampling.OfferAnswer;
import io.drover.core.sampling.SamplingSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the maps of random jobs as Hadoop would: with attempts that end in any way and in any order,
 * lost outputs, and AppMasters that start again from the state that was last written.
 */
class RandomBlockBinderTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void everyJobEndsWithTheOutputsOfKBlocks(long seed) throws IOException {
    Random random = new Random(seed);
    for (int job = 0; job < 100; job++) {
      new Job(random).run();
    }
  }

  private enum Phase {
    WAITING,
    RUNNING,
    SUCCEEDED,
    ENDED
  }

  private static final class Attempt {
    private final MapAttempt id;
    private Phase phase = Phase.WAITING;
    private String reservedOn;
    private int reserved = SampleState.NONE;
    private int block = SampleState.NONE;

    Attempt(MapAttempt id) {
      this.id = id;
    }

    boolean isLive() {
      return phase == Phase.WAITING || phase == Phase.RUNNING;
    }
  }

  private static final class Job {
    private final Random random;
    private final int total;
    private final int needed;
    private final int maps;
    private final List<String> hosts;
    private final List<List<Integer>> samples = new ArrayList<>();
    private final List<InputBlock> blocks = new ArrayList<>();
    private final boolean hasReduces;
    private final SamplingSettings settings;
    private final List<List<Attempt>> attempts = new ArrayList<>();

    /** The attempts to which Hadoop's maps owe their success, whether they count or not. */
    private final Map<Integer, Attempt> success = new LinkedHashMap<>();

    private final Set<Integer> dropped = new HashSet<>();
    private final Map<Integer, Integer> blockOfChosen = new HashMap<>();
    private final Map<Integer, Integer> blockOfFailed = new HashMap<>();
    private SampleState written;
    private BlockBinder binder;
    private int nextAttempt;
    private double trouble = 0.5;
    private double now;

    Job(Random random) {
      this.random = random;
      this.needed = 1 + random.nextInt(5);
      int size = needed + random.nextInt(6);
      int candidates = random.nextBoolean() ? 0 : 1 + random.nextInt(3);
      for (int sample = 0; sample < candidates; sample++) {
        samples.add(IntStream.range(sample * size, (sample + 1) * size).boxed().toList());
      }
      this.total = Math.max(1, candidates) * size;
      this.maps = needed + random.nextInt(1 + size - needed);
      this.hosts = IntStream.range(0, 4 + random.nextInt(6)).mapToObj(i -> "h" + i).toList();
      for (int block = 0; block < total; block++) {
        List<String> on = new ArrayList<>(hosts);
        Collections.shuffle(on, random);
        blocks.add(new InputBlock(on.subList(0, 1 + random.nextInt(2)), List.of("/r")));
      }
      this.hasReduces = random.nextBoolean();
      this.settings = new SamplingSettings(1.05, random.nextInt(3), 0.5, 0.01, 5, false);
      for (int map = 0; map < maps; map++) {
        attempts.add(new ArrayList<>());
      }
      this.written = SampleState.unbound(total, needed, maps, samples);
      this.binder = new BlockBinder(choice(), written);
    }

    private BlockChoice choice() {
      Random seeded = new Random(total);
      return samples.isEmpty()
          ? BlockChoice.anyOf(blocks, needed, maps, settings, seeded)
          : BlockChoice.oneOf(blocks, samples, needed, maps, settings, seeded);
    }

    void run() throws IOException {
      for (int step = 0; !isOver(); step++) {
        assertThat(step).isLessThan(5000);
        now += 0.2 * random.nextDouble();
        trouble *= 0.995;
        schedule();
        step();
        afterEvent();
        verify();
      }
      Set<Integer> read = new HashSet<>();
      for (int map : binder.chosen()) {
        assertThat(binder.countsFor(success.get(map).id)).isTrue();
        assertThat(success.get(map).block).isEqualTo(binder.blockOf(map).orElseThrow());
        read.add(success.get(map).block);
      }
      assertThat(read).hasSize(needed);
      assertThat(samples.isEmpty() || samples.stream().anyMatch(s -> s.containsAll(read))).isTrue();
    }

    private boolean isOver() {
      return binder.isComplete()
          && binder.chosen().stream().allMatch(map -> binder.successOf(map).isPresent());
    }

    // --- what Hadoop does

    private void schedule() {
      for (int map = 0; map < maps; map++) {
        boolean isLive = attempts.get(map).stream().anyMatch(Attempt::isLive);
        if (!isLive && !dropped.contains(map) && !success.containsKey(map)) {
          add(map);
          if (random.nextInt(10) == 0) {
            add(map); // a clone from the beginning
          }
        }
      }
    }

    private void add(int map) {
      attempts.get(map).add(new Attempt(new MapAttempt(map, nextAttempt++)));
    }

    private List<Attempt> in(Phase phase) {
      return attempts.stream().flatMap(List::stream).filter(a -> a.phase == phase).toList();
    }

    private <T> T any(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    private void step() throws IOException {
      List<Attempt> waiting = in(Phase.WAITING);
      List<Attempt> running = in(Phase.RUNNING);
      int what = random.nextInt(10);
      if (what < 4 && !waiting.isEmpty()) {
        container(any(waiting));
      } else if (what == 4 && !running.isEmpty()) {
        int map = any(running).id.map();
        if (!success.containsKey(map) && !dropped.contains(map)) {
          add(map); // a speculative one
        }
      } else if (what == 5 && !waiting.isEmpty() && random.nextDouble() < trouble) {
        end(any(waiting), false);
      } else if (what == 6 && !running.isEmpty() && random.nextDouble() < trouble) {
        end(any(running), random.nextBoolean());
      } else if (what < 9 && !running.isEmpty()) {
        succeed(any(running));
      } else if (random.nextDouble() < trouble / 3 && !success.isEmpty()) {
        lose(any(List.copyOf(success.keySet())));
      } else if (random.nextDouble() < trouble / 5) {
        restart();
      } else if (random.nextBoolean()) {
        write();
      }
    }

    private void container(Attempt attempt) {
      String host = any(hosts);
      if (attempt.reservedOn != null) {
        start(attempt, attempt.reservedOn);
        return;
      }
      if (!binder.isWaiting(attempt.id)) {
        start(attempt, host);
        return;
      }
      if (random.nextInt(20) == 0) { // Hadoop assigned it itself
        start(attempt, host);
        return;
      }
      int wanted = binder.wanted();
      List<Integer> open = binder.open();
      OfferAnswer answer = binder.offer(attempt.id, host, "/r", now);
      if (answer.binding().isPresent()) {
        assertThat(open).contains(answer.binding().get().block());
        assertThat(wanted).isPositive();
        attempt.reservedOn = host;
        attempt.reserved = answer.binding().get().block();
      } else if (settings.localitySeconds() == 0) {
        assertThat(wanted).isZero();
      }
    }

    private void start(Attempt attempt, String host) {
      int map = attempt.id.map();
      OptionalInt before = binder.blockOf(map);
      OptionalInt block = binder.bind(attempt.id, host, "/r");
      attempt.phase = Phase.RUNNING;
      attempt.reservedOn = null;
      if (block.isEmpty()) {
        assertThat(before).isEmpty();
        assertThat(binder.isComplete() || dropped.contains(map) || reservations() > 0).isTrue();
        end(attempt, false);
        return;
      }
      attempt.block = block.getAsInt();
      attempts.get(map).stream() // it may take over what another attempt was offered
          .filter(other -> other.reservedOn != null && other.reserved == attempt.block)
          .forEach(other -> other.reservedOn = null);
      if (binder.isChosen(map)) {
        assertThat(block).isEqualTo(before);
      }
      if (blockOfFailed.containsKey(map)) {
        assertThat(block).isEqualTo(before);
      }
    }

    private int reservations() {
      return (int) in(Phase.WAITING).stream().filter(a -> a.reservedOn != null).count();
    }

    private void end(Attempt attempt, boolean byItself) {
      int map = attempt.id.map();
      boolean readItsOwn =
          attempt.block != SampleState.NONE && binder.blockOf(map).orElse(-2) == attempt.block;
      attempt.phase = Phase.ENDED;
      attempt.reservedOn = null;
      binder.ended(attempt.id, byItself);
      if (byItself && readItsOwn) {
        blockOfFailed.put(map, attempt.block);
      }
    }

    private void succeed(Attempt attempt) {
      int map = attempt.id.map();
      if (dropped.contains(map)) { // it is being killed
        assertThat(mayCommit(attempt)).isFalse();
        end(attempt, false);
        return;
      }
      if (success.containsKey(map)) {
        assertThat(binder.succeeded(attempt.id)).isFalse();
        end(attempt, false);
        return;
      }
      if (random.nextInt(3) == 0 && !mayCommit(attempt)) {
        return; // it asks again, or is killed
      }
      boolean mustCount = !binder.isChosen(map) || binder.countsFor(attempt.id);
      if (!mustCount) {
        return; // it would have asked whether it may commit
      }
      attempt.phase = Phase.SUCCEEDED;
      success.put(map, attempt);
      assertThat(binder.succeeded(attempt.id)).isTrue();
      assertThat(binder.blockOf(map)).hasValue(attempt.block);
      if (!hasReduces) {
        binder.choose(map);
      }
      for (Attempt other : List.copyOf(attempts.get(map))) {
        if (other.isLive() && random.nextBoolean()) { // the others later
          end(other, false);
        }
      }
    }

    private boolean mayCommit(Attempt attempt) {
      if (!binder.decide(attempt.id) || !binder.choose(attempt.id.map())) {
        return false;
      }
      write();
      return true;
    }

    private void lose(int map) {
      Attempt attempt = success.remove(map);
      end(attempt, random.nextBoolean());
      blockOfFailed.remove(map); // that was no failure of the program
    }

    // --- what late binding does

    private void write() {
      written = binder.state();
    }

    private void drop(int map) {
      if (!success.containsKey(map) && dropped.add(map)) {
        if (random.nextBoolean()) {
          attempts.get(map).stream().filter(Attempt::isLive).forEach(a -> end(a, false));
        }
        binder.dropped(map); // other attempts are being killed
      }
    }

    private void afterEvent() {
      if (binder.isComplete()) {
        write();
        IntStream.range(0, maps).filter(map -> !binder.isChosen(map)).forEach(this::drop);
      } else if (binder.missing() == 0) {
        IntStream.range(0, maps).filter(binder::isUnbound).forEach(this::drop);
        if (hasReduces && random.nextInt(3) == 0) {
          List<Integer> finished = new ArrayList<>(binder.finished());
          assertThat(finished).hasSizeGreaterThanOrEqualTo(needed);
          Collections.shuffle(finished, random);
          finished.forEach(binder::choose);
          assertThat(binder.isComplete()).isTrue();
          write();
        }
      }
    }

    private void restart() throws IOException {
      SampleState state = SampleState.parse(written.toJson());
      assertThat(state).isEqualTo(written);
      Set<MapAttempt> recovered = new LinkedHashSet<>();
      success.values().forEach(attempt -> recovered.add(attempt.id));
      binder = new BlockBinder(choice(), state);
      binder.restore(state, recovered);
      nextAttempt += 1000;
      dropped.clear();
      blockOfFailed.clear();
      state.failed().forEach(map -> binder.blockOf(map).ifPresent(b -> blockOfFailed.put(map, b)));
      blockOfChosen.clear();
      state.chosen().forEach(map -> blockOfChosen.put(map, state.blockOf().get(map)));
      success.values().removeIf(attempt -> !binder.countsFor(attempt.id));
      for (List<Attempt> ofMap : attempts) {
        ofMap.removeIf(attempt -> !success.containsValue(attempt));
      }
      for (int map : List.copyOf(success.keySet())) {
        assertThat(binder.succeeded(success.get(map).id)).isTrue();
        if (!hasReduces) {
          binder.choose(map);
        }
      }
      written = binder.state();
    }

    // --- what must hold at any time

    private void verify() {
      Map<Integer, Integer> mapOf = new HashMap<>();
      for (int map = 0; map < maps; map++) {
        int number = map;
        Set<Integer> blocksOfMap = new HashSet<>();
        binder.blockOf(map).ifPresent(blocksOfMap::add);
        attempts.get(map).stream()
            .filter(a -> a.phase == Phase.RUNNING)
            .forEach(
                a -> {
                  blocksOfMap.add(a.block);
                  boolean isOwn = binder.blockOf(number).orElse(SampleState.NONE) == a.block;
                  assertThat(binder.countsFor(a.id)).isEqualTo(isOwn);
                });
        blocksOfMap.forEach(
            block -> assertThat(mapOf.put(block, number)).as("block %d", block).isNull());
        if (binder.isChosen(map)) {
          int block = binder.blockOf(map).orElseThrow();
          assertThat(blockOfChosen.computeIfAbsent(map, unused -> block)).isEqualTo(block);
        }
      }
      assertThat(blockOfChosen.keySet()).isEqualTo(Set.copyOf(binder.chosen()));
      assertThat(binder.chosen()).hasSizeLessThanOrEqualTo(needed);
      for (Map.Entry<Integer, Attempt> map : success.entrySet()) {
        assertThat(binder.countsFor(map.getValue().id)).isTrue();
        assertThat(binder.successOf(map.getKey())).hasValue(map.getValue().id.attempt());
      }
      assertThat(binder.finished()).containsExactlyElementsOf(success.keySet());
      assertThat(binder.missing()).isEqualTo(Math.max(0, needed - success.size()));
      verifyUnbound(mapOf.keySet());
    }

    private void verifyUnbound(Set<Integer> used) {
      List<Integer> open = binder.open();
      assertThat(Collections.disjoint(open, used)).isTrue();
      assertThat(open).hasSizeGreaterThanOrEqualTo(binder.wanted());
      if (binder.isComplete()) {
        assertThat(open).isEmpty();
        return;
      }
      OptionalInt sample = binder.state().sample();
      if (sample.isPresent()) {
        int all = samples.isEmpty() ? total : samples.get(sample.getAsInt()).size();
        assertThat(open.size() + used.size() + reservations()).as("no block leaks").isEqualTo(all);
      }
      for (int map : dropped) {
        boolean isLive = attempts.get(map).stream().anyMatch(a -> a.phase == Phase.RUNNING);
        assertThat(binder.blockOf(map).isEmpty() || isLive).isTrue();
      }
      boolean waits =
          in(Phase.WAITING).stream().anyMatch(a -> a.reservedOn == null && binder.isWaiting(a.id));
      if (waits && binder.missing() > 0) {
        assertThat(binder.wanted() + reservations()).isPositive();
      }
    }
  }
}
