// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.simulator.scheme.Schemes;
import picocli.CommandLine.Option;

/** The one scheme that a command runs. */
final class SchemeOption {
  @Option(
      names = "--scheme",
      paramLabel = "NAME",
      defaultValue = "drover",
      converter = Choices.SchemeName.class,
      completionCandidates = Choices.SchemeName.class,
      description = "The scheme: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private String scheme;

  String name(Arguments arguments) {
    if (scheme.equals(Schemes.BASELINE)) {
      throw arguments.bad("option '--scheme' needs a scheme that does something, not 'none'");
    }
    return scheme;
  }
}
