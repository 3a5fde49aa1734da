// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.testbed.history.JobHistoryServer;
import io.drover.testbed.history.JobRecord;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;

/** What is done where a job's history file is not readable. */
class JobHistoryFileTest {
  private static final String JOB = "job_1700000000000_0001";

  private static Optional<JobRecord> read(Optional<JobHistoryServer> server, boolean succeeded)
      throws IOException {
    FileSystem fs = FileSystem.getLocal(new Configuration(false));
    return JobHistoryFile.read(fs, JOB, Optional.empty(), server, succeeded);
  }

  private static Optional<JobHistoryServer> server(JobHistoryServer.Client client) {
    return Optional.of(new JobHistoryServer(URI.create("http://history:19888"), client));
  }

  @Test
  void jobThatSucceededHasAHistoryOrNoFigures() throws IOException {
    assertThatThrownBy(() -> read(Optional.empty(), true))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(JOB)
        .hasMessageContaining("mapreduce.jobhistory.done-dir");

    assertThat(read(Optional.empty(), false)).as("one whose AppMaster died").isEmpty();
  }

  @Test
  void serverTellsWhatIsInNoFile() throws IOException {
    ObjectMapper json = new ObjectMapper();
    JsonNode told =
        json.readTree(
            """
            {"job": {"id": "%s", "state": "SUCCEEDED", "submitTime": 1000, "startTime": 2000,
             "finishTime": 31000, "mapsTotal": 1, "reducesTotal": 0, "uberized": false}}
            """
                .formatted(JOB));

    Optional<JobRecord> job =
        read(server(page -> page.getPath().endsWith(JOB) ? told : json.createObjectNode()), true);

    assertThat(job.map(JobRecord::time)).contains(Duration.ofSeconds(30));
  }

  @Test
  void whyTheServerDoesNotTellIsTheCause() throws IOException {
    Optional<JobHistoryServer> silent =
        server(
            page -> {
              throw new IOException(page + " answers with status 403");
            });

    assertThatThrownBy(() -> read(silent, true))
        .hasMessageContaining(JOB)
        .hasRootCauseMessage(
            "http://history:19888/ws/v1/history/mapreduce/jobs/"
                + JOB
                + " answers with status 403");
    assertThat(read(silent, false)).isEmpty();
  }
}
