// SPDX-License-Identifier: Apache-2.0
package io.drover.it.clients;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A straggler in each job of a client: the process of the first attempt of its first map is stopped
 * as soon as it is there, and goes on after some time.
 */
final class HeldAttempts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeldAttempts.class);
  private static final Pattern FIRST = Pattern.compile("attempt_\\d+_\\d+_m_000000_0");
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final DroverCluster cluster;
  private final Callable<List<ApplicationId>> applications;
  private final Duration length;
  private final Thread watch = new Thread(this::watch, "held-attempts");
  private final Map<String, Held> held = new HashMap<>();
  private volatile boolean isOver;

  private record Held(long pid, long since, boolean goesOn) {}

  private HeldAttempts(
      DroverCluster cluster, Callable<List<ApplicationId>> applications, Duration length) {
    this.cluster = cluster;
    this.applications = applications;
    this.length = length;
    watch.setDaemon(true);
  }

  /**
   * Watches until it is closed.
   *
   * @param applications returns the client's applications so far
   * @param length how long an attempt is held; with 0 none is
   */
  static HeldAttempts start(
      DroverCluster cluster, Callable<List<ApplicationId>> applications, Duration length) {
    HeldAttempts attempts = new HeldAttempts(cluster, applications, length);
    if (!length.isZero()) {
      attempts.watch.start();
    }
    return attempts;
  }

  private void watch() {
    try {
      while (!isOver) {
        List<ApplicationId> own = applications.call();
        if (!own.isEmpty()) {
          look(own);
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.error("No more attempts are held", e); // the test misses the straggler
    }
  }

  private synchronized void look(List<ApplicationId> own) throws IOException {
    List<LiveContainer> live = cluster.liveContainers();
    for (LiveContainer container : live) {
      String attempt = container.attemptId().orElse("");
      boolean isOwn = own.stream().anyMatch(id -> container.isOf(id.toString()));
      if (isOwn && FIRST.matcher(attempt).matches() && !held.containsKey(attempt)) {
        cluster.signal("STOP", container.pid());
        held.put(attempt, new Held(container.pid(), System.nanoTime(), false));
      }
    }
    long now = System.nanoTime();
    goOn(live, one -> now - one.since() >= length.toNanos());
  }

  /** Lets those go on that are still there: others may have got their process ids. */
  private void goOn(List<LiveContainer> live, Predicate<Held> which) throws IOException {
    for (LiveContainer container : live) {
      String attempt = container.attemptId().orElse("");
      Held one = held.get(attempt);
      if (one != null && !one.goesOn() && which.test(one)) {
        cluster.signal("CONT", one.pid());
        held.put(attempt, new Held(one.pid(), one.since(), true));
      }
    }
  }

  /** Returns how many attempts have been held so far. */
  synchronized int count() {
    return held.size();
  }

  /** Lets all go on. */
  @Override
  public void close() throws IOException, InterruptedException {
    isOver = true;
    watch.join();
    synchronized (this) {
      goOn(cluster.liveContainers(), one -> true);
    }
  }
}
