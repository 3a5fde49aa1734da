// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import io.drover.channel.proto.ChannelProtos.ReportStatusProto;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.ChannelSettings;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.Socket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.security.ChannelTokenKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Uses real RPC on the loopback interface and the real {@code AMRMTokenSecretManager}. */
class ChannelServiceTest {
  private static final ApplicationAttemptId ME = SampleMessages.attempt(1);
  private static final ApplicationAttemptId OTHER = SampleMessages.attempt(2);

  private Manager manager = Manager.start();

  @AfterEach
  void stop() {
    manager.close();
  }

  private void restart(Configuration conf) {
    manager.close();
    manager = Manager.start(conf);
  }

  private static ReportProto report(long sequence) {
    return ReportCodec.write(ME.toString(), SampleMessages.report(sequence));
  }

  /** Sends one report over a connection of its own. */
  private AnswerProto send(UserGroupInformation speaker, long sequence) throws IOException {
    try (RpcTransport transport = manager.transport(speaker)) {
      return transport.send(report(sequence));
    }
  }

  private void assertThatItTakes(long sequence) throws IOException {
    AnswerProto answer = send(Manager.speaker(manager.token(ME)), sequence);
    assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.TAKEN);
  }

  @Test
  void ownTokenIsEnough() throws Exception {
    AnswerProto answer = send(Manager.speaker(manager.token(ME)), 1);
    assertThat(AnswerCodec.read(answer, ClusterTable.EMPTY).state()).contains(SampleMessages.STATE);
    assertThat(manager.handler.received)
        .containsExactly(new FakeHandler.Received(ME, SampleMessages.report(1)));
    assertThat(manager.service.count(ReportStatus.TAKEN)).isEqualTo(1);
    assertThat(manager.service.speakers()).isEqualTo(1);
  }

  @Test
  void withoutATokenNobodyGetsIn() {
    manager.handler.running.add(ME);
    UserGroupInformation nobody = UserGroupInformation.createRemoteUser(ME.toString());
    assertThatThrownBy(() -> send(nobody, 1)).hasMessageContaining("TOKEN");
    assertThat(manager.handler.received).isEmpty();
  }

  @Test
  void forgedTokenIsRefused() throws IOException {
    Token<AMRMTokenIdentifier> good = manager.token(ME);
    byte[] password = good.getPassword().clone();
    password[3] ^= 1;
    Token<AMRMTokenIdentifier> forged =
        new Token<>(good.getIdentifier(), password, good.getKind(), new Text());
    assertThatThrownBy(() -> send(Manager.speaker(forged), 1)).isInstanceOf(IOException.class);
    assertThat(manager.handler.received).isEmpty();
    assertThatItTakes(1);
  }

  @Test
  void tokenOfAnAttemptThatIsOverIsRefused() {
    Token<AMRMTokenIdentifier> token = manager.token(ME);
    manager.tokens.applicationMasterFinished(ME);
    assertThatThrownBy(() -> send(Manager.speaker(token), 1))
        .hasMessageContaining("not found in AMRMTokenSecretManager");
    assertThat(manager.handler.received).isEmpty();
  }

  @Test
  void tokenOfAnotherApplicationIsRefused() throws IOException {
    manager.token(ME);
    AnswerProto answer = send(Manager.speaker(manager.token(OTHER)), 1);
    assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.REFUSED);
    assertThat(answer.getWhy()).contains("the token is that of " + OTHER);
    assertThat(answer.hasState()).isFalse();
    assertThat(manager.handler.received).isEmpty();
  }

  @Test
  void openConnectionOfAnAttemptThatIsOverIsNotHeard() throws IOException {
    try (RpcTransport transport = manager.transport(Manager.speaker(manager.token(ME)))) {
      assertThat(transport.send(report(1)).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
      manager.handler.running.remove(ME);
      assertThat(transport.send(report(2)).getStatus()).isEqualTo(ReportStatusProto.REFUSED);
    }
    assertThat(manager.handler.sequences()).containsExactly(1L);
  }

  @Test
  void replayOverAnotherConnectionIsNotHeardAgain() throws IOException {
    UserGroupInformation me = Manager.speaker(manager.token(ME));
    assertThat(send(me, 7).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    assertThat(send(me, 7).getStatus()).isEqualTo(ReportStatusProto.REPLAYED);
    assertThat(send(me, 6).getStatus()).isEqualTo(ReportStatusProto.REPLAYED);
    assertThat(manager.handler.sequences()).containsExactly(7L);
  }

  @Test
  void rolledKeyNeedsTheNewToken() throws IOException {
    Token<AMRMTokenIdentifier> old = manager.token(ME);
    ChannelTokenKeys.roll(manager.tokens);
    assertThat(send(Manager.speaker(old), 1).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    UserGroupInformation both = Manager.speaker(old);
    both.addToken(new Text("renewed"), manager.token(ME));
    ChannelTokenKeys.activate(manager.tokens);
    assertThatThrownBy(() -> send(Manager.speaker(old), 2))
        .hasMessageContaining("Invalid AMRMToken");
    assertThat(send(both, 2).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    assertThat(manager.handler.sequences()).containsExactly(1L, 2L);
  }

  @Test
  void openConnectionOutlivesTheKey() throws IOException {
    try (RpcTransport transport = manager.transport(Manager.speaker(manager.token(ME)))) {
      transport.send(report(1));
      ChannelTokenKeys.roll(manager.tokens);
      ChannelTokenKeys.activate(manager.tokens);
      assertThat(transport.send(report(2)).getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    }
  }

  @Test
  void oversizedReportIsRefusedAndTheServiceLives() throws IOException {
    UserGroupInformation me = Manager.speaker(manager.token(ME));
    try (RawTransport transport = new RawTransport(manager.service.address().orElseThrow(), me)) {
      assertThatThrownBy(() -> transport.send(new byte[2 * Report.MAX_BYTES]))
          .isInstanceOf(IOException.class);
      byte[] padded = new byte[Report.MAX_BYTES]; // field number 0 is not allowed
      assertThatThrownBy(() -> transport.send(padded)).isInstanceOf(IOException.class);
    }
    assertThat(manager.handler.received).isEmpty();
    assertThatItTakes(1);
  }

  @Test
  void whoSendsWhatCannotBeReadIsHungUpOn() throws IOException {
    UserGroupInformation me = Manager.speaker(manager.token(ME));
    try (RawTransport transport = new RawTransport(manager.service.address().orElseThrow(), me)) {
      assertThat(transport.send(report(1).toByteArray()).getStatus())
          .isEqualTo(ReportStatusProto.TAKEN);
      manager.tokens.applicationMasterFinished(ME); // new connections are rejected from now on
      assertThat(transport.send(report(2).toByteArray()).getStatus())
          .isEqualTo(ReportStatusProto.TAKEN);
      assertThatThrownBy(() -> transport.send(new byte[] {1, 2, 3}))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> transport.send(report(3).toByteArray()))
          .hasMessageContaining("not found in AMRMTokenSecretManager");
    }
    assertThat(manager.handler.sequences()).containsExactly(1L, 2L);
  }

  @Test
  void lengthThatIsOnlyAnnouncedIsNotBelieved() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", manager.port())) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.write(new byte[] {'h', 'r', 'p', 'c', 9, 0, (byte) 0xdf}); // SASL
      out.writeInt(100 << 20);
      out.flush();
      assertThat(socket.getInputStream().read()).isEqualTo(-1); // disconnected without waiting
    }
    assertThatItTakes(1);
  }

  @Test
  void serviceLevelAuthorizationHolds() throws Exception {
    Configuration conf = Manager.conf(0);
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    restart(conf);
    assertThatItTakes(1);
    conf.set(ChannelPolicyProvider.ACL, " "); // nobody
    manager.service.refresh(conf);
    UserGroupInformation me = Manager.speaker(manager.token(ME));
    assertThatThrownBy(() -> send(me, 2)).hasMessageContaining("denied by configured ACL");
    assertThat(manager.handler.sequences()).containsExactly(1L);
    conf.set(ChannelPolicyProvider.ACL, "*");
    conf.set("security.drover.channel.protocol.hosts", "10.11.12.13");
    manager.service.refresh(conf);
    assertThatThrownBy(() -> send(me, 2)).hasMessageContaining("Host 127.0.0.1 is not authorized");
  }

  @Test
  void newPeriodIsToldAndBadOneChangesNothing() throws Exception {
    UserGroupInformation me = Manager.speaker(manager.token(ME));
    assertThat(send(me, 1).getWaitMillis()).isEqualTo(100);
    Configuration conf = Manager.conf(0);
    conf.set(ChannelSettings.PERIOD.key(), "7s");
    manager.service.refresh(conf);
    assertThat(send(me, 2).getWaitMillis()).isEqualTo(7000);
    conf.set(ChannelSettings.PERIOD.key(), "7h");
    assertThatThrownBy(() -> manager.service.refresh(conf)).isInstanceOf(BadSettingException.class);
    assertThat(send(me, 3).getWaitMillis()).isEqualTo(7000);
  }

  @Test
  void connectionsAreLimited() throws IOException {
    Configuration conf = Manager.conf(0);
    conf.set(ChannelSettings.MAX_CONNECTIONS.key(), "2");
    restart(conf);
    UserGroupInformation me = Manager.speaker(manager.token(ME));
    try (Socket one = new Socket("127.0.0.1", manager.port());
        Socket two = new Socket("127.0.0.1", manager.port());
        Socket three = new Socket("127.0.0.1", manager.port())) {
      assertThat(three.getInputStream().read()).isEqualTo(-1);
      assertThat(one.isConnected() && two.isConnected()).isTrue();
      assertThatThrownBy(() -> send(me, 1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void withoutAnAddressItDoesNothing() {
    Configuration conf = Manager.conf(0);
    conf.unset(ChannelSettings.ADDRESS.key());
    ChannelService service = new ChannelService(manager.handler, manager.tokens);
    service.init(conf);
    service.start();
    assertThat(service.address()).isEmpty();
    assertThat(service.count(ReportStatus.TAKEN)).isZero();
    service.stop();
  }

  @Test
  void badSettingOrTakenPortIsSaid() {
    Configuration bad = Manager.conf(0);
    bad.set(ChannelSettings.PERIOD.key(), "1h");
    ChannelService service = new ChannelService(manager.handler, manager.tokens);
    assertThatThrownBy(() -> service.init(bad))
        .hasRootCauseInstanceOf(BadSettingException.class)
        .hasMessageContaining("yarn.drover.channel.period is '1h'");
    ChannelService second = new ChannelService(manager.handler, manager.tokens);
    second.init(Manager.conf(manager.port()));
    assertThatThrownBy(second::start).hasRootCauseInstanceOf(BindException.class);
  }
}
