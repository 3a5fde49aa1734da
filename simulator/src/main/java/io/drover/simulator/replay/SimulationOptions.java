// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.core.config.BadSettingException;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.workload.SampledWorkload.Sampling;
import io.drover.simulator.world.Inputs;
import io.drover.simulator.world.Losses.LossSettings;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What is to be simulated.
 *
 * @param workload the jobs
 * @param slowness how slow attempts are
 * @param losses what is lost beside
 * @param machines of the cluster; empty for as many as suit the workload
 * @param slots of a machine
 * @param racks of the cluster; empty for as many as suit its machines
 * @param seed of the first repeat
 * @param hours of a SWIM trace, from its start
 * @param jobs of a synthetic workload
 * @param inputs where the blocks of maps lie; empty if maps read at the same pace anywhere
 * @param sampling which jobs need any K of N blocks; empty if none do
 * @param settings of Drover that were typed
 * @param repeat how often, each time with the next seed
 */
public record SimulationOptions(
    SourceChoice workload,
    SourceChoice slowness,
    LossSettings losses,
    OptionalInt machines,
    int slots,
    OptionalInt racks,
    long seed,
    int hours,
    int jobs,
    Optional<InputChoice> inputs,
    Optional<Sampling> sampling,
    Map<String, String> settings,
    int repeat) {

  /** Copies the settings. */
  public SimulationOptions {
    settings = new TreeMap<>(settings);
  }

  /**
   * The settings for a seed, and others in addition.
   *
   * @throws IllegalStateException if what was typed had not been checked
   */
  SimulationSettings settings(long of, Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(settings);
    all.putAll(more);
    try {
      SimulationSettings read = SimulationSettings.read(of, all);
      return inputs.map(option -> read.with(option.inputs())).orElse(read);
    } catch (BadSettingException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /**
   * Where jobs or their slowness come from.
   *
   * @param kind of the source
   * @param file that it reads; empty for a kind that needs none
   */
  public record SourceChoice(String kind, Optional<Path> file) {
    /** A kind that needs no file. */
    public static SourceChoice of(String kind) {
      return new SourceChoice(kind, Optional.empty());
    }

    /** As people type it: {@code KIND} or {@code KIND:FILE}. */
    @Override
    public String toString() {
      return file.map(f -> kind + ":" + f).orElse(kind);
    }
  }

  /**
   * Where the blocks of maps lie.
   *
   * @param kind disk or memory
   * @param inputs what that means
   */
  public record InputChoice(Kind kind, Inputs inputs) {
    /** What holds the blocks. */
    public enum Kind {
      DISK(Inputs.DISK, "each block has 3 replicas, by HDFS's rule"),
      MEMORY(
          Inputs.MEMORY,
          "each block is in the memory of one machine, where a map works 20 times as fast (KMN"
              + " section 2.3)");

      private final Inputs usual;
      private final String where;

      Kind(Inputs usual, String where) {
        this.usual = usual;
        this.where = where;
      }

      /** With the usual wait for locality. */
      public InputChoice usual() {
        return new InputChoice(this, usual);
      }
    }

    /** What of it is modelled: a sentence for people. */
    String provenance() {
      return String.format(
          Locale.ROOT,
          "Inputs: modelled; %s. A map elsewhere reads its block over the network while it works. A"
              + " job waits %s s for a slot beside its blocks (delay scheduling, by core).",
          kind.where,
          seconds());
    }

    private String seconds() {
      return BigDecimal.valueOf(inputs.localitySeconds()).stripTrailingZeros().toPlainString();
    }

    /** As people type it: {@code disk:3}. */
    @Override
    public String toString() {
      return kind.name().toLowerCase(Locale.ROOT) + ":" + seconds();
    }
  }
}
