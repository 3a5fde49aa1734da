// SPDX-License-Identifier: Apache-2.0
package io.drover.core.bench;

import io.drover.core.sampling.OutputChoice;
import io.drover.core.sampling.OutputChoice.ChosenOutputs;
import io.drover.core.sampling.OutputProblem;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
 * Measures one choice of the K outputs that reduces read. Target: below 5 ms for 10,000 of 11,000
 * outputs in 100 racks.
 *
 * <p>{@code mvn -q -pl core -Pbench test -Dbench.args="ChoosingOutputs -f 1 -wi 3 -i 5 -w 1 -r 1"}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(jvmArgsAppend = "-Xmx1g")
public class ChoosingOutputs {
  private static final int RACKS = 100;

  /** K, of 1.1 times as many outputs. */
  @Param({"100", "1000", "10000"})
  public int needed;

  /** Whether outputs have different sizes. */
  @Param({"false", "true"})
  public boolean sizes;

  private OutputProblem problem;
  private List<Integer> racks;

  @Setup
  public void setUp() {
    SplittableRandom random = new SplittableRandom(11);
    int outputs = needed + needed / 10;
    double[] weights = random.doubles(RACKS).map(u -> Math.exp(2 * u)).toArray();
    double all = Arrays.stream(weights).sum();
    int[] rack =
        IntStream.range(0, outputs).map(i -> drawn(weights, random.nextDouble() * all)).toArray();
    double[] bytes = random.doubles(outputs, 1e6, sizes ? 100e6 : 1.0001e6).toArray();
    double[] share = new double[RACKS];
    Arrays.fill(share, 1.0 / RACKS);
    double[] links = random.doubles(RACKS, 50e6, 500e6).toArray();
    problem = new OutputProblem(needed, rack, bytes, share, links, links);
    racks = Arrays.stream(rack).boxed().toList();
  }

  private static int drawn(double[] weights, double at) {
    double rest = at;
    int rack = 0;
    while (rack < weights.length - 1 && rest >= weights[rack]) {
      rest -= weights[rack];
      rack++;
    }
    return rack;
  }

  /** Chooses the outputs that load the busiest link least. */
  @Benchmark
  public ChosenOutputs leastLoaded() {
    return OutputChoice.leastLoaded(problem);
  }

  /** Chooses as the paper does. */
  @Benchmark
  public List<Integer> roundRobin() {
    return OutputChoice.roundRobin(racks, needed);
  }
}
