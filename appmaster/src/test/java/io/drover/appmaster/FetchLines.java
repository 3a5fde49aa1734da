// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.PlacementSettings;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the measurements of one reduce cost the AppMaster: a reduce that fetched from every host,
 * for 400 s from each, in a cluster with 40 hosts a rack. Target: below 1 ms in all for 4,000
 * hosts, {@link #enqueue} (on the threads of the RPC server) and {@link #read} (on the thread that
 * reads, with the figures of all links computed anew after each reduce).
 *
 * <p>{@code mvn -q -pl appmaster -am -Pappmaster-bench -DskipTests test -Dbench.args="FetchLines -f
 * 1 -wi 5 -i 5 -w 1 -r 1"}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(jvmArgsAppend = "-Xmx1g")
public class FetchLines {
  private static final long BEGAN = 1_700_000_000_000L;
  private static final int SECONDS = 400;
  private static final int HOSTS_IN_A_RACK = 40;

  /** In the cluster. */
  @Param({"500", "4000"})
  public int hosts;

  private final TaskAttemptId reduce =
      MRBuilderUtils.newTaskAttemptId(
          MRBuilderUtils.newTaskId(
              MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), 1, TaskType.REDUCE),
          0);

  private MeasuredLinks links;
  private UmbilicalMessageQueue queue;
  private List<String> lines;

  /** Makes the lines, and a meter that has heard of all hosts. */
  @Setup
  public void setUp() {
    Fetches fetches = new Fetches();
    for (int host = 0; host < hosts; host++) {
      long start = BEGAN + host % 977;
      fetches.add(
          new Fetches.Fetch(name(host), start, start + SECONDS * 1000L, 1_000_000L + 7L * host));
    }
    lines = fetches.encode();
    links =
        new MeasuredLinks(
            new PlacementSettings(Duration.ZERO, Map.of(), Duration.ofSeconds(60)),
            host -> "/rack" + Integer.parseInt(host.substring(5, 9)) / HOSTS_IN_A_RACK,
            new ClusterChannel(),
            (type, fields) -> {});
  }

  private static String name(int host) {
    return String.format("node-%04d.rack.example.com", host);
  }

  /** A queue whose lines are forgotten. */
  @Setup(Level.Iteration)
  public void start() {
    queue =
        new UmbilicalMessageQueue(
            new UmbilicalMessageQueue.Reader() {
              @Override
              public void read(TaskAttemptId attempt, String line) {}

              @Override
              public void caughtUp() {}
            },
            () -> UserGroupInformation.createRemoteUser("user"),
            Breakers.uncounted());
    queue.init(new Configuration(false));
    queue.start();
  }

  /** Ends its thread. */
  @TearDown(Level.Iteration)
  public void stop() {
    queue.stop();
  }

  /** The part of the RPC threads: all lines of a reduce. */
  @Benchmark
  public void enqueue() {
    for (String line : lines) {
      queue.add(reduce, line);
    }
  }

  /** The part of the thread that reads: all lines of a reduce, and new figures for all links. */
  @Benchmark
  public int read() {
    for (String line : lines) {
      links.onLine("/rack0", line, BEGAN, BEGAN + 2 * SECONDS * 1000L);
    }
    links.publish();
    return links.news();
  }
}
