// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkKeeperTest {
  @TempDir private Path directory;

  /**
   * Returns an ip that knows one namespace, as long as a file is there. The second time that it is
   * asked who is in there, it names a process that has just ended.
   */
  private Path ip(Path namespace) throws IOException {
    Path asked = directory.resolve("asked");
    Path ip =
        Files.writeString(
            directory.resolve("ip"),
            """
            #!/bin/sh
            case "$1 $2" in
              "netns list") [ ! -e %1$s ] || echo drtest-n1 ;;
              "netns pids") echo >> %2$s; [ $(wc -l < %2$s) -ne 2 ] || echo 999999999 ;;
              "netns del") rm %1$s ;;
            esac
            """
                .formatted(namespace, asked));
    assertThat(ip.toFile().setExecutable(true)).isTrue();
    return ip;
  }

  @Test
  void namespacesGoAlsoIfNobodyReadsWhatIsPrinted() throws IOException, InterruptedException {
    Path namespace = Files.createFile(directory.resolve("n1"));
    Process keeper = NetworkKeeper.process("drtest", ip(namespace).toString(), List.of());

    keeper.getInputStream().close(); // as if its starter had been killed
    keeper.getOutputStream().close();

    assertThat(keeper.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(namespace).doesNotExist();
  }
}
