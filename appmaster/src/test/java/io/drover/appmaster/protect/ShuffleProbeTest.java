// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.shuffle.ServedOutputs;
import io.drover.appmaster.shuffle.ShuffleClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks a real ShuffleHandler. */
class ShuffleProbeTest {
  @TempDir Path directory;
  private ServedOutputs served;
  private ShuffleProbe probe;

  @BeforeEach
  void serve() throws IOException {
    served = new ServedOutputs(directory);
    probe = new ShuffleProbe(new ShuffleClient(ServedOutputs.JOB, served.secret(), null));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  @Test
  void handlerAnswersUntilItIsStopped() {
    assertThat(probe.answers(served.address())).isTrue();
    served.close();
    assertThat(probe.answers(served.address())).isFalse();
  }

  @Test
  void acceptedConnectionIsNoAnswer() throws IOException {
    try (ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertThat(probe.answers("http://localhost:" + deaf.getLocalPort())).isFalse();
    }
  }

  @Test
  void onlyWhatCannotBeReadIsFound() throws IOException {
    List<TaskAttemptID> outputs = served.make(45);
    assertThat(probe.unreadable(served.address(), 1, outputs)).isEmpty();
    served.delete(outputs.get(3));
    served.delete(outputs.get(44));
    assertThat(probe.unreadable(served.address(), 1, outputs))
        .containsExactly(outputs.get(3), outputs.get(44));
    assertThat(probe.unreadable(served.address(), 0, outputs.subList(3, 4)))
        .containsExactly(outputs.get(3));
  }

  @Test
  void outputThatWasReadBeforeIsMissedAllTheSame() throws IOException {
    List<TaskAttemptID> outputs = served.make(1);
    assertThat(probe.unreadable(served.address(), 1, outputs)).isEmpty();
    served.delete(outputs.get(0));
    assertThat(probe.unreadable(served.address(), 1, outputs)).isEqualTo(outputs);
  }

  @Test
  void nothingIsKnownOfAHandlerThatDoesNotAnswer() throws IOException {
    List<TaskAttemptID> outputs = served.make(2);
    served.close();
    assertThat(probe.unreadable(served.address(), 1, outputs)).isEmpty();
  }

  /** As after a NodeManager was started anew without its state. */
  @Test
  void handlerThatDoesNotKnowTheJobCanReadNothing() throws IOException {
    List<TaskAttemptID> outputs = served.make(2);
    ShuffleProbe stranger =
        new ShuffleProbe(
            new ShuffleClient(
                ServedOutputs.JOB, JobTokenSecretManager.createSecretKey(new byte[20]), null));
    assertThat(stranger.answers(served.address())).isTrue();
    assertThat(stranger.unreadable(served.address(), 1, outputs)).isEqualTo(outputs);
  }
}
