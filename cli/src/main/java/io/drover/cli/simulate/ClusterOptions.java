// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.core.config.BadSettingException;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.replay.SimulationOptions.SourceChoice;
import io.drover.simulator.scheme.Schemes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the simulated cluster, and others that all simulations share. */
final class ClusterOptions {
  static final int MOST_JOBS = 1_000_000;
  private static final int MOST_MACHINES = 100_000;
  private static final int MOST_SLOTS = 500;

  @Option(
      names = "--slowness",
      paramLabel = "KIND[:FILE]",
      converter = Choices.Slowness.class,
      description =
          "How slow attempts are: published (by Mantri's figures), google:FILE (attempts of the"
              + " Google trace of 2011), history (what the history recorded), or none. Default:"
              + " history for a history, else published.")
  private Optional<SourceChoice> slowness;

  @Option(
      names = "--machines",
      paramLabel = "N",
      description =
          "Machines of the cluster, 1 to 100000. Default: 3000 for Facebook 2010, the trace's racks"
              + " for coflow, else 600.")
  private Optional<Integer> machines;

  @Option(
      names = "--slots",
      paramLabel = "N",
      defaultValue = "8",
      description = "Attempts that a machine runs at once, 1 to 500. Default: ${DEFAULT-VALUE}.")
  private int slots;

  @Option(
      names = "--racks",
      paramLabel = "N",
      description =
          "Racks, 1 to the number of machines. Default: one for each 40 machines; for coflow one"
              + " for each machine, which then stands for a rack.")
  private Optional<Integer> racks;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Jobs of a synthetic workload, 1 to 1000000. Default: ${DEFAULT-VALUE}.")
  private int jobs;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of Drover, mapreduce.drover.* or yarn.drover.*; may be repeated.")
  private List<String> settings = new ArrayList<>();

  @Mixin private RepeatOptions repeats;

  OptionalInt machines(Arguments arguments) {
    return optional(arguments, "--machines", machines, MOST_MACHINES);
  }

  OptionalInt racks(Arguments arguments) {
    return optional(arguments, "--racks", racks, machines(arguments).orElse(MOST_MACHINES));
  }

  int slots(Arguments arguments) {
    return arguments.within("--slots", slots, 1, MOST_SLOTS);
  }

  int jobs(Arguments arguments, int least, int most) {
    return arguments.within("--jobs", jobs, least, most);
  }

  RepeatOptions repeats() {
    return repeats;
  }

  /** Returns the slowness that was typed, or the default for the workload. */
  SourceChoice slowness(Arguments arguments, SourceChoice workload) {
    boolean isHistory = workload.kind().equals("history");
    SourceChoice chosen =
        slowness.orElseGet(() -> SourceChoice.of(isHistory ? "history" : "published"));
    if (chosen.kind().equals("history") && !isHistory) {
      throw arguments.bad("option '--slowness': history works only with --workload history:FILE");
    }
    return chosen;
  }

  /** Returns the settings of all {@code --set} options, checked as Drover checks them. */
  Map<String, String> settings(Arguments arguments) {
    Map<String, String> read = new LinkedHashMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw arguments.bad("option '--set' needs KEY=VALUE, not '" + setting + "'");
      }
      String key = setting.substring(0, equals).strip();
      if (read.put(key, setting.substring(equals + 1).strip()) != null) {
        throw arguments.bad("option '--set': " + key + " is set twice");
      }
    }
    try {
      SimulationSettings.read(0, read);
    } catch (BadSettingException e) {
      throw arguments.bad("option '--set': " + e.getMessage());
    }
    return read;
  }

  private static OptionalInt optional(
      Arguments arguments, String option, Optional<Integer> typed, int most) {
    return typed
        .map(number -> OptionalInt.of(arguments.within(option, number, 1, most)))
        .orElse(OptionalInt.empty());
  }

  /** The option for the one scheme that a command runs. */
  static final class SchemeOption {
    @Option(
        names = "--scheme",
        paramLabel = "NAME",
        defaultValue = "drover",
        converter = Choices.SchemeName.class,
        completionCandidates = Choices.SchemeName.class,
        description = "The scheme: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private String scheme;

    String name(Arguments arguments) {
      if (scheme.equals(Schemes.BASELINE)) {
        throw arguments.bad("option '--scheme' needs a scheme other than 'none'");
      }
      return scheme;
    }
  }

  /** The options for the number of repetitions and for the seed. */
  static final class RepeatOptions {
    private static final int MOST_REPEATS = 100;

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "1",
        description =
            "Seed of the random numbers; the same seed gives the same figures. Default: 1.")
    private long seed;

    @Option(
        names = "--repeat",
        paramLabel = "N",
        defaultValue = "1",
        description = "Run everything N times, 1 to 100, with consecutive seeds. Default: 1.")
    private int repeat;

    long seed() {
      return seed;
    }

    int repeat(Arguments arguments) {
      return arguments.within("--repeat", repeat, 1, MOST_REPEATS);
    }
  }
}
