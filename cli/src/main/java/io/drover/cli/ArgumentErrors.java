// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import io.drover.cli.command.Nearest;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints one line that says what is wrong with the arguments and suggests the nearest word. */
final class ArgumentErrors implements IParameterExceptionHandler {
  private final PrintStream err;

  ArgumentErrors(PrintStream err) {
    this.err = err;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    err.println("drover: " + line(e));
    return CommandLine.ExitCode.USAGE;
  }

  private static String line(ParameterException e) {
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      return unmatched(unmatched.getUnmatched().get(0), spec);
    }
    if (e instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
      var argument = missing.getMissing().get(0);
      if (argument instanceof CommandLine.Model.OptionSpec option) {
        return "option '" + option.longestName() + "' needs a value: " + option.paramLabel();
      }
    }
    if (e.getCause() instanceof TypeConversionException wrong) {
      return conversion(e.getArgSpec(), wrong.getMessage());
    }
    String text =
        Optional.ofNullable(e.getMessage()).orElse(e.toString()).lines().findFirst().get();
    return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }

  private static String conversion(CommandLine.Model.ArgSpec argument, String message) {
    String text =
        message.replaceFirst("^('.*') is not an? (int|long)$", "needs a whole number, not $1");
    if (text.startsWith("unknown ") || !(argument instanceof CommandLine.Model.OptionSpec option)) {
      return text;
    }
    return "option '"
        + option.longestName()
        + "'"
        + (text.startsWith("needs ") ? " " : ": ")
        + text;
  }

  private static String unmatched(String argument, CommandSpec spec) {
    if (argument.startsWith("-")) {
      String name = argument.replaceFirst("=.*", "");
      List<String> options = spec.optionsMap().keySet().stream().sorted().toList();
      return "unknown option '" + name + "'" + instead(Nearest.of(name, longOnes(options)), spec);
    }
    if (!spec.subcommands().isEmpty()) {
      return "unknown command '"
          + argument
          + "'"
          + instead(Nearest.of(argument, spec.subcommands().keySet()), spec);
    }
    Optional<String> option = valueOf(argument, spec);
    return "unexpected argument '" + argument + "'" + instead(option, spec);
  }

  /** Guesses the option that a word was meant for: one with this value, or of similar name. */
  private static Optional<String> valueOf(String argument, CommandSpec spec) {
    for (var option : spec.options()) {
      if (option.completionCandidates() != null) {
        for (String candidate : option.completionCandidates()) {
          if (candidate.equals(argument)) {
            return Optional.of(option.longestName() + " " + candidate);
          }
        }
      }
    }
    return Nearest.of(argument, longOnes(List.copyOf(spec.optionsMap().keySet())));
  }

  private static List<String> longOnes(List<String> options) {
    return options.stream().filter(o -> o.startsWith("--")).toList();
  }

  private static String instead(Optional<String> nearest, CommandSpec spec) {
    return nearest
        .map(word -> "; did you mean '" + word + "'?")
        .orElse("; see '" + spec.qualifiedName() + " --help'");
  }
}
