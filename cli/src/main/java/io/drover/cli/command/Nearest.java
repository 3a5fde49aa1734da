// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that the user most likely meant to type. */
public final class Nearest {
  private Nearest() {}

  /**
   * Returns the word nearest to the typed one: the first that begins with it, or else the one with
   * the fewest wrong letters. At most a third of a word's letters, but at least one, may be wrong.
   */
  public static Optional<String> of(String typed, Collection<String> words) {
    String low = typed.toLowerCase(Locale.ROOT);
    Optional<String> begun =
        bare(low).length() < 2
            ? Optional.empty()
            : words.stream().filter(w -> bare(w).startsWith(bare(low))).findFirst();
    return begun.or(
        () ->
            words.stream()
                .filter(w -> distance(bare(low), bare(w)) <= Math.max(1, bare(w).length() / 3))
                .min(Comparator.comparingInt(w -> distance(bare(low), bare(w)))));
  }

  /** Returns the message about an unknown word. It suggests the nearest word, or else lists all. */
  public static String unknown(String what, String typed, Collection<String> words) {
    return "unknown "
        + what
        + " '"
        + typed
        + "'; "
        + of(typed, words)
            .map(nearest -> "did you mean '" + nearest + "'?")
            .orElse("choose from " + String.join(", ", words));
  }

  /** Strips leading dashes, so that {@code -all} matches {@code --all}. */
  private static String bare(String word) {
    int start = 0;
    while (start < word.length() && word.charAt(start) == '-') {
      start++;
    }
    return word.substring(start);
  }

  /** Counts letters to insert, delete, change or swap with a neighbour (Damerau, Levenshtein). */
  static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(d[i - 1][j - 1] + change, Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1));
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
