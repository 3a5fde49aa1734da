// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.proto.ChannelProtos.OutcomeProto;
import io.drover.channel.proto.ChannelProtos.RackBandwidthProto;
import io.drover.channel.proto.ChannelProtos.ReportProto;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;

/** Corrupts reports: some in their values, others in their bytes. */
final class Mutator {
  private static final double[] NUMBERS = {
    Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, -1, -0.0, 0, 1e300, 4e-324, 0.5
  };
  private static final long[] COUNTS = {
    Long.MIN_VALUE, Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE, 1L << 40, Long.MAX_VALUE
  };
  private static final String[] TEXTS = {
    "", " ", "n1", "\0", "a\nb", "\u20ac", "<script>", "../..", "x".repeat(255), "x".repeat(256)
  };
  private static final List<BiConsumer<ReportProto.Builder, Mutator>> VALUES =
      List.of(
          (r, m) -> r.setAttempt(m.text()),
          (r, m) -> r.setSequence(m.count()),
          (r, m) -> r.setTableTag(m.count()),
          (r, m) -> r.getJobBuilder().setMaps((int) m.count()).setReduces((int) m.count()),
          (r, m) -> r.getJobBuilder().getInputsBuilder().setTotal(m.count()).setMedian(m.count()),
          (r, m) -> r.addMachines(m.text()),
          (r, m) -> r.addOutcomes(m.outcome()),
          (r, m) -> r.setOutcomes(0, m.outcome()),
          (r, m) -> r.addBandwidths(m.link()),
          (r, m) -> r.getLostOutputsBuilder(0).setMachine(m.text()).setOutputs((int) m.count()),
          (r, m) -> m.many(() -> r.addMachines("n")),
          (r, m) -> m.many(() -> r.addOutcomes(OutcomeProto.getDefaultInstance())),
          (r, m) -> r.clearAttempt());

  private final Random random;

  Mutator(Random random) {
    this.random = random;
  }

  /** Corrupts a report. One in ten stays as it is. */
  byte[] mutate(ReportProto report) {
    int way = random.nextInt(10);
    if (way == 0) {
      return report.toByteArray();
    }
    if (way < 5) {
      ReportProto.Builder builder = report.toBuilder();
      for (int i = random.nextInt(3); i >= 0; i--) {
        VALUES.get(random.nextInt(VALUES.size())).accept(builder, this);
      }
      return builder.build().toByteArray();
    }
    byte[] bytes = report.toByteArray();
    for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
      bytes = mutate(bytes);
    }
    return bytes;
  }

  byte[] mutate(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    byte[] changed = bytes.clone();
    switch (random.nextInt(6)) {
      case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> changed[at] = (byte) random.nextInt();
      case 2 -> changed = Arrays.copyOf(bytes, at);
      case 3 -> changed = splice(bytes, at, noise(1 + random.nextInt(20)), at);
      case 4 -> changed = splice(bytes, at, bytes, random.nextInt(bytes.length));
      default -> Arrays.fill(changed, at, Math.min(bytes.length, at + 9), (byte) 0xff);
    }
    return changed;
  }

  /** Joins the bytes before {@code to}, other bytes, and the bytes from {@code from} on. */
  private static byte[] splice(byte[] bytes, int to, byte[] between, int from) {
    byte[] spliced = Arrays.copyOf(bytes, to + between.length + bytes.length - from);
    System.arraycopy(between, 0, spliced, to, between.length);
    System.arraycopy(bytes, from, spliced, to + between.length, bytes.length - from);
    return spliced;
  }

  byte[] noise(int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  private void many(Runnable add) {
    for (int i = random.nextInt(1000); i >= 0; i--) {
      add.run();
    }
  }

  private OutcomeProto outcome() {
    return OutcomeProto.newBuilder()
        .setContainer(count())
        .setMachine(text())
        .setRelativeRate(number())
        .setDurationMillis(count())
        .build();
  }

  private RackBandwidthProto link() {
    return RackBandwidthProto.newBuilder()
        .setRack(text())
        .setUp(number())
        .setDown(number())
        .build();
  }

  private double number() {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private long count() {
    return COUNTS[random.nextInt(COUNTS.length)];
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }
}
