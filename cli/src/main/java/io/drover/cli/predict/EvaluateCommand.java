// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import io.drover.cli.command.Arguments;
import io.drover.cli.command.ReportCommand;
import io.drover.cli.progress.CountedProgress;
import io.drover.core.predict.EndedJob;
import io.drover.core.predict.FeatureSet;
import io.drover.core.predict.TrainingSettings;
import io.drover.core.predict.evaluate.Evaluation;
import io.drover.core.predict.evaluate.JudgedJob;
import io.drover.core.predict.evaluate.TraceReplay;
import io.drover.core.predict.evaluate.WalkForward;
import io.drover.core.predict.model.Method;
import io.drover.simulator.report.SimulationReport;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drover predict evaluate}: scores models on jobs that they have not seen. */
@Command(
    name = "evaluate",
    header = "Score predictions on jobs that have ended.",
    description = {
      "",
      "Goes through the jobs in the order of their arrival. At the end of each period a model is"
          + " trained on the jobs that had ended by then, and judges those that arrive in the next"
          + " one. Compares methods, sets of features and windows.",
      ""
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
final class EvaluateCommand extends ReportCommand {
  private static final double DAY = 86_400;

  @Mixin private JobOptions jobs;

  @Option(
      names = "--method",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "LDA,ELDA,QDA,LR",
      description = "The methods: ${COMPLETION-CANDIDATES}. Default: all.")
  private List<Method> methods;

  @Option(
      names = "--features",
      paramLabel = "SETS",
      split = ",",
      defaultValue = "static+history",
      description =
          "Sets of features, with + between those of one model: static, system, history, or all."
              + " Default: ${DEFAULT-VALUE}.")
  private List<String> features;

  @Option(
      names = "--window",
      paramLabel = "DAYS",
      split = ",",
      defaultValue = "10",
      description = "How many days of jobs a model learns from. Default: ${DEFAULT-VALUE}.")
  private List<Integer> windows;

  @Option(
      names = "--retrain",
      paramLabel = "HOURS",
      defaultValue = "24",
      description = "How often a model is trained. Default: ${DEFAULT-VALUE}.")
  private int retrain;

  @Option(
      names = "--from-day",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Count only jobs that arrive this many days after the first one, or later. Default:"
              + " ${DEFAULT-VALUE}.")
  private int fromDay;

  @Mixin private TrainingOptions training;

  EvaluateCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  protected SimulationReport report(Arguments arguments) throws IOException {
    arguments.within("--retrain", retrain, 1, 24 * 30);
    arguments.within("--from-day", fromDay, 0, 10_000);
    Map<String, TrainingSettings> variants = variants(arguments);
    JobTable table = jobs.read(arguments);
    List<EndedJob> ended = TraceReplay.of(table.jobs());
    double from = ended.isEmpty() ? 0 : ended.get(0).submittedAt() + fromDay * DAY;
    Map<String, Evaluation> evaluations = new LinkedHashMap<>();
    Duration period = Duration.ofHours(retrain);
    int periods = new WalkForward(TrainingSettings.DEFAULT, period, () -> {}).periods(ended);
    try (CountedProgress progress =
        new CountedProgress("predict", periods * variants.size(), 0, "", terminal())) {
      for (Map.Entry<String, TrainingSettings> variant : variants.entrySet()) {
        progress.doing(variant.getKey());
        TrainingSettings settings = variant.getValue();
        List<JudgedJob> judged =
            new WalkForward(settings, period, progress::done)
                .judge(ended).stream().filter(job -> job.job().submittedAt() >= from).toList();
        if (!judged.isEmpty()) {
          evaluations.put(
              variant.getKey(),
              new Evaluation(judged, settings.graceSeconds(), new SplittableRandom(1)));
        }
      }
    }
    if (evaluations.isEmpty()) {
      throw new IOException(
          jobs.name()
              + " has too few jobs: no model could be trained before any job arrived. A model needs"
              + " 10 failing and 10 other jobs, and judges those of later periods (--retrain)."
              + table.skipped().inWords());
    }
    for (String variant : variants.keySet()) {
      if (!evaluations.containsKey(variant)) {
        table.notes().add("No model could be trained for " + variant + ": too few jobs.");
      }
    }
    long going = table.jobs().stream().filter(job -> job.outcome().isEmpty()).count();
    if (going > 0) {
      table.notes().add(going + " jobs had not ended, or nobody knows how; they are not judged.");
    }
    return new EvaluationReport(jobs.name(), table, ended, variants, evaluations).report();
  }

  private Map<String, TrainingSettings> variants(Arguments arguments) {
    Map<String, TrainingSettings> variants = new LinkedHashMap<>();
    for (Method method : methods) {
      for (String typed : features) {
        Set<FeatureSet> sets = TrainingOptions.sets(arguments, typed);
        for (int window : windows) {
          List<String> name = new ArrayList<>(List.of(method.name()));
          if (features.size() > 1) {
            name.add(TrainingOptions.text(sets));
          }
          if (windows.size() > 1) {
            name.add(window + "d");
          }
          variants.put(String.join(" ", name), training.settings(arguments, method, sets, window));
        }
      }
    }
    return variants;
  }
}
