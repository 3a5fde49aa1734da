// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.simulator.experiment.Experiment;
import io.drover.simulator.experiment.Experiments;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads {@code --experiment}, and refuses the options that mean nothing with it. */
final class ExperimentArguments {
  /** What lists the experiments instead of running one. */
  static final String LIST = "list";

  private static final String OPTION = "--experiment";
  private static final Set<String> OF_A_LIST = Set.of(OPTION, "--verbose");
  private static final Set<String> OF_A_RUN =
      Set.of(OPTION, "--verbose", "--seed", "--repeat", "--json");

  private final Arguments arguments;

  ExperimentArguments(Arguments arguments) {
    this.arguments = arguments;
  }

  /** Whether they are to be listed. */
  boolean isList(String name) {
    if (!name.equals(LIST)) {
      return false;
    }
    arguments.refuseOthers(OF_A_LIST, OPTION + " " + LIST);
    return true;
  }

  /** The one of a name. */
  Experiment experiment(String name) {
    List<String> words = new ArrayList<>(Experiments.names());
    words.add(LIST);
    Experiment experiment =
        Experiments.of(name).orElseThrow(() -> arguments.unknown("experiment", name, words));
    arguments.refuseOthers(OF_A_RUN, OPTION);
    return experiment;
  }
}
