// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.drover.appmaster.shuffle.ServedOutputs;
import io.drover.appmaster.shuffle.ShuffleClient;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.VersionedProtocol;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;

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

  /** What a server is made for that has nothing to say. */
  public interface Nothing extends VersionedProtocol {
    long versionID = 1;
  }

  @Test
  void rpcServerAnswersUntilItIsStopped() throws IOException {
    Server server =
        new RPC.Builder(new Configuration())
            .setProtocol(Nothing.class)
            .setInstance(Mockito.mock(Nothing.class))
            .setBindAddress("127.0.0.1")
            .setPort(0)
            .build();
    server.start();
    String address = "http://127.0.0.1:" + server.getListenerAddress().getPort();
    assertThat(probe.answers(address)).isTrue();
    server.stop();
    assertThat(probe.answers(address)).isFalse();
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

  /** Something that is no ShuffleHandler and answers as a proxy that does not reach the node. */
  private static HttpServer badGateway() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(HttpURLConnection.HTTP_BAD_GATEWAY, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void nothingIsKnownFromWhatAnotherServerSays() throws IOException {
    List<TaskAttemptID> outputs = served.make(1);
    HttpServer other = badGateway();
    try {
      String address = "http://localhost:" + other.getAddress().getPort();
      assertThat(probe.unreadable(address, 1, outputs)).isEmpty();
      assertThat(probe.canRead(address, 1, outputs.get(0))).isFalse();
    } finally {
      other.stop(0);
    }
  }

  @Test
  void nodeIsAskedItselfThoughTheJvmHasAProxy() throws IOException {
    List<TaskAttemptID> outputs = served.make(1);
    HttpServer proxy = badGateway();
    ProxySelector before = ProxySelector.getDefault();
    try {
      ProxySelector.setDefault(ProxySelector.of(proxy.getAddress()));
      assertThat(probe.canRead(served.address(), 1, outputs.get(0))).isTrue();
      served.close();
      assertThat(probe.answers(served.address())).isFalse();
    } finally {
      ProxySelector.setDefault(before);
      proxy.stop(0);
    }
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
