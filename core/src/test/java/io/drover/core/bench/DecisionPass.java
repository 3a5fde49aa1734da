// SPDX-License-Identifier: Apache-2.0
package io.drover.core.bench;

import io.drover.core.estimate.LocationFactors;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.restart.MantriRestart;
import io.drover.core.restart.RestartPolicy;
import io.drover.core.restart.RestartSettings;
import java.util.List;
import java.util.OptionalInt;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures one pass over all running tasks, of which one in fifty is slow: {@link LocationFactors}
 * that knows no bad machine yet, and {@link MantriRestart} with the default settings. Target: below
 * 50 ms for 100,000 tasks. The heap has the default size of a MapReduce AppMaster.
 *
 * <p>{@code mvn -q -pl core -Pbench test -Dbench.args="DecisionPass -f 1 -wi 3 -i 5 -w 1 -r 1"}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(jvmArgsAppend = "-Xmx1g")
public class DecisionPass {
  /** Number of running tasks. */
  @Param({"1000", "10000", "100000"})
  public int tasks;

  /** Whether tasks wait for slots, in which case the pass also computes the probabilities. */
  @Param({"false", "true"})
  public boolean tasksWait;

  private final RestartPolicy policy = new MantriRestart(RestartSettings.DEFAULT);
  private LargePhase large;
  private Demand demand;

  @Setup
  public void setUp() {
    large = new LargePhase(tasks, 300);
    demand = new Demand(tasksWait, OptionalInt.empty());
  }

  /** Makes one pass. */
  @Benchmark
  public List<Decision> decide(Blackhole machines) {
    double now = large.now + 1;
    machines.consume(new LocationFactors(2).observe(List.of(large.phase), now));
    return policy.decide(large.phase, demand, now);
  }
}
