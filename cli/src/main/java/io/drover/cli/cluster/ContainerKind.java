// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.cluster;

import java.util.Locale;

/** What runs in a MapReduce job's containers; each kind has its JVM arguments. */
enum ContainerKind {
  AM,
  MAP,
  REDUCE;

  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
