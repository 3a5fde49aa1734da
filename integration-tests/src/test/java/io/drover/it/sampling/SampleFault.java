// SPDX-License-Identifier: Apache-2.0
package io.drover.it.sampling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** What is killed in a job that samples, and when. */
enum SampleFault {
  /** Attempts of maps at random, a task's twice at most: the fourth failure ends a job. */
  MAPS(2),
  /** The AppMaster, when the first maps have blocks. */
  APP_MASTER_WHEN_BOUND(1),
  /** The AppMaster, when half of the maps are done. */
  APP_MASTER_HALF_WAY(2),
  /** The AppMaster, when K maps are chosen. */
  APP_MASTER_WHEN_CHOSEN(1),
  /** The AppMaster, when the reduces have begun. */
  APP_MASTER_WHILE_REDUCING(2),
  /** The AppMaster, when some maps have committed their output and others have not. */
  APP_MASTER_HALF_COMMITTED(0),
  /** The node of a chosen output, with all that runs there. */
  NODE_OF_A_CHOSEN_OUTPUT(2);

  private static final int KILLS_OF_A_TASK = 2;
  private static final int EVERY = 6; // times that the job is looked at

  /** How many reduces the job has. */
  final int reduces;

  SampleFault(int reduces) {
    this.reduces = reduces;
  }

  /** One fault in one job. */
  static final class Injector {
    private final SampleFault fault;
    private final DroverCluster cluster;
    private final FileSystem fs;
    private final Job job;
    private final Random random;
    private final Map<String, Integer> killed = new HashMap<>();
    private int looks;

    Injector(SampleFault fault, DroverCluster cluster, Job job, Random random) throws IOException {
      this.fault = fault;
      this.cluster = cluster;
      this.fs = FileSystem.get(cluster.clientConf());
      this.job = job;
      this.random = random;
    }

    boolean hasKilled() {
      return !killed.isEmpty();
    }

    /** Looks at the job, and kills what is to be killed now. */
    void look() throws IOException, InterruptedException {
      looks++;
      if (fault == MAPS) {
        if (looks % EVERY == 0) {
          killMap();
        }
      } else if (!hasKilled() && isTime()) {
        if (fault == NODE_OF_A_CHOSEN_OUTPUT) {
          killNode();
        } else {
          killAppMaster();
        }
      }
    }

    private boolean isTime() throws IOException, InterruptedException {
      return switch (fault) {
        case MAPS -> true;
        case APP_MASTER_WHEN_BOUND ->
            state().stream().anyMatch(state -> !state.path("reads").isEmpty());
        case APP_MASTER_HALF_WAY -> job.mapProgress() >= 0.5;
        case APP_MASTER_WHEN_CHOSEN, NODE_OF_A_CHOSEN_OUTPUT ->
            state().stream().anyMatch(state -> !state.path("chosen").isEmpty());
        case APP_MASTER_WHILE_REDUCING -> job.reduceProgress() > 0.4;
        case APP_MASTER_HALF_COMMITTED ->
            state().stream().anyMatch(s -> s.path("chosen").size() * 2 >= s.path("needed").asInt());
      };
    }

    /** Returns the state that the newest AppMaster has written. */
    private Optional<JsonNode> state() throws IOException, InterruptedException {
      Path staging = new Path(job.getStatus().getJobFile()).getParent();
      List<Path> files = new ArrayList<>();
      try {
        for (FileStatus file : fs.listStatus(staging)) {
          if (file.getPath().getName().matches("drover-sample-\\d+\\.json")) {
            files.add(file.getPath());
          }
        }
        Optional<Path> newest = files.stream().max(Path::compareTo);
        if (newest.isEmpty()) {
          return Optional.empty();
        }
        try (InputStream in = fs.open(newest.get())) {
          return Optional.of(new ObjectMapper().readTree(in));
        }
      } catch (FileNotFoundException e) {
        return Optional.empty(); // the job has ended, or the file is just replaced
      }
    }

    private void kill(LiveContainer container, String name) {
      if (ProcessHandle.of(container.pid()).map(ProcessHandle::destroyForcibly).orElse(false)) {
        killed.merge(name, 1, Integer::sum);
      }
    }

    private void killMap() throws IOException {
      List<LiveContainer> victims =
          cluster.liveContainers().stream()
              .filter(c -> c.isOf(job.getJobID().toString()))
              .filter(c -> c.attemptId().filter(id -> id.contains("_m_")).isPresent())
              .filter(c -> killed.getOrDefault(task(c), 0) < KILLS_OF_A_TASK)
              .toList();
      if (!victims.isEmpty()) {
        LiveContainer victim = victims.get(random.nextInt(victims.size()));
        kill(victim, task(victim));
      }
    }

    private static String task(LiveContainer container) {
      return container.attemptId().orElseThrow().replaceFirst("_\\d+$", "");
    }

    private void killAppMaster() throws IOException {
      for (LiveContainer container : cluster.liveContainers()) {
        if (container.isOf(job.getJobID().toString()) && container.attemptId().isEmpty()) {
          kill(container, "AppMaster");
        }
      }
    }

    private void killNode() throws IOException, InterruptedException {
      String am =
          cluster.liveContainers().stream()
              .filter(c -> c.isOf(job.getJobID().toString()) && c.attemptId().isEmpty())
              .map(LiveContainer::host)
              .findFirst()
              .orElse("");
      List<Integer> chosen =
          state().stream()
              .flatMap(s -> StreamSupport.stream(s.path("chosen").spliterator(), false))
              .map(JsonNode::asInt)
              .toList();
      for (var event : job.getTaskCompletionEvents(0, 1000)) {
        String host =
            event.getTaskTrackerHttp().replaceFirst("^https?://", "").replaceFirst(":.*", "");
        boolean isChosen =
            event.isMapTask() && chosen.contains(event.getTaskAttemptId().getTaskID().getId());
        if (isChosen && !host.equals(am) && cluster.isAlive(host)) {
          cluster.killNode(host);
          killed.put(host, 1);
          return;
        }
      }
    }
  }
}
