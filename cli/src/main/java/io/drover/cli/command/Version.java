// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Reads Drover's version from the manifest of its jar. */
public final class Version implements IVersionProvider {
  /** The version if the classes are in a directory, which has no manifest. */
  private static final String UNKNOWN = "(unpackaged)";

  @Override
  public String[] getVersion() {
    return new String[] {"drover " + text()};
  }

  /** Returns the version without the program's name. */
  public static String text() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse(UNKNOWN);
  }
}
