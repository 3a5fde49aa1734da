// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.quarantine;

import com.fasterxml.jackson.databind.JsonNode;
import io.drover.cli.command.Arguments;
import io.drover.cli.command.HadoopConf;
import io.drover.core.config.Setting;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code drover quarantine}: shows and changes which machines get no new containers. */
@Command(
    name = "quarantine",
    header = "Show, begin and end quarantines of machines.",
    description = {
      "",
      "A machine in quarantine gets no new containers; those that it has go on. The cluster is that"
          + " of HADOOP_CONF_DIR. Its ResourceManagers need Drover's scheduler and web services"
          + " (docs/quarantine.md). Only administrators (yarn.admin.acl) may begin and end"
          + " quarantines.",
      ""
    },
    mixinStandardHelpOptions = true,
    commandListHeading = "%nCommands:%n",
    synopsisSubcommandLabel = "COMMAND",
    footer = "%n'drover quarantine COMMAND --help' shows the help of a command.",
    usageHelpAutoWidth = true)
public final class QuarantineCommand implements Runnable {
  @Spec private CommandSpec spec;

  private QuarantineCommand() {}

  /**
   * Creates the command with its subcommands.
   *
   * @param environment names the configuration that says where the ResourceManagers are
   */
  public static CommandLine commandLine(PrintStream out, Map<String, String> environment) {
    return new CommandLine(new QuarantineCommand())
        .addSubcommand(new ListCommand(out, environment))
        .addSubcommand(new AddCommand(out, environment))
        .addSubcommand(new LiftCommand(out, environment));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  private static QuarantineClient client(CommandSpec spec, Map<String, String> environment) {
    HadoopConf.complaint(environment)
        .ifPresent(
            complaint -> {
              throw new Arguments(spec).bad(complaint);
            });
    return QuarantineClient.of(HadoopConf.read(environment));
  }

  /** Prints the machines in quarantine, one a line. */
  private static void print(JsonNode quarantine, PrintStream out) {
    String mode = quarantine.path("mode").asText();
    boolean isOff = quarantine.path("off").asBoolean();
    if (isOff) {
      out.println(
          "Errors have switched the quarantine off, and all machines get containers. Drover tries"
              + " it again within a minute. The ResourceManager's log says why.");
    }
    JsonNode machines = quarantine.path("machines");
    if (machines.isEmpty()) {
      out.printf("No machine is in quarantine (yarn.drover.quarantine.mode is %s).%n", mode);
    }
    for (JsonNode machine : machines) {
      out.printf(
          Locale.ROOT,
          "%s  %s  %s left  number %d  %s%n",
          machine.path("machine").asText(),
          isOff ? "open" : state(machine, mode),
          left(machine.path("leftSeconds").asDouble()),
          machine.path("times").asInt(),
          machine.path("why").asText());
    }
  }

  private static String state(JsonNode machine, String mode) {
    if (machine.path("closed").asBoolean()) {
      return "closed";
    }
    boolean isOrdered = machine.path("cause").asText().equals("operator");
    return mode.equals("observe") && !isOrdered ? "observed" : "waived";
  }

  private static String left(double seconds) {
    long minutes = Math.max(1, Math.round(seconds / 60));
    return minutes < 120 ? minutes + " min" : Math.round(minutes / 60.0) + " h";
  }

  @Command(
      name = "list",
      header = "List the machines in quarantine.",
      description = {
        "",
        "closed: the machine gets no new containers. observed: it would get none if"
            + " yarn.drover.quarantine.mode were on. waived: it gets some for now, because more than"
            + " half of the machines of the cluster, the partition or the rack would be closed. open: it"
            + " gets some for now, because errors have switched the quarantine off.",
        ""
      },
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  private static final class ListCommand implements Runnable {
    private final PrintStream out;
    private final Map<String, String> environment;

    @Spec private CommandSpec spec;

    ListCommand(PrintStream out, Map<String, String> environment) {
      this.out = out;
      this.environment = environment;
    }

    @Override
    public void run() {
      print(client(spec, environment).list(), out);
    }
  }

  @Command(
      name = "add",
      header = "Quarantine a machine.",
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  private static final class AddCommand implements Runnable {
    private final PrintStream out;
    private final Map<String, String> environment;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "MACHINE", description = "Its name, as the ResourceManager shows it.")
    private String machine;

    @Option(
        names = "--for",
        paramLabel = "TIME",
        converter = DurationConverter.class,
        description =
            "How long, such as 90m or 2d; at most 30d. Default: yarn.drover.quarantine.time.")
    private Optional<Duration> length;

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        description = "Why, for the page and the ResourceManager's log.")
    private Optional<String> reason;

    AddCommand(PrintStream out, Map<String, String> environment) {
      this.out = out;
      this.environment = environment;
    }

    @Override
    public void run() {
      print(client(spec, environment).add(machine, length, reason), out);
    }
  }

  @Command(
      name = "lift",
      header = "End a machine's quarantine.",
      description = {
        "",
        "Its earlier quarantines are forgotten, so the next one is as short as a first one.",
        ""
      },
      mixinStandardHelpOptions = true,
      usageHelpAutoWidth = true)
  private static final class LiftCommand implements Runnable {
    private final PrintStream out;
    private final Map<String, String> environment;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "MACHINE", description = "Its name, as the ResourceManager shows it.")
    private String machine;

    LiftCommand(PrintStream out, Map<String, String> environment) {
      this.out = out;
      this.environment = environment;
    }

    @Override
    public void run() {
      print(client(spec, environment).lift(machine), out);
    }
  }

  /** Reads a time as it is written in settings. */
  private static final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      Duration time;
      try {
        time = Setting.durationOf(text);
      } catch (IllegalArgumentException e) {
        throw refusal(text);
      }
      if (time.isZero() || !time.equals(Duration.ofSeconds(time.toSeconds()))) {
        throw refusal(text);
      }
      return time;
    }

    private static TypeConversionException refusal(String text) {
      return new TypeConversionException(
          "needs a whole number of at least 1 and s, m, h or d, not '" + text + "'");
    }
  }
}
