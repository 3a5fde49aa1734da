// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The time for which this process, all of its threads, has had a processor. */
final class ProcessorTime {
  private ProcessorTime() {}

  /** Nanoseconds; those of the clock where the JVM does not tell. */
  static long nanos() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean process) {
      long nanos = process.getProcessCpuTime();
      return nanos < 0 ? System.nanoTime() : nanos;
    }
    return System.nanoTime();
  }
}
