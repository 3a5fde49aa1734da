// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import io.drover.channel.proto.ChannelProtos.ReportStatusProto;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Sends 100,000 malicious messages: bytes without a token to the socket, and reports with a token,
 * some over RPC and most without it, which is faster. The answer to each report must be the one
 * that an independent reading of the same bytes predicts. Only valid reports may reach the handler.
 */
class ChannelFuzzIT {
  private static final long SEED = 20_251_121;
  private static final int AT_THE_SOCKET = 4_000;
  private static final int OVER_RPC = 6_000;
  private static final int WITHOUT_RPC = 90_000;
  private static final int OF_ONE_ATTEMPT = 500;

  /** Sends the bytes of a report and returns the status, or null if they cannot be read. */
  private interface Speaker {
    ReportStatusProto send(byte[] report) throws IOException;
  }

  private final Random random = new Random(SEED);
  private final Mutator mutator = new Mutator(random);

  /** Advances by a second with each reading, so that no attempt is told to wait. */
  private final AtomicLong nanos = new AtomicLong();

  private final Manager manager =
      Manager.start(Manager.conf(0), () -> nanos.addAndGet(1_000_000_000));

  @AfterEach
  void stop() {
    manager.close();
  }

  @Test
  void bytesAtTheSocketAreHungUpOn() throws IOException {
    for (int i = 0; i < AT_THE_SOCKET; i++) {
      try (Socket socket = new Socket("127.0.0.1", manager.port())) {
        socket.setTcpNoDelay(true);
        socket.getOutputStream().write(handshake());
        socket.shutdownOutput();
        drain(socket);
      } catch (SocketException e) {
        assertThat(e)
            .hasMessageMatching("(?i).*(reset|broken pipe).*"); // the server did not read it all
      }
    }
    assertThat(manager.handler.received).isEmpty();
    assertThatItLives();
  }

  private static void drain(Socket socket) throws IOException {
    byte[] buffer = new byte[1 << 12];
    while (socket.getInputStream().read(buffer) >= 0) {
      // the answer to nonsense does not matter
    }
  }

  /** Returns the beginning of a handshake, to a random depth and with noise. */
  private byte[] handshake() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    int depth = random.nextInt(6);
    if (depth == 0) {
      out.write(mutator.noise(1 + random.nextInt(300)));
      return bytes.toByteArray();
    }
    byte auth = random.nextInt(4) > 0 ? (byte) 0xdf : (byte) random.nextInt();
    out.write(new byte[] {'h', 'r', 'p', 'c', 9, 0, auth});
    for (int i = 1; i < depth; i++) {
      byte[] frame = frame(saslMessage());
      for (int changes = random.nextInt(3); changes > 0 && frame.length > 0; changes--) {
        frame = mutator.mutate(frame);
      }
      out.writeInt(random.nextInt(8) > 0 ? frame.length : random.nextInt());
      out.write(frame);
    }
    return bytes.toByteArray();
  }

  private byte[] frame(RpcSaslProto message) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    RpcRequestHeaderProto.newBuilder()
        .setCallId(random.nextInt(4) > 0 ? -33 : -random.nextInt(5))
        .setClientId(ByteString.copyFrom(mutator.noise(16)))
        .setRetryCount(-1)
        .build()
        .writeDelimitedTo(frame);
    message.writeDelimitedTo(frame);
    return frame.toByteArray();
  }

  private RpcSaslProto saslMessage() {
    RpcSaslProto.SaslState[] states = RpcSaslProto.SaslState.values();
    RpcSaslProto.Builder message =
        RpcSaslProto.newBuilder().setState(states[random.nextInt(states.length)]);
    if (random.nextBoolean()) {
      message
          .setToken(ByteString.copyFrom(mutator.noise(random.nextInt(200))))
          .addAuthsBuilder()
          .setMethod("TOKEN")
          .setMechanism(random.nextBoolean() ? "DIGEST-MD5" : "PLAIN")
          .setServerId("default");
    }
    return message.build();
  }

  @Test
  void mutatedReportsAreAnsweredAsTheyDeserve() throws IOException {
    Map<ReportStatus, Long> expected = new EnumMap<>(ReportStatus.class);
    for (int application = 1; application <= OVER_RPC / OF_ONE_ATTEMPT; application++) {
      ApplicationAttemptId attempt = SampleMessages.attempt(application);
      UserGroupInformation speaker = Manager.speaker(manager.token(attempt));
      try (RawTransport transport =
          new RawTransport(manager.service.address().orElseThrow(), speaker)) {
        fuzz(attempt, bytes -> status(transport, bytes), expected);
      }
      manager.handler.running.remove(attempt);
    }
    for (ReportStatus status : ReportStatus.values()) {
      assertThat(manager.service.count(status))
          .as(status.name())
          .isEqualTo(expected.getOrDefault(status, 0L));
    }
    assertThatAllKindsWereThere(expected, manager.handler);
    assertThatItLives();
  }

  private static ReportStatusProto status(RawTransport transport, byte[] bytes) throws IOException {
    try {
      return transport.send(bytes).getStatus();
    } catch (RemoteException e) {
      assertThat(e.getClassName()).contains("UnreadableException");
      return null;
    } catch (EOFException | SocketException e) {
      return null; // disconnected before the reason was sent
    }
  }

  @Test
  void soTheyAreWithoutRpc() throws IOException {
    Map<ReportStatus, Long> expected = new EnumMap<>(ReportStatus.class);
    FakeHandler handler = new FakeHandler();
    ReportReceiver receiver =
        new ReportReceiver(handler, Duration.ofMillis(100), () -> nanos.addAndGet(1_000_000_000));
    for (int application = 1; application <= WITHOUT_RPC / OF_ONE_ATTEMPT; application++) {
      ApplicationAttemptId attempt = SampleMessages.attempt(application);
      handler.running.add(attempt);
      Speaker speaker =
          bytes -> {
            ReportProto report = parse(bytes);
            return report == null ? null : receiver.report(attempt, report).getStatus();
          };
      fuzz(attempt, speaker, expected);
    }
    assertThatAllKindsWereThere(expected, handler);
  }

  private static void assertThatAllKindsWereThere(
      Map<ReportStatus, Long> expected, FakeHandler handler) {
    assertThat(expected.keySet())
        .containsExactlyInAnyOrder(
            ReportStatus.TAKEN, ReportStatus.REPLAYED, ReportStatus.BAD, ReportStatus.REFUSED);
    assertThat(handler.received).hasSize(expected.get(ReportStatus.TAKEN).intValue());
  }

  /** Sends mutated reports of one attempt. */
  private void fuzz(ApplicationAttemptId attempt, Speaker speaker, Map<ReportStatus, Long> expected)
      throws IOException {
    long last = 0;
    for (int i = 0; i < OF_ONE_ATTEMPT; i++) {
      Report good = SampleMessages.fullReport(next(last));
      byte[] bytes = mutator.mutate(ReportCodec.write(attempt.toString(), good));
      ReportProto report = parse(bytes);
      if (report == null) {
        assertThat(speaker.send(bytes)).isNull();
      } else {
        ReportStatus status = foretell(attempt, report, last);
        last = status == ReportStatus.TAKEN ? report.getSequence() : last;
        expected.merge(status, 1L, Long::sum);
        assertThat(speaker.send(bytes).name()).isEqualTo(status.name());
      }
    }
  }

  /** Returns the next sequence number. The largest number is repeated. */
  private static long next(long last) {
    return Math.max(last, last + 1);
  }

  private static ReportProto parse(byte[] bytes) {
    try {
      return ReportProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  private static ReportStatus foretell(
      ApplicationAttemptId attempt, ReportProto report, long last) {
    if (!report.getAttempt().equals(attempt.toString())) {
      return ReportStatus.REFUSED;
    }
    try {
      return ReportCodec.read(report).sequence() > last
          ? ReportStatus.TAKEN
          : ReportStatus.REPLAYED;
    } catch (BadMessageException e) {
      return ReportStatus.BAD;
    }
  }

  private void assertThatItLives() throws IOException {
    ApplicationAttemptId honest = SampleMessages.attempt(1_000_000);
    try (RpcTransport transport = manager.transport(Manager.speaker(manager.token(honest)))) {
      AnswerProto answer =
          transport.send(ReportCodec.write(honest.toString(), SampleMessages.fullReport(1)));
      assertThat(answer.getStatus()).isEqualTo(ReportStatusProto.TAKEN);
    }
  }
}
