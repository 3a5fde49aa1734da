// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.core.config.BadSettingException;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.workload.Sampling;
import io.drover.simulator.world.LossSettings;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reads those options of {@code drover simulate} that are more than a number or a file. */
final class SimulateArguments {
  private final Arguments arguments;

  SimulateArguments(Arguments arguments) {
    this.arguments = arguments;
  }

  Chosen workload(String typed) {
    return Chosen.read(
        arguments, "--workload", typed, List.of("synthetic"), List.of("swim", "coflow", "history"));
  }

  /** What was typed, or what suits the workload. */
  Chosen slowness(Optional<String> typed, Chosen workload) {
    boolean history = workload.kind().equals("history");
    if (typed.isEmpty()) {
      return Chosen.of(history ? "history" : "published");
    }
    Chosen chosen =
        Chosen.read(
            arguments,
            "--slowness",
            typed.get(),
            List.of("published", "history", "none"),
            List.of("google"));
    if (chosen.kind().equals("history") && !history) {
      throw arguments.bad("option '--slowness': history is for --workload history:FILE alone");
    }
    return chosen;
  }

  /** The baseline and then the others, each once. */
  List<String> schemes(String typed) {
    Set<String> names = new LinkedHashSet<>(List.of(Schemes.BASELINE));
    for (String word : typed.split(",", -1)) {
      String name = word.strip();
      if (!Schemes.names().contains(name)) {
        throw arguments.unknown("scheme", name, Schemes.names());
      }
      names.add(name);
    }
    return List.copyOf(names);
  }

  /** The one scheme that an option is for, beside the baseline. */
  String scheme(String typed, String option) {
    List<String> names =
        schemes(typed).stream().filter(name -> !name.equals(Schemes.BASELINE)).toList();
    if (names.size() != 1) {
      throw arguments.bad(
          "option '--schemes' needs one scheme with " + option + ", not '" + typed + "'");
    }
    return names.get(0);
  }

  /** A number from 1 to {@code most}, or nothing where nothing was typed. */
  OptionalInt optional(String option, String typed, int most) {
    return typed == null
        ? OptionalInt.empty()
        : OptionalInt.of(arguments.number(option, typed, 1, most));
  }

  long seed(String typed) {
    try {
      return Long.parseLong(typed);
    } catch (NumberFormatException e) {
      throw arguments.bad("option '--seed' needs a whole number, not '" + typed + "'");
    }
  }

  /** {@code K/N} or {@code K/N:SHARE}; nothing where nothing was typed. */
  Optional<Sampling> sampling(String typed) {
    if (typed == null) {
      return Optional.empty();
    }
    int colon = typed.indexOf(':');
    String ratio = colon < 0 ? typed : typed.substring(0, colon);
    String share = colon < 0 ? "1" : typed.substring(colon + 1);
    double kOfN =
        arguments.decimal(
            "--sampled", "K/N from 0.01 to 1, such as 0.1", ratio, Sampling.LEAST_RATIO, 1);
    double ofJobs =
        arguments.decimal(
            "--sampled", "a share of the jobs from 0.001 to 1 after the colon", share, 0.001, 1);
    return Optional.of(new Sampling(kOfN, ofJobs));
  }

  /** What is lost; jobs that sample lose nothing. */
  LossSettings losses(String typed, String sampled) {
    LossSettings losses = LossesOption.read(arguments, typed);
    if (sampled != null && !losses.equals(LossSettings.NONE)) {
      throw arguments.bad(
          "option '--losses' does not go with --sampled: what jobs that sample lose is not modelled");
    }
    return losses;
  }

  /** Settings of Drover, checked as Drover checks them. */
  Map<String, String> settings(List<String> typed) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String setting : typed) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw arguments.bad("option '--set' needs KEY=VALUE, not '" + setting + "'");
      }
      String key = setting.substring(0, equals).strip();
      if (settings.put(key, setting.substring(equals + 1).strip()) != null) {
        throw arguments.bad("option '--set': " + key + " is set twice");
      }
    }
    try {
      SimulationSettings.read(0, settings);
    } catch (BadSettingException e) {
      throw arguments.bad("option '--set': " + e.getMessage());
    }
    return settings;
  }
}
