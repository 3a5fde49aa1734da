// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs in every daemon and reads what the cluster's owner writes to its standard input. When the
 * owner is gone for any reason, the operating system closes the pipe. Then the daemon ends too.
 */
final class OwnerWatch {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerWatch.class);

  private OwnerWatch() {}

  /** What a daemon does before it ends. */
  @FunctionalInterface
  interface LastAct {
    /** Called once, on the watching thread. */
    void run() throws IOException, InterruptedException;
  }

  /**
   * Starts to watch the owner.
   *
   * @param commands receives each line that the owner writes
   * @param lastAct runs when the owner is gone; then the process halts
   */
  static void start(Consumer<String> commands, LastAct lastAct) {
    Thread thread = new Thread(() -> watch(commands, lastAct), "owner-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private static void watch(Consumer<String> commands, LastAct lastAct) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        commands.accept(line);
      }
      LOG.info("The owner is gone.");
    } catch (IOException e) {
      LOG.info("The owner is gone.", e);
    }
    try {
      lastAct.run();
    } catch (IOException e) {
      LOG.error("Could not clean up after the owner.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Runtime.getRuntime().halt(0); // no shutdown hooks: the cluster's state is worth nothing now
    }
  }
}
