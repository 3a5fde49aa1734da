// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.Map;

/** Where the AppMaster's own decisions are written to: the job's decision log, if it has one. */
@FunctionalInterface
interface DecisionLines {
  /**
   * Writes a line.
   *
   * @param type of the line
   * @param fields its further fields, in their order
   */
  void write(String type, Map<String, Object> fields);
}
