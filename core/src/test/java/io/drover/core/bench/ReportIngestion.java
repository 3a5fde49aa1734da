// SPDX-License-Identifier: Apache-2.0
package io.drover.core.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the processing of one progress report. Many live attempts report in turn, so that caches
 * are as cold as in an AppMaster. Target: below one microsecond, no allocation.
 *
 * <p>{@code mvn -q -pl core -Pbench test -Dbench.args="ReportIngestion -f 1 -wi 3 -i 5 -w 1 -r 1
 * -prof gc"}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "-Xmx1g")
public class ReportIngestion {
  /** Number of live attempts. */
  @Param({"1000", "10000", "100000"})
  public int attempts;

  private LargePhase large;
  private double time;
  private int next;

  @Setup
  public void setUp() {
    large = new LargePhase(attempts, 1e9); // so long that none ends during the measurement
    time = large.now;
  }

  /** Lets the next attempt report. A period passes after the last one. */
  @Benchmark
  public void report() {
    if (next == 0) {
      time += LargePhase.PERIOD;
    }
    large.report(next, time);
    next = next + 1 == attempts ? 0 : next + 1;
  }
}
