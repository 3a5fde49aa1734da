// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.Job;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All tasks on a host are stopped and let go again and again. */
final class PausingTasks implements Damage {
  private static final Logger LOG = LoggerFactory.getLogger(PausingTasks.class);
  private static final Duration RUNS = Duration.ofMillis(100);
  private static final Duration STOPS = Duration.ofMillis(900);

  private final StoppedTasks tasks;
  private final Thread pausing = new Thread(this::pause, "drover-pausing-tasks");
  private final String host;
  private volatile boolean isOver;

  PausingTasks(DroverCluster cluster, String host) {
    this.tasks = new StoppedTasks(cluster, host);
    this.host = host;
    pausing.setDaemon(true);
  }

  @Override
  public Optional<String> begin(Job job) {
    pausing.start();
    return Optional.of("tasks on " + host + " are stopped 90 % of the time");
  }

  private void pause() {
    try {
      while (!isOver) {
        tasks.stop();
        TimeUnit.MILLISECONDS.sleep(STOPS.toMillis());
        tasks.end();
        TimeUnit.MILLISECONDS.sleep(RUNS.toMillis());
      }
    } catch (IOException e) {
      LOG.warn("Tasks on {} are not stopped any more", host, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void end() throws IOException {
    isOver = true;
    pausing.interrupt();
    try {
      pausing.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tasks.end();
  }
}
