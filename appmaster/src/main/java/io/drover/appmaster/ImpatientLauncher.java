// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.speculator.UserThread;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncher;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.service.CompositeService;
import org.apache.hadoop.service.ServiceOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's container launcher, which the end of a job does not wait for if it may try to reach a
 * host that does not answer.
 *
 * <p>When it stops, Hadoop's launcher ends all containers that it knows, one after the other. For
 * one that it is still launching, or that runs on a host that does not answer, it waits for
 * minutes; and the AppMaster, which stops it before it tells the ResourceManager that the job has
 * ended, waits with it. Here it goes on in a thread of its own after {@link #PATIENCE}. What it has
 * not ended by then, the ResourceManager does: it ends the containers of an application that is
 * over.
 */
final class ImpatientLauncher extends CompositeService implements ContainerLauncher {
  static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(ImpatientLauncher.class);

  private final ContainerLauncher hadoops;
  private final BooleanSupplier mayHang;

  /**
   * Creates a launcher.
   *
   * @param hadoops launches the containers; it is a child service of this one
   * @param mayHang returns whether the stop of Hadoop's may wait for a host that does not answer
   */
  ImpatientLauncher(ContainerLauncher hadoops, BooleanSupplier mayHang) {
    super(ImpatientLauncher.class.getName());
    this.hadoops = hadoops;
    this.mayHang = mayHang;
    addIfService(hadoops);
  }

  @Override
  public void handle(ContainerLauncherEvent event) {
    hadoops.handle(event);
  }

  @Override
  protected void serviceStop() throws Exception {
    if (mayHang.getAsBoolean()) {
      Thread stop =
          UserThread.daemon(
              () -> getServices().forEach(ServiceOperations::stopQuietly),
              "Drover stops the launcher");
      stop.start();
      stop.join(PATIENCE.toMillis());
      if (stop.isAlive()) {
        LOG.warn("A container on a host that does not answer is left to the ResourceManager");
      }
    }
    super.serviceStop(); // of a service that is being stopped, that is nothing
  }
}
