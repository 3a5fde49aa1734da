// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.channel.proto.ChannelProtos.AnswerProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;

/**
 * AppMaster and ResourceManager may have different versions. The bytes were recorded when the
 * version in the first comment of channel.proto was new. They must be understood for as long as
 * that version is in use.
 */
class OlderAndNewerPeersTest {
  private static final String REPORT_1 =
      """
      0a18617070617474656d70745f315f303030315f30303030303110031a10080c10041a0808061001
      180220032801221c0801120a6e312e6578616d706c65180121000000000000d03f28d20922060802
      12026e322a060a026e3110032a060a026e321001320d0a022f61110000000084d79741320d0a022f
      62190000000084d7a7413a040802100542026e3142026e3249f49cdb1fc9c9a3d0
      """;
  private static final String ANSWER_1 =
      """
      08011202736f18b81720012a52099a9999999999b93f123c09f49cdb1fc9c9a3d012040a026e3212
      0d0a026e3111000000000000e03f1a0d0a022f61110000000084d797411a0d0a022f621900000000
      84d7a741180721cdccccccccccf03f
      """;

  private static byte[] recorded(String hex) {
    return HexFormat.of().parseHex(hex.replace("\n", ""));
  }

  private static Report report(byte[] bytes) throws Exception {
    return ReportCodec.read(ReportProto.parseFrom(bytes));
  }

  private static Answer answer(byte[] bytes) throws Exception {
    return AnswerCodec.read(AnswerProto.parseFrom(bytes), ClusterTable.EMPTY);
  }

  private static Answer sampleAnswer() {
    return new Answer(
        ReportStatus.TAKEN, "so", Duration.ofSeconds(3), true, Optional.of(SampleMessages.STATE));
  }

  @Test
  void reportThatWasRecordedIsUnderstood() throws Exception {
    byte[] bytes = recorded(REPORT_1);
    assertThat(ReportProto.parseFrom(bytes).getAttempt()).isEqualTo("appattempt_1_0001_000001");
    assertThat(report(bytes)).isEqualTo(firstReport());
  }

  /** Returns the sample as it was then, without kept outputs and programs. */
  private static Report firstReport() {
    Report now = SampleMessages.fullReport(3);
    JobStart job = now.job().orElseThrow();
    return new Report(
        now.sequence(),
        Optional.of(
            new JobStart(job.maps(), job.reduces(), job.inputs(), job.partitions(), job.clones())),
        now.outcomes().stream()
            .map(
                outcome ->
                    new AttemptOutcome(
                        outcome.container(),
                        outcome.machine(),
                        outcome.outlier(),
                        outcome.relativeRate(),
                        outcome.duration(),
                        false))
            .toList(),
        now.lostOutputs(),
        now.bandwidths(),
        now.machines(),
        now.tableTag());
  }

  @Test
  void answerThatWasRecordedIsUnderstood() throws Exception {
    ClusterState now = SampleMessages.STATE;
    ClusterState first =
        new ClusterState(
            now.outlierProbability(), now.table(), now.cloneRoom(), now.upstreamRatio(), now.end());
    assertThat(answer(recorded(ANSWER_1)))
        .isEqualTo(
            new Answer(ReportStatus.TAKEN, "so", Duration.ofSeconds(3), true, Optional.of(first)));
  }

  /** An older peer omits the fields that it does not know. */
  @Test
  void whatIsMissingMeansNothing() throws Exception {
    assertThat(report(new byte[] {0x10, 1})) // sequence: 1
        .isEqualTo(new Report(1, Optional.empty(), List.of(), List.of(), List.of(), List.of(), 0));
    assertThat(answer(new byte[] {0x08, 1})) // status: TAKEN
        .isEqualTo(new Answer(ReportStatus.TAKEN, "", Duration.ZERO, false, Optional.empty()));
  }

  /** A newer peer may send further fields in any message. */
  @Test
  void whatIsNotKnownIsPassedOver() throws Exception {
    ReportProto report = ReportCodec.write("a", SampleMessages.fullReport(3));
    byte[] more = withMore(report).toByteArray();
    assertThat(more.length).isGreaterThan(report.getSerializedSize() + 100);
    assertThat(report(more)).isEqualTo(SampleMessages.fullReport(3));
    byte[] answer = withMore(AnswerCodec.write(sampleAnswer(), 0)).toByteArray();
    assertThat(answer(answer)).isEqualTo(sampleAnswer());
  }

  /** Adds unknown fields to the message and to all messages in it. */
  private static Message withMore(Message message) {
    Message.Builder more = message.toBuilder();
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && field.isRepeated()) {
        for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
          more.setRepeatedField(field, i, withMore((Message) message.getRepeatedField(field, i)));
        }
      } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        more.setField(field, withMore((Message) entry.getValue()));
      }
    }
    UnknownFieldSet.Field text =
        UnknownFieldSet.Field.newBuilder()
            .addLengthDelimited(ByteString.copyFromUtf8("of a newer version"))
            .addVarint(7)
            .build();
    return more.setUnknownFields(UnknownFieldSet.newBuilder().addField(1023, text).build()).build();
  }
}
