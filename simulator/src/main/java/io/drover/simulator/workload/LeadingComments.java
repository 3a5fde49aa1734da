// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import java.io.BufferedReader;
import java.io.IOException;

/**
 * Skips comments at the beginning of a trace, such as a licence, and the blank lines around them. A
 * comment is between {@code /*} and its end, or is a line that begins with {@code //} or {@code #}.
 */
final class LeadingComments {
  /** The number of characters in which a comment must begin after the start of a line. */
  private static final int MOST_SPACES = 1 << 12;

  private final BufferedReader text;
  private int lines;

  private LeadingComments(BufferedReader text) {
    this.text = text;
  }

  /**
   * Moves to the first line, or the first sign after the end of a comment, that is none of these.
   *
   * @return the number of lines that were skipped
   * @throws IOException if a comment has no end
   */
  static int skip(BufferedReader text) throws IOException {
    LeadingComments comments = new LeadingComments(text);
    boolean more = true;
    while (more) {
      more = comments.skipOne();
    }
    return comments.lines;
  }

  /** Skips a blank line or a comment, and returns whether there was one. */
  private boolean skipOne() throws IOException {
    text.mark(MOST_SPACES + 2);
    int sign = pastSpaces();
    int next = sign == '/' ? text.read() : sign;
    if (sign == '/' && next == '*') {
      skipBlock();
      return true;
    }
    if (next == '#' || (sign == '/' && next == '/')) {
      text.readLine();
      lines++;
      return true;
    }
    if (sign == '\n') {
      lines++;
      return true;
    }
    text.reset();
    return false;
  }

  private int pastSpaces() throws IOException {
    int sign = text.read();
    for (int spaces = 1; spaces < MOST_SPACES && isSpace(sign); spaces++) {
      sign = text.read();
    }
    return sign;
  }

  private static boolean isSpace(int sign) {
    return sign != '\n' && Character.isWhitespace(sign);
  }

  /** Skips the rest of a block, and the rest of its last line if nothing else is in it. */
  private void skipBlock() throws IOException {
    int begin = lines + 1;
    int before = 0;
    for (int sign = text.read(); before != '*' || sign != '/'; sign = text.read()) {
      if (sign < 0) {
        throw new IOException(
            "the comment that begins at line " + begin + " has no end, expected */");
      }
      lines += sign == '\n' ? 1 : 0;
      before = sign;
    }
    text.mark(MOST_SPACES);
    if (pastSpaces() == '\n') {
      lines++;
    } else {
      text.reset();
    }
  }
}
