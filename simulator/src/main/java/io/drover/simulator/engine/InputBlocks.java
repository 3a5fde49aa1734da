// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.sampling.BlockChoice;
import io.drover.core.sampling.InputBlock;
import io.drover.core.sampling.SamplingSettings;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.BlockPlaces;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.Inputs;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Knows where the blocks of first phases are, who chooses them, and what reading them costs. */
final class InputBlocks {
  private static final int OF_PLACES = 101;
  private static final int OF_ORDER = 102;

  private final ClusterShape shape;
  private final Names names;
  private final long seed;
  private final Optional<Inputs> inputs;
  private final SamplingSettings sampling;
  private final boolean allLocal;
  private final Optional<BlockPlaces> places;

  /**
   * Creates the blocks of a run.
   *
   * @param allLocal whether each map reads its block locally, wherever it runs
   */
  InputBlocks(ClusterShape shape, Names names, SimulationSettings settings, boolean allLocal) {
    this.shape = shape;
    this.names = names;
    this.seed = settings.seed();
    this.inputs = settings.inputs();
    this.sampling = settings.sampling();
    this.allLocal = allLocal;
    this.places =
        inputs.map(
            of -> new BlockPlaces(shape, of.replicas(), Draws.key(settings.seed(), OF_PLACES)));
  }

  /**
   * Returns the binding of a phase's blocks to slots; empty if its tasks run anywhere and read
   * blocks that were selected at submission.
   *
   * @param most M, if the job needs any K of its blocks
   */
  Optional<BlockBinding> binding(PhaseRun phase, OptionalInt most) {
    if (allLocal || (places.isEmpty() && most.isEmpty())) {
      return Optional.empty();
    }
    int[][] machines =
        IntStream.range(0, most.isPresent() ? phase.spec().blocks() : phase.tasks().size())
            .mapToObj(block -> machines(phase, block))
            .toArray(int[][]::new);
    List<InputBlock> blocks = Arrays.stream(machines).map(this::block).toList();
    BlockChoice choice =
        most.isPresent()
            ? BlockChoice.anyOf(
                blocks,
                phase.spec().tasks(),
                most.getAsInt(),
                sampling,
                new SplittableRandom(Draws.key(seed, OF_ORDER, phase.key())))
            : BlockChoice.allOf(blocks, phase.starts().all(), sampling);
    return Optional.of(
        new BlockBinding(
            choice, machines, shape, names, sampling.localitySeconds(), most.isPresent()));
  }

  private int[] machines(PhaseRun phase, int block) {
    if (places.isEmpty()) {
      return new int[0];
    }
    OptionalInt rack = rack(phase.spec(), block);
    return places.get().machines(phase.key(), block, rack);
  }

  /** Maps a rack of the trace to a rack of the cluster, which may have fewer racks. */
  private OptionalInt rack(PhaseSpec spec, int block) {
    OptionalInt rack = spec.rack(block);
    return rack.isPresent() ? OptionalInt.of(rack.getAsInt() % shape.racks()) : rack;
  }

  private InputBlock block(int[] machines) {
    return new InputBlock(
        Arrays.stream(machines).mapToObj(names::machine).toList(),
        Arrays.stream(machines).mapToObj(m -> names.rack(shape.rackOf(m))).toList());
  }

  /** Returns the block that an attempt reads, which starts on a machine. */
  int block(AttemptRun attempt, int machine) {
    return attempt
        .phase()
        .binding()
        .map(binding -> binding.bind(attempt, machine))
        .orElse(attempt.task().index());
  }

  /** Returns the share of its input that an attempt with a remote block reads from each rack. */
  double[] sources(AttemptRun attempt, int machine) {
    double[] share = new double[shape.racks()];
    BlockBinding binding = attempt.phase().binding().orElseThrow();
    share[binding.sourceRack(attempt.block(), machine, attempt.number())] = 1;
    return share;
  }

  /** Returns the factor for the locality of an attempt's block; 1 if locality does not matter. */
  double factor(AttemptRun attempt, int machine) {
    if (allLocal && inputs.isPresent() && !attempt.phase().reads()) {
      return inputs.get().localShare();
    }
    Optional<BlockBinding> binding = attempt.phase().binding();
    if (inputs.isEmpty() || binding.isEmpty()) {
      return 1;
    }
    return binding.get().isElsewhere(attempt.block(), machine) ? 1 : inputs.get().localShare();
  }
}
