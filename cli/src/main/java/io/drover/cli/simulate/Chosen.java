// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A choice as it is typed: {@code KIND} or {@code KIND:FILE}.
 *
 * @param kind one of those that there are
 * @param file that belongs to it; empty for a kind that needs none
 */
record Chosen(String kind, Optional<Path> file) {

  /** A kind that needs no file. */
  static Chosen of(String kind) {
    return new Chosen(kind, Optional.empty());
  }

  /** Reads a choice. */
  static Chosen read(
      Arguments arguments, String option, String typed, List<String> alone, List<String> ofFile) {
    int colon = typed.indexOf(':');
    String kind = colon < 0 ? typed : typed.substring(0, colon);
    if (alone.contains(kind) && colon < 0) {
      return of(kind);
    }
    if (ofFile.contains(kind)) {
      if (colon < 0 || colon == typed.length() - 1) {
        throw arguments.bad(
            "option '" + option + "': " + kind + " needs a file: " + kind + ":FILE");
      }
      Path file = arguments.input(option, Path.of(typed.substring(colon + 1)));
      return new Chosen(kind, Optional.of(file));
    }
    if (alone.contains(kind)) {
      throw arguments.bad("option '" + option + "': " + kind + " takes no file");
    }
    List<String> kinds = new ArrayList<>(alone);
    kinds.addAll(ofFile);
    throw arguments.unknown(option.substring(2), kind, kinds);
  }

  @Override
  public String toString() {
    return file.map(f -> kind + ":" + f).orElse(kind);
  }
}
