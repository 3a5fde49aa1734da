// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.Mode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the AppMaster's own decisions to the job's decision log, or else to the AppMaster's log.
 */
@FunctionalInterface
public interface DecisionLogSink {
  /**
   * Writes a line.
   *
   * @param type the type of the line
   * @param fields its further fields, in order
   */
  void write(String type, Map<String, Object> fields);

  /** Returns a sink for a feature that adds the feature's mode to each line. */
  default DecisionLogSink in(Mode mode) {
    return (type, fields) -> {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("mode", mode.name().toLowerCase(Locale.ROOT));
      all.putAll(fields);
      write(type, all);
    };
  }
}
