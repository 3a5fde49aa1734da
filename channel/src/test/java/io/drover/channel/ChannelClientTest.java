// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.drover.channel.ClusterState.EndOrder;
import io.drover.channel.Report.LostOutputs;
import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.ReportLoop.Transport;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ChannelProtocol;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import io.drover.core.config.ChannelSettings;
import io.drover.core.containment.CircuitBreaker;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.security.ChannelTokenKeys;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uses real RPC on the loopback interface. */
class ChannelClientTest {
  private static final ApplicationAttemptId ME = SampleMessages.attempt(1);

  private final Manager manager = Manager.start();
  private final UserGroupInformation me = Manager.speaker(manager.token(ME));
  private final List<AutoCloseable> opened = new ArrayList<>(List.of(manager));

  @BeforeEach
  void patience() {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    Awaitility.setDefaultPollInterval(Duration.ofMillis(5));
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
    Awaitility.reset();
  }

  private <T extends AutoCloseable> T closed(T one) {
    opened.add(one);
    return one;
  }

  private ChannelClient start(Configuration conf) {
    return closed(ChannelClient.start(conf, ME, me));
  }

  private static Configuration twoManagers(String one, String two) {
    Configuration conf = new YarnConfiguration();
    conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
    conf.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
    conf.set(ChannelSettings.ADDRESS.of("rm1").key(), one);
    conf.set(ChannelSettings.ADDRESS.of("rm2").key(), two);
    return conf;
  }

  private static void sayEverything(ChannelClient client) {
    client.job(SampleMessages.JOB);
    client.ended(SampleMessages.OUTCOME);
    client.lost(new LostOutputs("n", 1));
    client.bandwidth(new RackBandwidth("/r", OptionalDouble.of(1), OptionalDouble.empty()));
    client.ask(List.of("n"));
  }

  @Test
  void whatIsSaidIsHeardAndAnswered() {
    ChannelClient client = start(Manager.conf(manager.port()));
    assertThat(client.latestState()).isEmpty();
    sayEverything(client);
    await().until(() -> client.latestState().isPresent());
    assertThat(client.latestState().orElseThrow().state()).isEqualTo(SampleMessages.STATE);
    await().untilAsserted(() -> assertThat(manager.handler.containers()).containsExactly(1L));
    await()
        .untilAsserted(
            () ->
                assertThat(manager.handler.received)
                    .anyMatch(h -> h.report().machines().equals(List.of("n")))
                    .anyMatch(h -> !h.report().lostOutputs().isEmpty())
                    .anyMatch(h -> !h.report().bandwidths().isEmpty()));
    assertThat(manager.handler.received.element().report().job()).contains(SampleMessages.JOB);
  }

  @Test
  void changeInTheClusterIsHeard() {
    ChannelClient client = start(Manager.conf(manager.port()));
    client.job(SampleMessages.JOB);
    await().until(() -> client.latestState().isPresent());
    manager.handler.state =
        new ClusterState(
            OptionalDouble.of(0.5),
            ClusterTable.EMPTY,
            OptionalInt.of(0),
            1.2,
            Optional.of(new EndOrder("why not", Duration.ofMinutes(1))));
    await()
        .untilAsserted(
            () ->
                assertThat(client.latestState().orElseThrow().state())
                    .isEqualTo(manager.handler.state));
  }

  /** A transport that fails in an unforeseen way, until that has switched its client off. */
  private static final class BrokenTransport implements Transport {
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public AnswerProto send(ReportProto report) {
      if (calls.incrementAndGet() <= CircuitBreaker.FAILURES) {
        throw new NoSuchMethodError("of another version");
      }
      Answer answer =
          new Answer(
              ReportStatus.TAKEN,
              "",
              Duration.ofMillis(100),
              false,
              Optional.of(SampleMessages.STATE));
      return AnswerCodec.write(answer, report.getTableTag());
    }

    @Override
    public void close() {}
  }

  @Test
  void clientThatFailedSpeaksAgainByItself() {
    BrokenTransport transport = new BrokenTransport();
    AtomicLong nanos = new AtomicLong();
    ChannelClient client = closed(new ChannelClient(ME.toString(), List.of(transport), nanos::get));
    client.start(me);
    client.job(SampleMessages.JOB);
    await().until(() -> transport.calls.get() == CircuitBreaker.FAILURES);
    await().during(Duration.ofSeconds(2)).until(() -> client.latestState().isEmpty());
    assertThat(transport.calls).as("it is off").hasValue(CircuitBreaker.FAILURES);
    nanos.addAndGet(CircuitBreaker.PAUSE.toNanos());
    client.ended(SampleMessages.outcome(77));
    await().until(() -> client.latestState().isPresent());
  }

  @Test
  void lastWordsAreSaidAtTheEnd() {
    Configuration conf = Manager.conf(manager.port());
    ChannelClient client = start(conf);
    client.job(SampleMessages.JOB);
    await().until(() -> client.latestState().isPresent());
    client.ended(SampleMessages.outcome(77));
    client.close();
    await().untilAsserted(() -> assertThat(manager.handler.containers()).containsExactly(77L));
  }

  @Test
  void anotherManagerTakesOverAndNothingIsLost() {
    Manager standby = closed(manager.standby(Manager.conf(0)));
    ChannelClient client = start(twoManagers(manager.address(), standby.address()));
    client.job(SampleMessages.JOB);
    LongStream.rangeClosed(1, 500).forEach(i -> client.ended(SampleMessages.outcome(i)));
    await().until(() -> !manager.handler.containers().isEmpty());
    manager.service.stop();
    LongStream.rangeClosed(501, 1000).forEach(i -> client.ended(SampleMessages.outcome(i)));
    Long[] all = LongStream.rangeClosed(1, 1000).boxed().toArray(Long[]::new);
    await()
        .untilAsserted(
            () -> {
              List<Long> containers = new ArrayList<>(manager.handler.containers());
              containers.addAll(standby.handler.containers());
              assertThat(containers).contains(all);
            });
    assertThat(standby.handler.containers()).doesNotHaveDuplicates();
    assertThat(manager.handler.containers()).doesNotHaveDuplicates();
    await()
        .untilAsserted( // the standby did not know the job
            () -> assertThat(standby.handler.received).anyMatch(h -> h.report().job().isPresent()));
    assertThat(client.latestState()).isPresent();
  }

  @Test
  void renewedTokenIsTakenForTheNextConnection() {
    int port = manager.port();
    ChannelClient client = start(Manager.conf(port));
    client.job(SampleMessages.JOB);
    await().until(() -> client.latestState().isPresent());
    ChannelTokenKeys.roll(manager.tokens);
    me.addToken(manager.token(ME)); // replaces the old one, as Hadoop's AppMaster does
    ChannelTokenKeys.activate(manager.tokens);
    manager.service.stop();
    Manager again = closed(manager.standby(Manager.conf(port)));
    client.ended(SampleMessages.outcome(5));
    await().untilAsserted(() -> assertThat(again.handler.containers()).containsExactly(5L));
  }

  @Test
  void renewedTokenIsShownAtOnceThoughTheConnectionIsOpen() {
    ChannelClient client = start(Manager.conf(manager.port()));
    client.job(SampleMessages.JOB);
    await().until(() -> client.latestState().isPresent());
    ChannelTokenKeys.roll(manager.tokens);
    me.addToken(new Text("renewed"), manager.token(ME)); // beside the old one
    ChannelTokenKeys.activate(manager.tokens);
    client.ended(SampleMessages.outcome(5));
    await().untilAsserted(() -> assertThat(manager.handler.containers()).containsExactly(5L));
    assertThat(manager.handler.sequences()).doesNotHaveDuplicates();
  }

  /** The keys of a ResourceManager that has taken over may start at any number. */
  @Test
  void whereTheNewestTokenIsNoneAnotherIsShown() {
    for (int distance : new int[] {1, -1}) {
      try (Manager another = Manager.start()) {
        Token<AMRMTokenIdentifier> good = another.token(ME);
        UserGroupInformation both = Manager.speaker(good);
        int key = another.tokens.getMasterKey().getMasterKey().getKeyId();
        byte[] id = new AMRMTokenIdentifier(ME, key + distance).getBytes();
        both.addToken(
            new Text("old"), new Token<>(id, new byte[20], good.getKind(), new Text("rm:8030")));
        byte[] password = good.getPassword().clone();
        password[0] ^= 1;
        both.addToken(
            new Text("forged"),
            new Token<>(good.getIdentifier(), password, good.getKind(), new Text("rm:8030")));
        ChannelClient client = closed(ChannelClient.start(Manager.conf(another.port()), ME, both));
        client.job(SampleMessages.JOB);
        await().until(() -> client.latestState().isPresent());
        assertThat(another.handler.sequences()).startsWith(1L);
      }
    }
  }

  /** A transport that waits, before each call, for what a test says first. */
  private record HeldTransport(Transport transport, CompletableFuture<Void> said)
      implements Transport {
    @Override
    public AnswerProto send(ReportProto report) throws IOException {
      said.join();
      return transport.send(report);
    }

    @Override
    public void close() {
      transport.close();
    }
  }

  @Test
  void managerThatHangsIsNotWaitedFor() throws IOException {
    try (ServerSocket hangs = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Duration soon = Duration.ofMillis(500);
      String silent = "127.0.0.1:" + hangs.getLocalPort();
      CompletableFuture<Void> said = new CompletableFuture<>();
      ChannelClient client =
          closed(
              new ChannelClient(
                  ME.toString(),
                  List.of(
                      new RpcTransport(silent, ME.toString(), me, Manager.conf(0), soon),
                      new HeldTransport(manager.transport(me), said))));
      client.start(me);
      sayEverything(client); // returns although the first manager does not answer
      assertThat(client.latestState()).isEmpty();
      said.complete(null);
      await().until(() -> client.latestState().isPresent()); // from the other manager
      assertThat(manager.handler.sequences()).startsWith(1L);
    }
  }

  /** From Java 22 on, a thread would have no user; up to 21, it would have its starter's user. */
  @Test
  void itsThreadWorksInTheNameOfTheSpeaker() {
    AtomicReference<String> user = new AtomicReference<>();
    Transport transport =
        new Transport() {
          @Override
          public AnswerProto send(ReportProto report) throws IOException {
            user.set(UserGroupInformation.getCurrentUser().getUserName());
            throw new ConnectException("nobody is there");
          }

          @Override
          public void close() {}
        };
    ChannelClient client = closed(new ChannelClient(ME.toString(), List.of(transport)));
    client.start(UserGroupInformation.createRemoteUser("ann"));
    client.job(new JobStart(1, 0, Optional.empty(), Optional.empty(), true));
    await().until(() -> "ann".equals(user.get()));
  }

  @Test
  void jobThatChangesCutsNoPauseShort() {
    AtomicInteger calls = new AtomicInteger();
    Transport nobody =
        new Transport() {
          @Override
          public AnswerProto send(ReportProto report) throws IOException {
            calls.incrementAndGet();
            throw new ConnectException("nobody is there");
          }

          @Override
          public void close() {}
        };
    ChannelClient client = closed(new ChannelClient(ME.toString(), List.of(nobody)));
    client.start(me);
    AtomicInteger maps = new AtomicInteger();
    await()
        .during(Duration.ofMillis(300))
        .until(
            () -> {
              client.job(
                  new JobStart(
                      maps.incrementAndGet(), 0, Optional.empty(), Optional.empty(), true));
              return calls.get() <= ReportLoop.ROUNDS_OF_A_STRANGER;
            });
  }

  @Test
  void managerThatHangsAloneHurtsNobody() throws IOException {
    try (ServerSocket hangs = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      RpcTransport transport =
          new RpcTransport(
              "127.0.0.1:" + hangs.getLocalPort(),
              ME.toString(),
              me,
              Manager.conf(0),
              Duration.ofMillis(200));
      assertThatThrownBy(() -> transport.send(ReportProto.getDefaultInstance()))
          .isInstanceOf(IOException.class);
      transport.close();
    }
  }

  @Test
  void withoutDroverOrWithBadSettingsNothingIsHeardAndNothingHappens() {
    Configuration none = new YarnConfiguration();
    Configuration bad = Manager.conf(0);
    bad.set(ChannelSettings.ADDRESS.key(), "nonsense");
    Configuration refused = Manager.conf(1);
    Configuration unknown = new YarnConfiguration();
    unknown.set(ChannelSettings.ADDRESS.key(), "no-such-host.invalid:1");
    for (Configuration conf : List.of(none, bad, refused, unknown)) {
      ChannelClient client = start(conf);
      sayEverything(client);
      client.ended(null);
      client.close();
      client.close();
      sayEverything(client);
      assertThat(client.latestState()).isEmpty();
    }
  }

  @ProtocolInfo(protocolName = "io.drover.channel.Another", protocolVersion = 1)
  interface AnotherPB extends ChannelProtocol.BlockingInterface {}

  @ProtocolInfo(protocolName = "io.drover.channel.ChannelProtocolPB", protocolVersion = 2)
  interface LaterPB extends ChannelProtocol.BlockingInterface {}

  @Test
  void managerThatSpeaksSomethingElseIsNoAnswer() throws IOException {
    for (Class<?> protocol : List.of(AnotherPB.class, LaterPB.class)) {
      Configuration conf = new Configuration();
      RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
      RPC.Server server =
          new RPC.Builder(conf)
              .setProtocol(protocol)
              .setInstance(
                  ChannelProtocol.newReflectiveBlockingService(
                      (controller, report) -> {
                        throw new AssertionError("called");
                      }))
              .setBindAddress("127.0.0.1")
              .setPort(0)
              .setSecretManager(manager.tokens)
              .build();
      server.start();
      try (RpcTransport transport =
          new RpcTransport(
              "127.0.0.1:" + server.getPort(), ME.toString(), me, conf, RpcTransport.TIMEOUT)) {
        assertThatThrownBy(() -> transport.send(ReportProto.getDefaultInstance()))
            .isInstanceOf(IOException.class);
      } finally {
        server.stop();
      }
    }
  }
}
