// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.Arguments;
import io.drover.simulator.experiment.Experiment;
import io.drover.simulator.experiment.Experiments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Reads {@code --experiment}, and refuses the options that mean nothing with it. */
final class ExperimentArguments {
  /** What lists the experiments instead of running one. */
  static final String LIST = "list";

  private static final String OPTION = "--experiment";
  private static final Set<String> OF_A_LIST = Set.of(OPTION, "--verbose");
  private static final Set<String> OF_A_RUN =
      Set.of(OPTION, "--verbose", "--seed", "--repeat", "--json");

  private final Arguments arguments;
  private final ParseResult typed;

  ExperimentArguments(Arguments arguments, ParseResult typed) {
    this.arguments = arguments;
    this.typed = typed;
  }

  /** Whether they are to be listed. */
  boolean isList(String name) {
    if (!name.equals(LIST)) {
      return false;
    }
    refuseOthers(OF_A_LIST, OPTION + " " + LIST);
    return true;
  }

  /** The one of a name. */
  Experiment experiment(String name) {
    List<String> words = new ArrayList<>(Experiments.names());
    words.add(LIST);
    Experiment experiment =
        Experiments.of(name).orElseThrow(() -> arguments.unknown("experiment", name, words));
    refuseOthers(OF_A_RUN, OPTION);
    return experiment;
  }

  private void refuseOthers(Set<String> allowed, String with) {
    for (OptionSpec option : typed.matchedOptions()) {
      if (Arrays.stream(option.names()).noneMatch(allowed::contains)) {
        throw arguments.bad("option '" + option.names()[0] + "' means nothing with " + with);
      }
    }
  }
}
