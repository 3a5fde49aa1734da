// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.speculator.DroverCounter;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the tests' jobs have in common. */
public final class JobsUnderTest {
  /**
   * How long a test waits for what is sure to come, such as the end of a process. It takes seconds;
   * where many processes want the same two processors, a minute and more.
   */
  public static final Duration LIMIT = Duration.ofMinutes(3);

  private static final int BYTES_OF_A_MAP = 150_000;
  private static final Duration REDUCE_TIME = Duration.ofSeconds(3);

  /** Lines of a decision log that are told of a job that has failed. */
  private static final int LAST = 60;

  private JobsUnderTest() {}

  /**
   * The demo's job of a fault with less work for the processors: with fewer tasks, each of which
   * starts a JVM, and less text, at the pace of its large jobs. It may leave a node out, see {@link
   * #onAllNodes}; and it is small enough to be cloned where clones are not told otherwise.
   */
  public static DemoJobSpec lean(Scenario scenario) {
    return lean(scenario, Math.min(6, DemoJobSpec.of(scenario).maps()));
  }

  /** As {@link #lean}, but with a map on every node, as the demo's. */
  static DemoJobSpec onAllNodes(Scenario scenario) {
    return lean(scenario, DemoJobSpec.of(scenario).maps());
  }

  /**
   * What is slow to be rescued is three times as slow as in the demo: where six processes take half
   * a minute to start, eight times the few seconds of a map are soon less than a new attempt needs.
   */
  private static DemoJobSpec lean(Scenario scenario, int maps) {
    DemoJobSpec demo = DemoJobSpec.of(scenario);
    boolean isRescued = scenario == Scenario.SLOW_NODE || scenario == Scenario.SLOW_ATTEMPT;
    return demo.with()
        .slowdown(isRescued ? 3 * demo.slowdown() : demo.slowdown())
        .tasks(maps, 1)
        .bytesPerMap(BYTES_OF_A_MAP, demo.spread())
        .pace(demo.mapTime(), REDUCE_TIME)
        .build();
  }

  /** The same with shorter tasks, where nobody has to rescue one. */
  static DemoJobSpec shorter(DemoJobSpec spec) {
    return spec.with().pace(Duration.ofSeconds(3), Duration.ofSeconds(1)).build();
  }

  /** A small job in which nothing goes wrong. */
  static DemoJobSpec quick() {
    return lean(Scenario.NONE)
        .with()
        .tasks(2, 1)
        .pace(Duration.ofSeconds(1), Duration.ofSeconds(1))
        .build();
  }

  /** Returns a counter of Drover's. */
  public static long counter(RunResult result, DroverCounter counter) {
    return result.counters().getOrDefault(DroverCounter.class.getName() + "/" + counter.name(), 0L);
  }

  /** The lines of one type in the decision log of a job. */
  public static List<String> lines(RunResult result, String type) {
    return result.decisions().stream()
        .filter(line -> line.contains("\"type\":\"" + type + '"'))
        .toList();
  }

  /** The job has succeeded, and no step of Drover's has failed in it and been left out. */
  public static RunResult succeeded(RunResult result) {
    assertThat(result.succeeded()).as(() -> story(result)).isTrue();
    assertThat(lines(result, "failures")).as(() -> story(result)).isEmpty();
    return result;
  }

  /**
   * All that may tell why a job did what it did; nothing else is left when its cluster is closed.
   */
  public static String story(RunResult result) {
    List<String> lines = new ArrayList<>();
    lines.add(result.jobId() + " ended as " + result.state() + ": " + result.diagnostics());
    result.attempts().forEach(attempt -> lines.add(attempt.toString()));
    List<String> decisions = result.decisions();
    lines.addAll(decisions.subList(Math.max(0, decisions.size() - LAST), decisions.size()));
    return String.join(System.lineSeparator(), lines);
  }
}
