// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptStatusUpdateEvent.TaskAttemptStatus;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a task costs an AppMaster: the source of the rule of {@code AppMasterHeap}. */
class HeapOfTasksIT {
  private static final int FEW = 500;
  private static final int MANY = 2_000;
  private static final int REPORTS = 8;

  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
  private final List<DrovenApp> apps = new ArrayList<>();

  /** The counters that a map has which reads from HDFS. */
  private static Counters counters() {
    Counters counters = new Counters();
    for (TaskCounter counter : TaskCounter.values()) {
      counters.findCounter(counter).setValue(1);
    }
    for (String scheme : List.of("FILE", "HDFS")) {
      for (FileSystemCounter counter : FileSystemCounter.values()) {
        counters.findCounter(scheme, counter).setValue(1);
      }
    }
    counters.findCounter(FileInputFormatCounter.BYTES_READ).setValue(1);
    return counters;
  }

  private void report(DrovenApp app, TaskAttempt attempt, int number) {
    TaskAttemptStatus status = new TaskAttemptStatus();
    status.id = attempt.getID();
    status.progress = (float) number / (REPORTS + 1);
    status.phase = Phase.MAP;
    status.stateString = "map";
    status.counters = counters();
    app.send(new TaskAttemptStatusUpdateEvent(attempt.getID(), new AtomicReference<>(status)));
  }

  /** Returns the live heap, in bytes, while one more job has so many maps that run. */
  private long heapWith(int maps) throws Exception {
    DrovenApp app = DrovenApp.crowded(maps, DrovenApp.conf());
    apps.add(app);
    Awaitility.await("all maps run")
        .atMost(Duration.ofMinutes(2))
        .until(() -> app.job().getTasks().values().stream().allMatch(HeapOfTasksIT::runs));
    for (int i = 1; i <= REPORTS; i++) {
      for (Task task : app.job().getTasks().values()) {
        report(app, app.attempt(task, 0), i);
      }
      app.settle();
    }
    return liveHeap();
  }

  private static boolean runs(Task task) {
    return task.getAttempts().values().stream()
        .anyMatch(attempt -> attempt.getState() == TaskAttemptState.RUNNING);
  }

  /** Returns what the last collection has left, without what threads have made since. */
  private long liveHeap() {
    for (int i = 0; i < 3; i++) { // what finalizers held goes with the next one
      memory.gc();
    }
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getCollectionUsage().getUsed())
        .sum();
  }

  @AfterEach
  void stop() {
    apps.forEach(DrovenApp::stop);
  }

  @Test
  void taskTakesNoMoreHeapThanTheRuleCountsForIt() throws Exception {
    heapWith(FEW); // loads the classes
    long before = liveHeap();
    long withFew = heapWith(FEW);
    long withMany = heapWith(MANY);

    double each = ((withMany - withFew) - (withFew - before)) / (double) (MANY - FEW);
    assertThat(each).as("bytes").isBetween(4_000.0, 10_000.0); // 8,053 when it was written
  }
}
