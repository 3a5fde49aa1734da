// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.cli.command.ReportCommand;
import io.drover.cli.simulate.ClusterOptions.SchemeOption;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.Setting;
import io.drover.simulator.replay.SimulationOptions;
import io.drover.simulator.replay.Sweep;
import io.drover.simulator.replay.Swept;
import io.drover.simulator.report.SimulationReport;
import io.drover.simulator.report.SweepReport;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code drover simulate sweep}: compares the values of settings. */
@Command(
    name = "sweep",
    header = "Run one scheme at several values of a setting, and compare them with its default.",
    description = {
      "",
      "A setting without values runs at its default, at half, twice and four times its default, and"
          + " at the least value that is allowed.",
      ""
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
final class SweepCommand extends ReportCommand {
  /** Sweeps every setting that has a range and is not set by {@code --set}. */
  private static final String ALL = "all";

  /** Lists the names of settings for completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Swept.names().iterator();
    }
  }

  @Parameters(
      arity = "1..*",
      paramLabel = "NAME[=V,...]",
      completionCandidates = Names.class,
      description = "A key, or one of ${COMPLETION-CANDIDATES}; 'all' sweeps all of these.")
  private List<String> typed;

  @Mixin private SchemeOption scheme;
  @Mixin private WorkloadOptions workload;

  SweepCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  protected SimulationReport report(Arguments arguments) throws IOException {
    SimulationOptions options = workload.options(arguments);
    List<Swept> swept = typed.contains(ALL) ? all(arguments, options) : named(arguments, options);
    Sweep sweep = new Sweep(options, scheme.name(arguments), swept);
    try (SimulateProgress progress = SimulateProgress.of(sweep.replays().steps(), terminal())) {
      return SweepReport.of(sweep.run(progress, System::nanoTime));
    }
  }

  private List<Swept> all(Arguments arguments, SimulationOptions options) {
    if (typed.size() > 1) {
      throw arguments.bad("'all' sweeps every setting; name no other setting with it");
    }
    return Swept.settings().stream()
        .filter(setting -> !options.settings().containsKey(setting.key()))
        .map(setting -> around(arguments, setting))
        .toList();
  }

  private List<Swept> named(Arguments arguments, SimulationOptions options) {
    List<Swept> all = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (String text : typed) {
      Swept swept = read(arguments, text);
      if (!keys.add(swept.key())) {
        throw arguments.bad(swept.name() + " is swept twice");
      }
      if (options.settings().containsKey(swept.key())) {
        throw arguments.bad(swept.name() + " is both swept and set with --set");
      }
      all.add(swept);
    }
    return all;
  }

  private static Swept read(Arguments arguments, String text) {
    int equals = text.indexOf('=');
    String name = (equals < 0 ? text : text.substring(0, equals)).strip();
    if (name.equals(ALL)) {
      throw arguments.bad("'all' takes no values");
    }
    List<String> words = new ArrayList<>(Swept.names());
    words.add(ALL);
    Setting<?> setting =
        Swept.setting(name).orElseThrow(() -> arguments.unknown("setting", name, words));
    return equals < 0
        ? around(arguments, setting)
        : given(arguments, setting, text.substring(equals + 1));
  }

  private static Swept given(Arguments arguments, Setting<?> setting, String text) {
    List<String> values = List.of(text.split(",", -1));
    if (values.stream().anyMatch(String::isBlank)) {
      throw arguments.bad(
          Swept.name(setting) + " needs values, separated by commas, not '" + text + "'");
    }
    try {
      return checked(arguments, Swept.of(setting, values));
    } catch (BadSettingException e) {
      throw arguments.bad(e.getMessage());
    }
  }

  private static Swept around(Arguments arguments, Setting<?> setting) {
    try {
      return checked(arguments, Swept.around(setting));
    } catch (BadSettingException e) {
      throw new IllegalStateException("a value around a default is out of range", e);
    }
  }

  private static Swept checked(Arguments arguments, Swept swept) {
    if (swept.values().size() < 2) {
      throw arguments.bad(
          swept.name() + " needs a value other than its default, " + swept.byDefault());
    }
    return swept;
  }
}
