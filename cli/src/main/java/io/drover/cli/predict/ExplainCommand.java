// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.cli.command.Arguments;
import io.drover.cli.command.ReportCommand;
import io.drover.core.predict.FailureModel;
import io.drover.core.predict.FailureModel.Reason;
import io.drover.core.predict.Training;
import io.drover.core.predict.TrainingSettings;
import io.drover.core.predict.evaluate.TraceJob;
import io.drover.core.predict.evaluate.TraceReplay;
import io.drover.core.predict.evaluate.TraceReplay.Arrived;
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
import picocli.CommandLine.Parameters;

/** {@code drover predict explain}: why a job is called failing, or not. */
@Command(
    name = "explain",
    header = "Say why a job is called failing, or not.",
    description = {
      "",
      "Trains a model on the jobs that had ended when the job arrived, and shows what each feature"
          + " adds to the job's score.",
      ""
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
final class ExplainCommand extends ReportCommand {
  private static final int SHOWN = 15;

  @Parameters(index = "0", paramLabel = "JOB", description = "The id of one of the jobs.")
  private String job;

  @Mixin private JobOptions jobs;
  @Mixin private ModelOptions model;

  ExplainCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  protected SimulationReport report(Arguments arguments) throws IOException {
    TrainingSettings settings = model.settings(arguments);
    JobTable table = jobs.read(arguments);
    Arrived arrived =
        TraceReplay.until(table.jobs(), job)
            .orElseThrow(() -> arguments.bad(jobs.name() + " has no job '" + job + "'"));
    TraceJob asked =
        table.jobs().stream()
            .filter(one -> one.arrival().id().equals(job))
            .findFirst()
            .orElseThrow();
    FailureModel trained =
        new Training(settings)
            .train(arrived.before(), asked.arrival().at())
            .orElseThrow(
                () ->
                    new IOException(
                        "too few jobs had ended when %s arrived: a model needs 10 failing and 10"
                                .formatted(job)
                            + " other jobs"));
    return report(asked, arrived, trained, table);
  }

  private SimulationReport report(
      TraceJob asked, Arrived arrived, FailureModel trained, JobTable table) {
    FailureModel.Call call = trained.call(arrived.features());
    List<Reason> reasons = trained.reasons(arrived.features());
    String verdict = call.failing() ? "is called failing" : "is not called failing";
    String outcome =
        asked.outcome().map(how -> how.name().toLowerCase(Locale.ROOT)).orElse("not known");
    ObjectNode facts = JsonNodeFactory.instance.objectNode();
    facts.put("job", job).put("failing", call.failing()).put("score", call.score());
    facts.put("outcome", outcome);
    ModelOptions.number(facts, "threshold", trained.threshold());
    ArrayNode all = facts.putArray("reasons");
    for (Reason reason : reasons) {
      ObjectNode one = all.addObject().put("feature", reason.feature()).put("adds", reason.adds());
      if (Double.isNaN(reason.value())) {
        one.putNull("value");
      } else {
        one.put("value", reason.value());
      }
    }
    List<Row> rows =
        reasons.stream()
            .limit(SHOWN)
            .map(
                reason ->
                    new Row(
                        Style.PLAIN,
                        reason.feature(),
                        List.of(cell("%.3f", reason.value()), cell("%+.3f", reason.adds()))))
            .toList();
    return new SimulationReport(
        "predict explain",
        job + " " + verdict,
        String.format(
            Locale.ROOT,
            "%s %s: its score is %.2f, and jobs above %.2f are called failing. It ended: %s",
            job,
            verdict,
            call.score(),
            trained.threshold(),
            outcome),
        new Table(List.of(new Column("", "value"), new Column("", "adds")), rows, false),
        "",
        "A score is the log-odds that a job fails. What a feature adds is compared with a job that is"
            + " average in everything, whose score is "
            + String.format(Locale.ROOT, "%.2f", trained.base())
            + ". Numbers of jobs and times are logarithms, shares log-odds.",
        List.of(ModelOptions.made(trained), new Section("What the jobs are", table.notes())),
        Optional.empty(),
        Map.of("jobs", jobs.name(), "job", job),
        facts);
  }

  private static Cell cell(String format, double value) {
    return new Cell(
        Double.isNaN(value) ? "not known" : String.format(Locale.ROOT, format, value),
        Optional.empty());
  }
}
