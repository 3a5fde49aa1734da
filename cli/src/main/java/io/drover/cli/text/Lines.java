// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines for a terminal. */
public final class Lines {
  /** The usual terminal's. */
  private static final int WIDTH = 80;

  private Lines() {}

  /** Text behind a head; further lines begin below its first word. A % stays with its number. */
  public static List<String> hanging(String head, String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(head);
    for (String word : text.split(" (?!%)")) {
      boolean first = line.length() == head.length();
      if (!first && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(" ".repeat(head.length()));
        first = true;
      }
      line.append(first ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
