// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.Mode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Takes the AppMaster's own decisions for the decision log: the job's decision log, if it has one.
 */
@FunctionalInterface
interface DecisionLogSink {
  /**
   * Writes a line.
   *
   * @param type of the line
   * @param fields its further fields, in their order
   */
  void write(String type, Map<String, Object> fields);

  /** The same, for a feature in a mode: each line says in which. */
  default DecisionLogSink in(Mode mode) {
    return (type, fields) -> {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("mode", mode.name().toLowerCase(Locale.ROOT));
      all.putAll(fields);
      write(type, all);
    };
  }
}
