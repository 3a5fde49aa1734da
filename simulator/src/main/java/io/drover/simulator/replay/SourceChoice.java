// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where jobs or their slowness come from.
 *
 * @param kind of the source
 * @param file that it reads; empty for a kind that needs none
 */
public record SourceChoice(String kind, Optional<Path> file) {
  /** A kind that needs no file. */
  public static SourceChoice of(String kind) {
    return new SourceChoice(kind, Optional.empty());
  }

  /** As people type it: {@code KIND} or {@code KIND:FILE}. */
  @Override
  public String toString() {
    return file.map(f -> kind + ":" + f).orElse(kind);
  }
}
