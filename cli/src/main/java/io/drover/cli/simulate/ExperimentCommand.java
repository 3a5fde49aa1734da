// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.cli.command.Nearest;
import io.drover.cli.command.ReportCommand;
import io.drover.cli.simulate.ClusterOptions.RepeatOptions;
import io.drover.simulator.engine.StepProgress;
import io.drover.simulator.experiment.Experiment;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult;
import io.drover.simulator.experiment.Experiments;
import io.drover.simulator.report.ExperimentReport;
import io.drover.simulator.report.SimulationReport;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code drover simulate experiment}: compares a paper's results with those of the simulator. */
@Command(
    name = "experiment",
    header = "Compute a table or figure of a paper, and compare it with the published one.",
    description = {"", "Without a name, it lists all experiments.", ""},
    sortOptions = false,
    usageHelpAutoWidth = true)
final class ExperimentCommand extends ReportCommand {
  /** Parses the name of an experiment, and lists all names for completion. */
  static final class Name implements ITypeConverter<Experiment>, Iterable<String> {
    @Override
    public Experiment convert(String typed) {
      return Experiments.of(typed)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      Nearest.unknown("experiment", typed, Experiments.names())));
    }

    @Override
    public Iterator<String> iterator() {
      return Experiments.names().iterator();
    }
  }

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      converter = Name.class,
      completionCandidates = Name.class,
      description = "The paper and the number of its figure: ${COMPLETION-CANDIDATES}.")
  private Optional<Experiment> experiment;

  @Mixin private RepeatOptions repeats;

  ExperimentCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() throws IOException {
    if (experiment.isPresent()) {
      return super.call();
    }
    out().print(ExperimentReport.list());
    return 0;
  }

  @Override
  protected SimulationReport report(Arguments arguments) throws IOException {
    Experiment chosen = experiment.orElseThrow();
    int repeat = repeats.repeat(arguments);
    List<String> steps =
        Collections.nCopies(repeat, chosen.steps()).stream().flatMap(List::stream).toList();
    List<ExperimentResult> results = new ArrayList<>();
    try (SimulateProgress progress = SimulateProgress.of(steps, terminal())) {
      for (int i = 0; i < repeat; i++) {
        long seed = repeats.seed() + i;
        StepProgress shown = repeat == 1 ? progress : new OfSeed(progress, seed);
        results.add(chosen.run(new ExperimentSettings(seed, shown)));
      }
    }
    return ExperimentReport.of(chosen, repeats.seed(), results);
  }

  /** Adds the seed to the name of each step. */
  private record OfSeed(StepProgress all, long seed) implements StepProgress {
    @Override
    public void doing(String what) {
      all.doing(what);
    }

    @Override
    public void begin(int parts) {
      all.begin(parts);
    }

    @Override
    public void ended(int parts) {
      all.ended(parts);
    }

    @Override
    public void end(String step) {
      all.end(step + ", seed " + seed);
    }
  }
}
