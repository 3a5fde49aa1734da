// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.model.Rule;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.MRApp;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.junit.jupiter.api.Test;

/** Reduces that wait for maps, all on one machine, in Hadoop's own AppMaster. */
class EarlyCopiesIT extends LoggedApp {
  @Test
  void reducesThatWaitOnASlowMachineGetACopyEach() throws Exception {
    Configuration conf = logged();
    conf.set(MRJobConfig.MAPREDUCE_JOB_DIR, dir.toUri().toString());
    Files.writeString(
        dir.resolve("drover-decisions.1.jsonl"),
        "{\"type\":\"slowMachine\",\"mode\":\"on\",\"node\":\"" + MRApp.NM_HOST + "\"}\n");
    try (DrovenApp app = DrovenApp.start(2, 2, conf, 2)) {
      reducesGetACopyEach(app, ".2.jsonl");
    }
  }

  @Test
  void reducesThatWaitBehindASlowLinkGetACopyEach() throws Exception {
    try (DrovenApp app = DrovenApp.watched(2, 2, logged())) {
      app.hasSlowLink("elsewhere");
      app.waitForState(app.job(), JobState.RUNNING);
      Task reduce = app.job().getTasks(TaskType.REDUCE).values().iterator().next();
      app.waitForState(reduce, TaskState.RUNNING);
      await().during(Duration.ofSeconds(1)).until(() -> reduce.getAttempts().size() == 1);
      app.hasSlowLink(MRApp.NM_HOST);
      reducesGetACopyEach(app, ".jsonl");
    }
  }

  @Test
  void reducesThatHaveNotRunForTheLeastTimeGetNone() throws Exception {
    Configuration conf = logged();
    conf.set("mapreduce.drover.restart.least-run-time", "1d");
    try (DrovenApp app = DrovenApp.watched(2, 2, conf)) {
      app.hasSlowLink(MRApp.NM_HOST);
      app.waitForState(app.job(), JobState.RUNNING);
      Task reduce = app.job().getTasks(TaskType.REDUCE).values().iterator().next();
      app.waitForState(reduce, TaskState.RUNNING);
      await().during(Duration.ofSeconds(1)).until(() -> reduce.getAttempts().size() == 1);
    }
  }

  private void reducesGetACopyEach(DrovenApp app, String log) throws Exception {
    app.waitForState(app.job(), JobState.RUNNING);
    Collection<Task> reduces = app.job().getTasks(TaskType.REDUCE).values();
    await().until(() -> reduces.stream().allMatch(r -> r.getAttempts().size() == 2));
    for (TaskType type : List.of(TaskType.MAP, TaskType.REDUCE)) {
      for (Task task : app.job().getTasks(type).values()) {
        app.finishNewest(task);
      }
    }
    app.waitForState(app.job(), JobState.SUCCEEDED);
    app.awaitStopped();
    assertThat(reduces).allSatisfy(r -> assertThat(r.getAttempts()).hasSize(2));
    assertThat(Files.readAllLines(dir.resolve(app.job().getID() + log)))
        .filteredOn(line -> line.contains("\"action\":\"DUPLICATE\""))
        .filteredOn(line -> line.contains("\"type\":\"decision\""))
        .hasSize(2)
        .allMatch(line -> line.contains(Rule.WAITS_ON_SLOW_MACHINE.name()));
  }
}
