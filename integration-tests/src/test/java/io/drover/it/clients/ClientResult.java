// SPDX-License-Identifier: Apache-2.0
package io.drover.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.speculator.DroverCounter;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;

/**
 * What a client has done.
 *
 * @param exit what its process, or its program, returned
 * @param output what it said, with what jobs it ran; for people
 * @param jobs its jobs, in the order of their submission
 * @param held how many attempts were held
 * @param decisions the lines of the decision logs of all its jobs; none under Hadoop's AppMaster
 */
record ClientResult(int exit, String output, List<Job> jobs, int held, List<String> decisions) {

  /** The client says that all went well, and so do its jobs; no step of Drover's has failed. */
  ClientResult succeeded() throws Exception {
    assertThat(exit).as("%s", output).isZero();
    assertThat(jobs).as("%s", output).isNotEmpty();
    for (Job job : jobs) {
      assertThat(job.isSuccessful()).as("%s of%n%s", job.getStatus(), output).isTrue();
    }
    assertThat(decisions).noneMatch(line -> line.contains("\"type\":\"failures\""));
    for (DroverCounter error : List.of(DroverCounter.TURNED_OFF, DroverCounter.STEPS_FAILED)) {
      assertThat(counter(error)).as("%s", error).isZero();
    }
    return this;
  }

  /** The straggler of each job was overtaken by an attempt that Drover had started. */
  void assertRescued() throws Exception {
    for (Job job : jobs) {
      assertThat(secondAttempts(job)).as("of %s%n%s", job.getJobName(), story()).isPositive();
      assertThat(winnerOfFirstMap(job)).as("of %s%n%s", job.getJobName(), story()).isPositive();
    }
  }

  /** Drover has added no attempt and ended none. */
  void assertLeftAlone() throws IOException {
    for (Job job : jobs) {
      assertThat(secondAttempts(job)).as("of %s%n%s", job.getJobName(), story()).isZero();
    }
    assertThat(decisions).noneMatch(line -> line.matches(".*\"action\":\"(DUPLICATE|RESTART)\".*"));
  }

  /** Attempts that Drover has started, or killed so that their task starts anew. */
  private static long secondAttempts(Job job) throws IOException {
    long sum = 0;
    for (DroverCounter counter :
        List.of(
            DroverCounter.COPIES_LAUNCHED, DroverCounter.CLONES_LAUNCHED, DroverCounter.RESTARTS)) {
      sum += job.getCounters().findCounter(counter).getValue();
    }
    return sum;
  }

  private long counter(DroverCounter counter) throws IOException {
    long sum = 0;
    for (Job job : jobs) {
      sum += job.getCounters().findCounter(counter).getValue();
    }
    return sum;
  }

  /** Which attempt of the first map gave its output, from 0. */
  private static int winnerOfFirstMap(Job job) throws IOException {
    for (TaskCompletionEvent event : job.getTaskCompletionEvents(0)) {
      boolean won = event.getStatus() == TaskCompletionEvent.Status.SUCCEEDED;
      if (won && event.isMapTask() && event.getTaskAttemptId().getTaskID().getId() == 0) {
        return event.getTaskAttemptId().getId();
      }
    }
    throw new AssertionError("no attempt of the first map of " + job.getJobID() + " succeeded");
  }

  private String story() {
    return output + System.lineSeparator() + String.join(System.lineSeparator(), decisions);
  }
}
