// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import io.drover.channel.ChannelService;
import io.drover.channel.ReportHandler;
import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.core.containment.CircuitBreaker;
import io.drover.scheduler.containment.DaemonExecutors;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.ServiceOperations;
import org.apache.hadoop.yarn.server.resourcemanager.security.AMRMTokenSecretManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the scheduler's end of the channel when the scheduler starts. If that fails, for example
 * because another process still holds the port, it tries again every minute. The scheduler works
 * without the channel.
 */
final class ChannelPort {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelPort.class);

  private final ReportHandler handler;
  private volatile ChannelService channel;
  private Configuration conf;
  private AMRMTokenSecretManager tokens;
  private volatile ScheduledExecutorService retries;

  ChannelPort(ReportHandler handler) {
    this.handler = handler;
  }

  /** Opens the channel, now or in a later try. If it is open already, applies new settings. */
  @SuppressWarnings("FutureReturnValueIgnored") // exceptions are logged where they occur
  synchronized void open(Configuration with, AMRMTokenSecretManager secrets) {
    conf = with;
    tokens = secrets;
    if (channel != null) {
      refresh(with);
      return;
    }
    tryToOpen();
    if (channel == null && retries == null) {
      retries = DaemonExecutors.single("Drover channel port");
      long pause = CircuitBreaker.PAUSE.toMillis();
      retries.scheduleWithFixedDelay(this::tryAgain, pause, pause, TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void tryAgain() {
    if (retries != null) {
      tryToOpen();
    }
    if (channel != null && retries != null) {
      retries.shutdown();
      retries = null;
    }
  }

  private void tryToOpen() {
    ChannelService opened = new ChannelService(handler, tokens);
    try {
      opened.init(conf);
      opened.start();
      channel = opened;
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      ServiceOperations.stopQuietly(opened);
      LOG.error(
          "Drover receives no reports of AppMasters for now and tries again in {} s",
          CircuitBreaker.PAUSE.toSeconds(),
          e);
    }
  }

  /** Applies new settings. If that fails, logs the error and keeps the old settings. */
  private void refresh(Configuration with) {
    try {
      channel.refresh(with);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      LOG.error("The channel's new settings cannot be applied; the old ones stay in force", e);
    }
  }

  synchronized void close() {
    if (retries != null) {
      retries.shutdownNow();
      retries = null;
    }
    if (channel != null) {
      channel.stop();
    }
  }

  /** Returns the address on which the channel listens; empty if it does not. */
  Optional<InetSocketAddress> address() {
    ChannelService open = channel;
    return open == null ? Optional.empty() : open.address();
  }

  /** Returns whether the port could not be opened, and is tried again. */
  boolean isTrying() {
    return retries != null;
  }

  long count(ReportStatus status) {
    ChannelService open = channel;
    return open == null ? 0 : open.count(status);
  }

  int speakers() {
    ChannelService open = channel;
    return open == null ? 0 : open.speakers();
  }
}
