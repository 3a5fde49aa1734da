// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Reads what was typed for a command's options, and says what is wrong with it. */
public final class Arguments {
  private final CommandSpec spec;

  /** For the options of a command. */
  public Arguments(CommandSpec spec) {
    this.spec = spec;
  }

  /** An error of one sentence. */
  public ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** The error that a word is none of those that there are. */
  public ParameterException unknown(String what, String typed, Collection<String> words) {
    return bad(Nearest.unknown(what, typed, words));
  }

  /** Whether an option was typed, and has not merely its default. */
  public boolean isTyped(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Refuses options of the parent command, which a subcommand would ignore. */
  public void refuseBeforeSubcommand() {
    if (spec.parent() != null) {
      for (OptionSpec option : spec.parent().commandLine().getParseResult().matchedOptions()) {
        throw bad("option '" + option.longestName() + "' belongs behind '" + spec.name() + "'");
      }
    }
  }

  /** A number that lies in a range. */
  public int within(String option, int number, int least, int most) {
    if (number < least || number > most) {
      throw bad(
          String.format(
              Locale.ROOT,
              "option '%s' needs a whole number from %d to %d, not '%d'",
              option,
              least,
              most,
              number));
    }
    return number;
  }

  /** A file that can be read. */
  public Path input(String option, Path file) {
    if (!Files.isReadable(file)) {
      throw bad("option '" + option + "': no such file or directory (or not readable): " + file);
    }
    return file;
  }

  /** A file that can be written; better now than after minutes of runs. */
  public Path output(String option, Path file) {
    Path directory = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw bad("option '" + option + "' needs a file; this is a directory: " + file);
    }
    if (directory == null || !Files.isDirectory(directory)) {
      throw bad("option '" + option + "': no such directory: " + directory);
    }
    if (!Files.isWritable(Files.exists(file) ? file : directory)) {
      throw bad("option '" + option + "': cannot write to " + file);
    }
    return file;
  }
}
