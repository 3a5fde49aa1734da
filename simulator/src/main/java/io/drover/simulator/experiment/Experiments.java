// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import java.util.List;
import java.util.Optional;

/** Lists all experiments, in the order of the papers. */
public final class Experiments {
  private static final List<Experiment> ALL =
      List.of(
          new MantriTable3(),
          new Mantri16(),
          new Mantri19(),
          new Mantri20(),
          new Mantri21(),
          new DollyProbability(),
          new Dolly6(),
          new Kmn4(),
          new Kmn5(),
          new Kmn6(),
          new Kmn8(),
          new Kmn9(),
          new Kmn15(),
          new Kmn22());

  private Experiments() {}

  /** Returns all experiments. */
  public static List<Experiment> all() {
    return ALL;
  }

  /** Returns the names of all experiments. */
  public static List<String> names() {
    return ALL.stream().map(Experiment::name).toList();
  }

  /** Returns the experiment with this name, if there is one. */
  public static Optional<Experiment> of(String name) {
    return ALL.stream().filter(experiment -> experiment.name().equals(name)).findFirst();
  }
}
