// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Checks the options that were typed for a command, and creates the errors for wrong ones. */
public final class Arguments {
  private final CommandSpec spec;

  /** Creates the checks for the options of a command. */
  public Arguments(CommandSpec spec) {
    this.spec = spec;
  }

  /** Creates an error with a message of one sentence. */
  public ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Creates the error for a word that is unknown, which suggests the nearest known word. */
  public ParameterException unknown(String what, String typed, Collection<String> words) {
    return bad(Nearest.unknown(what, typed, words));
  }

  /** Returns whether the user typed the option, rather than leaving its default. */
  public boolean isTyped(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Rejects options of the parent command, because a subcommand would ignore them. */
  public void refuseBeforeSubcommand() {
    if (spec.parent() != null) {
      for (OptionSpec option : spec.parent().commandLine().getParseResult().matchedOptions()) {
        throw bad("option '" + option.longestName() + "' must come after '" + spec.name() + "'");
      }
    }
  }

  /** Returns the number if it lies within the range, and throws otherwise. */
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

  /** Returns the file if it can be read, and throws otherwise. */
  public Path input(String option, Path file) {
    if (!Files.isReadable(file)) {
      throw bad("option '" + option + "': no such file or directory (or not readable): " + file);
    }
    return file;
  }

  /** Returns the file if it can be written, and throws otherwise, before any run has started. */
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

  /**
   * Returns a directory that files can be written to.
   *
   * @throws ParameterException if it cannot be made or written to
   */
  public Path directory(String option, Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw bad("option '" + option + "': no such directory can be made: " + directory);
    }
    if (!Files.isWritable(directory)) {
      throw bad("option '" + option + "': cannot write to " + directory);
    }
    return directory;
  }
}
