// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.Job;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of the tasks on a host are stopped a while after the first map of the job has
 * begun: those that run then for good, or all again and again. Their AppMaster hears nothing of
 * them, and they do not end by themselves.
 */
public final class StoppedTasks implements HostFault {
  private static final Logger LOG = LoggerFactory.getLogger(StoppedTasks.class);

  /** How long tasks run and are stopped in turn. */
  private static final Duration RUNS = Duration.ofMillis(100);

  private static final Duration STOPS = Duration.ofMillis(900);

  private final DroverCluster cluster;
  private final String host;
  private final Duration after;
  private final boolean pauses;
  private final Set<Long> stopped = new HashSet<>();
  private long firstMapAt;
  private boolean hasBegun;
  private volatile boolean isOver;
  private Thread pausing;

  private StoppedTasks(DroverCluster cluster, String host, Duration after, boolean pauses) {
    this.cluster = cluster;
    this.host = host;
    this.after = after;
    this.pauses = pauses;
  }

  /** Stops for good the tasks that run on a host some time after the first map has begun. */
  public static StoppedTasks forGood(DroverCluster cluster, String host, Duration after) {
    return new StoppedTasks(cluster, host, after, false);
  }

  /** Stops all tasks on a host for nine tenths of each second, from the first map on. */
  public static StoppedTasks pausing(DroverCluster cluster, String host) {
    return new StoppedTasks(cluster, host, Duration.ZERO, true);
  }

  @Override
  public Optional<Begun> look(Job job) throws IOException, InterruptedException {
    if (firstMapAt == 0 && job.mapProgress() > 0) {
      firstMapAt = System.nanoTime();
    }
    boolean isTime = firstMapAt != 0 && System.nanoTime() - firstMapAt >= after.toNanos();
    if (hasBegun || !isTime) {
      return Optional.empty();
    }
    if (pauses) {
      hasBegun = true;
      pausing = new Thread(this::pause, "drover-pausing-tasks");
      pausing.setDaemon(true);
      pausing.start();
      return Optional.of(new Begun(host, "tasks on " + host + " are stopped 90 % of the time"));
    }
    stop();
    hasBegun = !stopped.isEmpty();
    return hasBegun
        ? Optional.of(new Begun(host, "tasks on " + host + " were stopped: " + stopped.size()))
        : Optional.empty();
  }

  private List<LiveContainer> tasks() throws IOException {
    return cluster.liveContainers().stream()
        .filter(container -> container.host().equals(host) && container.attemptId().isPresent())
        .toList();
  }

  private synchronized void stop() throws IOException {
    for (LiveContainer task : tasks()) {
      cluster.signal("STOP", task.pid());
      stopped.add(task.pid());
    }
  }

  private synchronized void goOn() throws IOException {
    for (LiveContainer task : tasks()) { // not others that may have got their process ids
      if (stopped.contains(task.pid())) {
        cluster.signal("CONT", task.pid());
      }
    }
    stopped.clear();
  }

  private void pause() {
    try {
      while (!isOver) {
        stop();
        TimeUnit.MILLISECONDS.sleep(STOPS.toMillis());
        goOn();
        TimeUnit.MILLISECONDS.sleep(RUNS.toMillis());
      }
    } catch (IOException e) {
      LOG.warn("Tasks on {} are not stopped any more", host, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    isOver = true;
    if (pausing != null) {
      pausing.interrupt();
      try {
        pausing.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    goOn();
  }
}
