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
 * The options of a simulation.
 *
 * @param workload the source of the jobs
 * @param skipBad whether malformed jobs and lines of the workload's file are left out; if not, they
 *     are errors
 * @param slowness the source of the slowness of attempts
 * @param losses which outputs, machines and attempts are lost
 * @param machines the machines of the cluster; empty for a number that suits the workload
 * @param slots the slots of a machine
 * @param racks the racks of the cluster; empty for a number that suits its machines
 * @param seed the seed of the first repeat
 * @param hours the hours of a SWIM trace, from its start
 * @param jobs the number of jobs of a synthetic workload
 * @param inputs where the blocks of maps lie; empty if maps read equally fast everywhere
 * @param sampling which jobs need any K of N blocks; empty if none do
 * @param settings the settings of Drover that the user has given
 * @param repeat the number of repeats, each with the next seed
 */
public record SimulationOptions(
    SourceChoice workload,
    boolean skipBad,
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
   * Returns the settings for a seed, with some more settings.
   *
   * @throws IllegalStateException if the user's settings have not been checked
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
   * The source of jobs or their slowness.
   *
   * @param kind the kind of the source
   * @param file the file that it reads; empty for a kind that needs none
   */
  public record SourceChoice(String kind, Optional<Path> file) {
    /** Creates a choice of a kind that needs no file. */
    public static SourceChoice of(String kind) {
      return new SourceChoice(kind, Optional.empty());
    }

    /** Returns the form used on the command line: {@code KIND} or {@code KIND:FILE}. */
    @Override
    public String toString() {
      return file.map(f -> kind + ":" + f).orElse(kind);
    }
  }

  /**
   * The choice of where the blocks of maps lie.
   *
   * @param kind disk or memory
   * @param inputs the model of that kind
   */
  public record InputChoice(Kind kind, Inputs inputs) {
    /** The medium that holds the blocks. */
    public enum Kind {
      DISK(Inputs.DISK, "each block has 3 replicas, placed by HDFS's rule"),
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

      /** Returns the choice of this kind with the default wait for locality. */
      public InputChoice usual() {
        return new InputChoice(this, usual);
      }
    }

    /** Returns a sentence about the model for reports. */
    String provenance() {
      return String.format(
          Locale.ROOT,
          "Inputs: modelled; %s. A map that runs elsewhere reads its block over the network while"
              + " it works. A job waits %s s for a slot beside its blocks (core's delay"
              + " scheduling).",
          kind.where,
          seconds());
    }

    private String seconds() {
      return BigDecimal.valueOf(inputs.localitySeconds()).stripTrailingZeros().toPlainString();
    }

    /** Returns the form used on the command line: {@code disk:3}. */
    @Override
    public String toString() {
      return kind.name().toLowerCase(Locale.ROOT) + ":" + seconds();
    }
  }
}
