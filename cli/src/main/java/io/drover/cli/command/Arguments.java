// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
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
    return bad(
        "unknown "
            + what
            + " '"
            + typed
            + "'; "
            + Nearest.of(typed, words)
                .map(nearest -> "did you mean '" + nearest + "'?")
                .orElse("there are " + String.join(", ", words)));
  }

  /** Whether an option was typed, and has not merely its default. */
  public boolean isTyped(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /**
   * Refuses the options that mean nothing with another one.
   *
   * @param allowed names of those that do
   * @param with the other one, as it was typed
   */
  public void refuseOthers(Set<String> allowed, String with) {
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (Arrays.stream(option.names()).noneMatch(allowed::contains)) {
        throw bad("option '" + option.names()[0] + "' means nothing with " + with);
      }
    }
  }

  /** A whole number from {@code least} to {@code most}. */
  public int number(String option, String typed, int least, int most) {
    try {
      int number = Integer.parseInt(typed);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException ignored) {
      // said below, with what it should be
    }
    throw bad(
        String.format(
            Locale.ROOT,
            "option '%s' needs a whole number from %d to %d, not '%s'",
            option,
            least,
            most,
            typed));
  }

  /**
   * A number from {@code least} to {@code most}.
   *
   * @param what it should be, for the error
   */
  public double decimal(String option, String what, String typed, double least, double most) {
    try {
      double number = Double.parseDouble(typed.strip());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException ignored) {
      // said below, with what it should be
    }
    throw bad("option '" + option + "' needs " + what + ", not '" + typed + "'");
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
