// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.command.Arguments;
import io.drover.cli.command.HadoopConf;
import io.drover.cli.command.ReportCommand;
import io.drover.core.predict.EndedJob;
import io.drover.core.predict.FailureModel;
import io.drover.core.predict.FailureModel.TrainedOn;
import io.drover.core.predict.JobArrival;
import io.drover.core.predict.KeptJob;
import io.drover.core.predict.Training;
import io.drover.core.predict.TrainingSettings;
import io.drover.core.predict.evaluate.TraceReplay;
import io.drover.scheduler.predict.EndedJobStore;
import io.drover.simulator.report.SimulationReport;
import io.drover.simulator.report.SimulationReport.Section;
import io.drover.simulator.report.SimulationReport.Table;
import io.drover.simulator.report.SimulationReport.Table.Cell;
import io.drover.simulator.report.SimulationReport.Table.Column;
import io.drover.simulator.report.SimulationReport.Table.Row;
import io.drover.simulator.report.SimulationReport.Table.Style;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code drover predict train}: trains one model, and shows what it goes by. */
@Command(
    name = "train",
    header = "Train a model on the newest jobs, and show what it goes by.",
    description = {
      "",
      "Shows what the ResourceManager would learn from these jobs: how many it would end, and which"
          + " features tell most. With --out, it can begin with them.",
      ""
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
final class TrainCommand extends ReportCommand {
  private static final int SHOWN = 20;

  @Mixin private JobOptions jobs;
  @Mixin private ModelOptions model;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Write the jobs here, a directory on any Hadoop file system, for a ResourceManager whose"
              + " yarn.drover.predict.dir it is.")
  private Optional<String> kept;

  TrainCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  protected SimulationReport report(Arguments arguments) throws IOException {
    TrainingSettings settings = model.settings(arguments);
    JobTable table = jobs.read(arguments);
    List<EndedJob> ended = TraceReplay.of(table.jobs());
    double last = ended.stream().mapToDouble(EndedJob::endedAt).max().orElse(0);
    FailureModel trained =
        new Training(settings)
            .train(ended, last)
            .orElseThrow(
                () ->
                    new IOException(
                        jobs.name()
                            + " has too few jobs: a model needs 10 failing and 10 other ones in its"
                            + " window"
                            + table.skipped().inWords()));
    if (kept.isPresent()) {
      EndedJobStore store =
          new EndedJobStore(kept.get(), System.currentTimeMillis(), HadoopConf.read());
      store.add(TraceReplay.kept(table.jobs()).stream().map(TrainCommand::asApplication).toList());
    }
    return report(trained, table);
  }

  /** Returns a job of MapReduce by the id that the ResourceManager knows it by. */
  private static KeptJob asApplication(KeptJob job) {
    JobArrival of = job.arrival();
    JobArrival arrival =
        new JobArrival(
            of.id().replaceFirst("^job_", "application_"),
            of.at(),
            of.user(),
            of.queue(),
            of.program(),
            of.priority());
    return new KeptJob(arrival, job.ended(), job.isJudged(), job.isMisjudged());
  }

  private static String called(double threshold) {
    return threshold < Double.POSITIVE_INFINITY
        ? String.format(Locale.ROOT, "jobs failing whose score is above %.2f", threshold)
        : "no job failing: on so few jobs nothing shows that it would end few good ones";
  }

  private SimulationReport report(FailureModel trained, JobTable table) {
    TrainedOn of = trained.trainedOn();
    Map<String, Double> importance = trained.importance();
    ObjectNode facts = JsonNodeFactory.instance.objectNode();
    facts.put("jobs", of.jobs()).put("failures", of.failures()).put("checked", of.checked());
    facts.put("misjudged", of.misjudged());
    ModelOptions.number(facts, "threshold", trained.threshold());
    ArrayNode features = facts.putArray("features");
    importance.forEach((name, adds) -> features.addObject().put("feature", name).put("adds", adds));
    List<Row> rows =
        importance.entrySet().stream()
            .limit(SHOWN)
            .map(
                one ->
                    new Row(
                        Style.PLAIN,
                        one.getKey(),
                        List.of(
                            new Cell(
                                String.format(Locale.ROOT, "%.3f", one.getValue()),
                                Optional.empty()))))
            .toList();
    return new SimulationReport(
        "predict train",
        String.format(Locale.ROOT, "a model of %,d jobs", of.jobs()),
        String.format(
            Locale.ROOT,
            "%s: a model of %,d jobs, which calls %s",
            jobs.name(),
            of.jobs(),
            called(trained.threshold())),
        new Table(List.of(new Column("", "adds")), rows, false),
        "",
        "How much a feature adds to or takes from the score of a job, on average over the newest"
            + " jobs.",
        List.of(ModelOptions.made(trained), new Section("What the jobs are", table.notes())),
        Optional.empty(),
        Map.of("jobs", jobs.name()),
        facts);
  }
}
