// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that removes namespaces, links and control groups when this one closes it or is gone
 * for whatever reason: then the operating system closes the pipe between them. It waits a while for
 * the processes in the namespaces, because the daemons of a cluster notice that, too, and clean up
 * after themselves. Then it kills those that are left.
 */
final class NetworkKeeper implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Arguments: the prefix of all names, the path of ip, the directories of control groups. */
  private static final String SCRIPT =
      """
      trap '' INT HUP TERM PIPE # nobody reads what it says if its starter is gone
      prefix=$1 ip=$2
      shift 2
      cat > /dev/null
      names() { "$ip" netns list | while read -r name id; do
        case $name in "$prefix"-*) echo "$name" ;; esac
      done; }
      pids() { for name in $(names); do "$ip" netns pids "$name"; done; }
      for group; do
        for child in "$group"/*/; do
          [ ! -e "$child/freezer.state" ] || echo THAWED > "$child/freezer.state"
          [ ! -e "$child/cgroup.freeze" ] || echo 0 > "$child/cgroup.freeze"
        done
      done
      tries=0
      while [ -n "$(pids)" ] && [ $tries -lt 250 ]; do
        tries=$((tries + 1))
        sleep 0.1
      done
      tries=0
      while left=$(pids) && [ -n "$left" ] && [ $tries -lt 50 ]; do
        kill -KILL $left
        tries=$((tries + 1))
        sleep 0.1
      done
      for name in $(names); do "$ip" netns del "$name"; done
      "$ip" link del "$prefix" 2> /dev/null
      for group; do
        for child in "$group"/*/ "$group"; do [ ! -d "$child" ] || rmdir "$child"; done
      done
      [ -z "$(names)" ] || { echo "left: $(names)"; exit 1; }
      exit 0
      """;

  private final Process process;

  private NetworkKeeper(Process process) {
    this.process = process;
  }

  static NetworkKeeper start(String prefix, List<Path> groups) throws IOException {
    return new NetworkKeeper(process(prefix, SystemCommand.require("ip"), groups));
  }

  /** Starts the process, which runs a given command in the place of ip. */
  static Process process(String prefix, String ip, List<Path> groups) throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "drover-network"));
    command.add(prefix);
    command.add(ip);
    groups.forEach(group -> command.add(group.toString()));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /**
   * Removes everything.
   *
   * @throws IOException if something is left
   */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try (InputStream printed = process.getInputStream()) {
      String said = new String(printed.readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("the network could not be removed: " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the network was being removed", e);
    }
  }
}
