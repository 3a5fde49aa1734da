// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The option that lets a JVM ask for its heap in huge pages, where Linux grants them. A process
 * that lives for seconds spends much of its time on the first touch of each page, above all on a
 * virtual machine whose page tables are its host's: there huge ones save a task of the demo a
 * quarter of its processor time.
 */
final class HugePages {
  private static final Path SWITCH = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

  private HugePages() {}

  /** What a JVM is to be started with on this machine. */
  static List<String> options() throws IOException {
    return Files.isReadable(SWITCH) ? options(Files.readString(SWITCH)) : List.of();
  }

  /** The same for what the kernel says, such as {@code always [madvise] never}. */
  static List<String> options(String state) {
    // Where there are none, a JVM that asks for them complains.
    boolean granted = state.contains("[madvise]") || state.contains("[always]");
    return granted ? List.of("-XX:+UseTransparentHugePages") : List.of();
  }
}
