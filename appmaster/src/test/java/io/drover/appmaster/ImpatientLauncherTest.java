// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.service.AbstractService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ImpatientLauncherTest {
  private final CountDownLatch hostAnswers = new CountDownLatch(1);
  private final AtomicBoolean mayHang = new AtomicBoolean();
  private final List<ContainerLauncherEvent> launched = new ArrayList<>();
  private final Hanging hadoops = new Hanging();
  private final ImpatientLauncher launcher = new ImpatientLauncher(hadoops, mayHang::get);

  /** Waits for a host when it stops, as Hadoop's does for one that is being launched. */
  private final class Hanging extends AbstractService implements ContainerLauncher {
    private final CountDownLatch stops = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    Hanging() {
      super("Hadoop's");
    }

    @Override
    public void handle(ContainerLauncherEvent event) {
      launched.add(event);
    }

    @Override
    protected void serviceStop() throws InterruptedException {
      stops.countDown();
      hostAnswers.await();
      stopped.countDown();
    }
  }

  private CompletableFuture<Void> stop() {
    launcher.init(new Configuration(false));
    launcher.start();
    return CompletableFuture.runAsync(launcher::stop);
  }

  @AfterEach
  void end() {
    hostAnswers.countDown();
  }

  @Test
  void stopDoesNotWaitForAHostThatWasGivenUp() throws Exception {
    mayHang.set(true);
    stop().get();
    assertThat(hadoops.stopped.getCount()).isEqualTo(1);
    hostAnswers.countDown();
    hadoops.stopped.await(); // it goes on
  }

  @Test
  void stopWaitsAsInHadoopOtherwise() throws Exception {
    CompletableFuture<Void> stop = stop();
    hadoops.stops.await();
    await()
        .pollDelay(ImpatientLauncher.PATIENCE.plusSeconds(1))
        .until(() -> true); // what an impatient one would take
    assertThat(stop.isDone()).isFalse();
    hostAnswers.countDown();
    stop.get();
    assertThat(hadoops.stopped.getCount()).isZero();
  }

  @Test
  void stopThatEndsIsWaitedFor() throws Exception {
    mayHang.set(true);
    hostAnswers.countDown();
    stop().get();
    assertThat(hadoops.stopped.getCount()).isZero();
  }

  @Test
  void eventsPass() {
    launcher.handle(null);
    assertThat(launched).hasSize(1);
  }
}
