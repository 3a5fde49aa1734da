// SPDX-License-Identifier: Apache-2.0
package io.drover.core.bench;

import io.drover.core.placement.Placement;
import io.drover.core.placement.PlacementProblem;
import io.drover.core.placement.RandomProblems;
import io.drover.core.placement.ReducePlacement;
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
 * Measures one placement of all reduces of a job. Target: below 10 ms for 1,000 reduces in 100
 * racks.
 *
 * <p>{@code mvn -q -pl core -Pbench test -Dbench.args="Placing -f 1 -wi 3 -i 5 -w 1 -r 1"}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(jvmArgsAppend = "-Xmx1g")
public class Placing {
  /** Number of reduces x number of racks. */
  @Param({"6x4", "30x8", "100x10", "300x30", "1000x100"})
  public String size;

  /** Seed of the random problem. The problems differ in skew, links and slots. */
  @Param({"1000", "1001", "1002"})
  public long seed;

  private final ReducePlacement solver = new ReducePlacement(1);
  private PlacementProblem problem;

  @Setup
  public void setUp() {
    String[] parts = size.split("x");
    problem = RandomProblems.of(seed, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
  }

  /** Computes one placement. */
  @Benchmark
  public Placement place() {
    return solver.place(problem);
  }
}
