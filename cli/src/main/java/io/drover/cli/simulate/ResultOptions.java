// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Where what came of {@code drover simulate} goes. */
final class ResultOptions {
  @Option(
      names = {"--html", "--report"},
      paramLabel = "FILE",
      description = "Write a page with the pictures here.")
  private Path html;

  @Option(
      names = "--json",
      description = "Print one JSON object on standard output, and all else on standard error.")
  private boolean json;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show stack traces of errors.")
  @SuppressWarnings("unused") // Main asks the parser for it
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("unused") // picocli reads it
  private boolean help;

  /** Whether one JSON object is wished. */
  boolean json() {
    return json;
  }

  /** Where the page goes, if there is to be one. */
  Optional<Path> html(Arguments arguments) {
    return Optional.ofNullable(html).map(page -> arguments.output("--html", page));
  }

  /** Prints the table, and the object if it is wished: then that alone is on standard output. */
  void print(PrintStream out, PrintStream err, String table, Supplier<String> object) {
    (json ? err : out).print(table);
    if (json) {
      out.println(object.get());
    }
    if (html != null) {
      err.println("The picture: " + html.toAbsolutePath().normalize());
    }
  }
}
