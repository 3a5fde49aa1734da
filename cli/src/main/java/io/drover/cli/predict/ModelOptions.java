// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.command.Arguments;
import io.drover.core.predict.FailureModel;
import io.drover.core.predict.FailureModel.TrainedOn;
import io.drover.core.predict.TrainingSettings;
import io.drover.core.predict.model.Method;
import io.drover.simulator.report.SimulationReport.Section;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for a single model, and what is said of it. */
final class ModelOptions {
  @Option(
      names = "--method",
      paramLabel = "NAME",
      defaultValue = "LR",
      description = "The method: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Method method;

  @Option(
      names = "--features",
      paramLabel = "SETS",
      defaultValue = "static+history",
      description =
          "Sets of features, with + between them: static, system, history, or all. Default:"
              + " ${DEFAULT-VALUE}.")
  private String features;

  @Option(
      names = "--window",
      paramLabel = "DAYS",
      defaultValue = "10",
      description = "How many days of jobs the model learns from. Default: ${DEFAULT-VALUE}.")
  private int window;

  @Mixin private TrainingOptions training;

  TrainingSettings settings(Arguments arguments) {
    return training.settings(arguments, method, TrainingOptions.sets(arguments, features), window);
  }

  /** Puts a number into an object: null if it is infinite or not known. */
  static void number(ObjectNode object, String name, double value) {
    if (Double.isFinite(value)) {
      object.put(name, value);
    } else {
      object.putNull(name);
    }
  }

  /** Says what a model was made of. */
  static Section made(FailureModel model) {
    TrainedOn of = model.trainedOn();
    return new Section(
        "What the model is made of",
        List.of(
            String.format(Locale.ROOT, "%,d jobs, of which %,d failed.", of.jobs(), of.failures()),
            String.format(
                Locale.ROOT,
                "The threshold was chosen on the %,d newest of them, which that classifier had not"
                    + " seen: %.2f %% of these are good and would have been ended%s.",
                of.checked(),
                100 * of.misjudged(),
                Double.isNaN(of.saved())
                    ? ""
                    : String.format(
                        Locale.ROOT,
                        ", and %.1f %% of the machine time of failing ones would have been saved",
                        100 * of.saved()))));
  }
}
