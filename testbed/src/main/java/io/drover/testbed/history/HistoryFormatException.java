// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import io.drover.core.text.ForeignText;
import java.io.IOException;

/**
 * Thrown if a history is not what Hadoop writes. The message names the file, the line or event, the
 * field, what was found, and what was expected.
 */
public final class HistoryFormatException extends IOException {
  private static final long serialVersionUID = 1;

  /** The number of characters of a wrong value that a message shows. */
  private static final int SHOWN = 60;

  HistoryFormatException(String message) {
    super(message);
  }

  HistoryFormatException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Creates an exception for a value that is wrong. */
  static HistoryFormatException wrong(String place, String field, Object found, String expected) {
    String text = String.valueOf(found);
    String shown = text.length() <= SHOWN ? text : ForeignText.cut(text, SHOWN) + "...";
    return new HistoryFormatException(
        place + ", field " + field + ": found '" + shown + "', expected " + expected);
  }
}
