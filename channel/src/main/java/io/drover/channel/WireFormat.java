// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.proto.ChannelProtos.RackBandwidthProto;
import io.drover.channel.proto.ChannelProtos.SlowTasksProto;
import io.drover.core.restart.SlowTasks;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Converts the parts of the wire format that reports and answers share. */
final class WireFormat {
  private WireFormat() {}

  /** Reads each element of a list of at most {@code most}. Errors name the element's index. */
  static <P, R> List<R> each(String what, List<P> protos, int most, Function<P, R> reader) {
    Validation.size(what, protos.size(), most);
    List<R> read = new ArrayList<>(protos.size());
    for (P proto : protos) {
      try {
        read.add(reader.apply(proto));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(what + "[" + read.size() + "]: " + e.getMessage(), e);
      }
    }
    return read;
  }

  static OptionalDouble optional(boolean isThere, double value) {
    return isThere ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  static SlowTasks read(SlowTasksProto proto) {
    return new SlowTasks(proto.getWithMore(), proto.getLikeOthers());
  }

  static SlowTasksProto write(SlowTasks slow) {
    return SlowTasksProto.newBuilder()
        .setWithMore(slow.withMore())
        .setLikeOthers(slow.likeOthers())
        .build();
  }

  static RackBandwidth read(RackBandwidthProto proto) {
    return new RackBandwidth(
        proto.getRack(),
        optional(proto.hasUp(), proto.getUp()),
        optional(proto.hasDown(), proto.getDown()));
  }

  static RackBandwidthProto write(RackBandwidth link) {
    RackBandwidthProto.Builder proto = RackBandwidthProto.newBuilder().setRack(link.rack());
    link.up().ifPresent(proto::setUp);
    link.down().ifPresent(proto::setDown);
    return proto.build();
  }
}
