// SPDX-License-Identifier: Apache-2.0
package io.drover.core.check;

import java.util.List;

/**
 * What a check has found.
 *
 * @param level how bad it is
 * @param check the stable id of the check, such as {@code topology.default-rack}; docs/doctor.md
 *     lists them
 * @param keys the keys of the settings that it is about; empty if it is about none
 * @param what what was found, with keys and values, in a phrase without a final period
 * @param advice what to do about it; empty if there is nothing to do
 */
public record Finding(Level level, String check, List<String> keys, String what, String advice) {
  /** How bad a finding is. A later level is worse. */
  public enum Level {
    /** All is well, or nothing could be found out. */
    OK,
    /** Drover works, but does less than it could, or something else than one may expect. */
    WARN,
    /** Something that is switched on does not work, or will fail. */
    WRONG
  }

  /** Copies the list. */
  public Finding {
    keys = List.copyOf(keys);
  }

  /** Creates a finding that asks for nothing. */
  public static Finding ok(String check, String what, String... keys) {
    return new Finding(Level.OK, check, List.of(keys), what, "");
  }

  /** Creates a finding that the reader should know of. */
  public static Finding warn(String check, String what, String advice, String... keys) {
    return new Finding(Level.WARN, check, List.of(keys), what, advice);
  }

  /** Creates a finding that the reader must do something about. */
  public static Finding wrong(String check, String what, String advice, String... keys) {
    return new Finding(Level.WRONG, check, List.of(keys), what, advice);
  }

  /** Returns the finding and the advice in one line, for a log. */
  public String line() {
    String text = what + (advice.isEmpty() ? "" : ". " + advice);
    return text + " [" + check + "]";
  }
}
