// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.evidence;

import io.drover.core.config.Mode;
import io.drover.core.config.SlowNodeSettings;
import io.drover.core.containment.CircuitBreaker;
import io.drover.scheduler.containment.DaemonExecutors;
import io.drover.scheduler.containment.FatalErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;

/**
 * The nodes that others call slow: operators, in a file, and HDFS. Each of the two is asked by a
 * thread of its own, because a file system may take minutes to answer. While a source fails, its
 * last answer holds; after several failures in a row, it names no node for a minute ({@link
 * CircuitBreaker}). While a source does not answer at all, its last answer holds for half an hour.
 */
public final class SlowNodes {
  private static final Duration FILE_PERIOD = Duration.ofSeconds(10);
  private static final Duration HDFS_PERIOD = Duration.ofMinutes(5);

  /** As often as DataNodes report by default: HDFS itself believes a report three times as long. */
  private static final Duration HOLDS = Duration.ofMinutes(30);

  private final Watch file;
  private final Watch hdfs;
  private final Duration hdfsPeriod;
  private SlowNodeSettings settings = new SlowNodeSettings(Optional.empty(), Mode.OFF, Mode.OFF);
  private volatile Mode hdfsMode = Mode.OFF;
  private Configuration conf;

  /** Somebody who names slow nodes. */
  interface Source {
    /** Returns the slow nodes now: the name of each, and all of its names. May block. */
    Map<String, Set<String>> hosts() throws IOException;
  }

  /**
   * Creates watches that have not begun.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  public SlowNodes(LongSupplier nanos) {
    this(nanos, HDFS_PERIOD);
  }

  /**
   * Creates watches that have not begun.
   *
   * @param hdfsPeriod the time between an answer of HDFS and the next question
   */
  SlowNodes(LongSupplier nanos, Duration hdfsPeriod) {
    this.hdfsPeriod = hdfsPeriod;
    file = new Watch("Reading the file of slow nodes", "named by an operator", nanos);
    hdfs = new Watch("Asking HDFS for slow nodes", "slow as a DataNode, by HDFS", nanos);
  }

  /** Applies settings, at the start or later. */
  public synchronized void configure(SlowNodeSettings now) {
    boolean isOther = !now.equals(settings);
    settings = now;
    hdfsMode = now.hdfs();
    if (conf != null && isOther) {
      begin();
    }
  }

  /** Begins to ask. */
  public synchronized void start(Configuration of) {
    conf = of;
    begin();
  }

  private void begin() {
    settings
        .file()
        .ifPresentOrElse(path -> file.begin(new SlowNodeFile(path), FILE_PERIOD), file::end);
    if (settings.hdfs() == Mode.OFF) {
      hdfs.end();
    } else {
      Configuration now = conf;
      hdfs.begin(() -> SlowDatanodes.hosts(now), hdfsPeriod);
    }
  }

  /** Ends, without waiting for an answer that may be outstanding. */
  public synchronized void stop() {
    conf = null;
    file.end();
    hdfs.end();
  }

  /** Returns whether somebody calls a node slow. Never blocks. */
  public boolean isAnyNamed() {
    return !file.hosts().isEmpty() || !hdfs.hosts().isEmpty();
  }

  /** Returns the cluster's machines of which AppMasters are told, and why each is slow. */
  public Map<String, String> told(MachineNames cluster) {
    Map<String, String> told = new TreeMap<>();
    if (hdfsMode == Mode.ON) {
      hdfs.among(cluster, told);
    }
    file.among(cluster, told);
    return told;
  }

  /**
   * Returns all that somebody calls slow, and why: machines of the cluster, and names that none of
   * them has.
   */
  public Map<String, String> all(MachineNames cluster) {
    Map<String, String> all = new TreeMap<>();
    for (Watch watch : List.of(hdfs, file)) { // the operators' word comes last, and stays
      watch.among(cluster, all).forEach(unknown -> all.put(unknown, watch.why));
    }
    return all;
  }

  /** Returns the breaker that contains errors of the file. */
  public CircuitBreaker fileBreaker() {
    return file.breaker;
  }

  /** Returns the breaker that contains errors of HDFS. */
  public CircuitBreaker hdfsBreaker() {
    return hdfs.breaker;
  }

  /** Asks one source again and again. */
  private static final class Watch {
    private final String name;
    private final String why;
    private final CircuitBreaker breaker;
    private final LongSupplier nanos;
    private volatile Answer last = Answer.NONE;
    private ScheduledExecutorService thread;

    /**
     * What a source has said.
     *
     * @param hosts by name, the names of each slow node, from the surest on
     * @param at when, in nanoseconds
     */
    private record Answer(Map<String, Set<String>> hosts, long at) {
      static final Answer NONE = new Answer(Map.of(), 0);
    }

    Watch(String name, String why, LongSupplier nanos) {
      this.name = name;
      this.why = why;
      this.nanos = nanos;
      breaker = new CircuitBreaker(name, nanos, () -> last = Answer.NONE);
    }

    Map<String, Set<String>> hosts() {
      Answer now = last;
      return nanos.getAsLong() - now.at < HOLDS.toNanos() ? now.hosts : Map.of();
    }

    /**
     * Adds the machines of the cluster that this source names, each by the first name that fits.
     *
     * @return the names that none of them has
     */
    List<String> among(MachineNames cluster, Map<String, String> found) {
      List<String> unknown = new ArrayList<>();
      hosts()
          .forEach(
              (host, names) -> {
                Optional<String> machine =
                    names.stream().flatMap(one -> cluster.find(one).stream()).findFirst();
                machine.ifPresent(known -> found.put(known, why));
                if (machine.isEmpty()) {
                  unknown.add(host);
                }
              });
      return unknown;
    }

    /** Begins anew. */
    @SuppressWarnings("FutureReturnValueIgnored") // the breaker contains exceptions
    synchronized void begin(Source source, Duration period) {
      end();
      ScheduledExecutorService begun = DaemonExecutors.single("Drover: " + name);
      thread = begun;
      begun.scheduleWithFixedDelay(
          FatalErrors.toHandler(() -> breaker.run(() -> take(begun, ask(source)))),
          0,
          period.toMillis(),
          TimeUnit.MILLISECONDS);
    }

    private static Map<String, Set<String>> ask(Source source) {
      try {
        return Map.copyOf(source.hosts());
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }

    /** Takes an answer, unless it comes after the end. */
    private synchronized void take(
        ScheduledExecutorService asked, Map<String, Set<String>> answer) {
      if (thread == asked) {
        last = new Answer(answer, nanos.getAsLong());
      }
    }

    synchronized void end() {
      if (thread != null) {
        thread.shutdownNow();
        thread = null;
      }
      last = Answer.NONE;
    }
  }
}
