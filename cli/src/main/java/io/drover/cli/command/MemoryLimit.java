// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

/** Says, of what has run out of memory, how much there was, and how to get more. */
public final class MemoryLimit {
  private MemoryLimit() {}

  /** Returns the sentence, but for its subject. */
  public static String isExceeded() {
    return "needs more than the %d MB that this JVM may use; DROVER_OPTS=-Xmx4g allows more"
        .formatted(Runtime.getRuntime().maxMemory() >> 20);
  }
}
