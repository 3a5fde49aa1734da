// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Drover's version, as the jar's manifest has it. */
public final class Version implements IVersionProvider {
  /** For a class path of directories, which have no manifest. */
  private static final String UNKNOWN = "(unpackaged)";

  @Override
  public String[] getVersion() {
    return new String[] {"drover " + text()};
  }

  /** The version alone. */
  public static String text() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse(UNKNOWN);
  }
}
