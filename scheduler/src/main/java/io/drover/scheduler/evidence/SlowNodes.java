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
 * CircuitBreaker}).
 */
public final class SlowNodes {
  private static final Duration FILE_PERIOD = Duration.ofSeconds(10);
  private static final Duration HDFS_PERIOD = Duration.ofMinutes(5);

  private final Watch file;
  private final Watch hdfs;
  private SlowNodeSettings settings = new SlowNodeSettings(Optional.empty(), Mode.OFF);
  private volatile Mode hdfsMode = Mode.OFF;
  private Configuration conf;

  /** Somebody who names slow nodes. */
  interface Source {
    /** Returns the slow nodes' names now. May block. */
    Set<String> hosts() throws IOException;
  }

  /**
   * Creates watches that have not begun.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  public SlowNodes(LongSupplier nanos) {
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
      hdfs.begin(() -> SlowDatanodes.hosts(now), HDFS_PERIOD);
    }
  }

  /** Ends, without waiting for an answer that may be outstanding. */
  public synchronized void stop() {
    conf = null;
    file.end();
    hdfs.end();
  }

  /** Returns the nodes of which AppMasters are told, and why each is slow. Never blocks. */
  public Map<String, String> told() {
    return named(hdfsMode == Mode.ON);
  }

  /** Returns all nodes that somebody calls slow, and why. Never blocks. */
  public Map<String, String> all() {
    return named(true);
  }

  private Map<String, String> named(boolean byHdfs) {
    Map<String, String> named = new TreeMap<>();
    if (byHdfs) {
      hdfs.hosts.forEach(host -> named.put(host, hdfs.why));
    }
    file.hosts.forEach(host -> named.put(host, file.why));
    return named;
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
    private volatile Set<String> hosts = Set.of();
    private ScheduledExecutorService thread;

    Watch(String name, String why, LongSupplier nanos) {
      this.name = name;
      this.why = why;
      breaker = new CircuitBreaker(name, nanos, () -> hosts = Set.of());
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

    private static Set<String> ask(Source source) {
      try {
        return Set.copyOf(source.hosts());
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }

    /** Takes an answer, unless it comes after the end. */
    private synchronized void take(ScheduledExecutorService asked, Set<String> answer) {
      if (thread == asked) {
        hosts = answer;
      }
    }

    synchronized void end() {
      if (thread != null) {
        thread.shutdownNow();
        thread = null;
      }
      hosts = Set.of();
    }
  }
}
