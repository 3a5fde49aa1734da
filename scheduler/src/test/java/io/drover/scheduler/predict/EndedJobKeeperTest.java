// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.containment.CircuitBreaker;
import io.drover.core.predict.EndedJob;
import io.drover.core.predict.EndedJob.Features;
import io.drover.core.predict.JobArrival;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.KeptJob;
import io.drover.core.predict.TrainingSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedJobKeeperTest {
  private static final KeptJob JOB =
      new KeptJob(
          new JobArrival("j", 0, "ann", "root.etl", "load-#", 0),
          new EndedJob(
              new Features(new double[Features.SIZE]), 0, 10, 10, 1, JobOutcome.SUCCEEDED, 1),
          false,
          false);

  @TempDir private Path dir;

  private static TrainingSettings window(int days) {
    TrainingSettings usual = TrainingSettings.DEFAULT;
    return new TrainingSettings(
        usual.method(),
        usual.sets(),
        Duration.ofDays(days),
        usual.grace(),
        usual.mostMisjudged(),
        usual.mostJobs());
  }

  /** Writes a job by a keeper whose window has been changed since it was made. */
  private void writeAfterRefresh(int before, int after) {
    CircuitBreaker breaker = new CircuitBreaker("Keeping", System::nanoTime, () -> {});
    AtomicReference<TrainingSettings> settings = new AtomicReference<>(window(before));
    EndedJobKeeper keeper =
        new EndedJobKeeper(dir.toUri().toString(), settings::get, new Configuration(), breaker);
    settings.set(window(after));
    keeper.add(JOB);
    keeper.stop(Duration.ofMinutes(2));
    assertThat(breaker.failures()).isZero();
  }

  @Test
  void whatIsOldIsToldByTheWindowOfNow() throws Exception {
    Path old = Files.writeString(dir.resolve("jobs-0000000000000000001-0000000000.gz"), "old");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(30))));
    writeAfterRefresh(10, 60);
    assertThat(old).exists();
    writeAfterRefresh(60, 10);
    assertThat(old).doesNotExist();
  }
}
