// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * A table of the cluster's machines and links. It changes seldom, so it goes over the wire only to
 * who has another one: the tag says which it is. The tag is made of the contents, so it is right
 * after a failover too, to a ResourceManager that has counted differently, and for an AppMaster
 * that asks about other machines than before.
 *
 * @param tag of the contents; 0 for a table without any
 * @param outlierProbabilities p_m, in [0,1], by machine, of at most {@value #MAX_MACHINES} machines
 * @param bandwidths of at most {@value #MAX_RACKS} racks
 */
public record ClusterTable(
    long tag, Map<String, Double> outlierProbabilities, List<RackBandwidth> bandwidths) {
  /** Machines at most. */
  public static final int MAX_MACHINES = 500;

  /** Racks at most. */
  public static final int MAX_RACKS = 500;

  /** A table without contents. */
  public static final ClusterTable EMPTY = new ClusterTable(0, Map.of(), List.of());

  /** Checks the ranges, and copies. */
  public ClusterTable {
    Validation.size("outlierProbabilities", outlierProbabilities.size(), MAX_MACHINES);
    outlierProbabilities = Map.copyOf(outlierProbabilities);
    outlierProbabilities.forEach(
        (machine, p) -> {
          Validation.name("machine", machine);
          Validation.within("outlierProbability", p, 0, 1);
        });
    bandwidths = Validation.atMost("bandwidths", bandwidths, MAX_RACKS);
  }

  /** The table of given contents, with its tag. It may be kept and told to many. */
  public static ClusterTable of(
      Map<String, Double> outlierProbabilities, List<RackBandwidth> bandwidths) {
    boolean isEmpty = outlierProbabilities.isEmpty() && bandwidths.isEmpty();
    return isEmpty
        ? EMPTY
        : new ClusterTable(tag(outlierProbabilities, bandwidths), outlierProbabilities, bandwidths);
  }

  /**
   * The machines that are told to who asks for none in particular: those with the highest
   * probabilities, as many as go into a table.
   */
  public static Map<String, Double> worst(Map<String, Double> outlierProbabilities) {
    if (outlierProbabilities.size() <= MAX_MACHINES) {
      return outlierProbabilities;
    }
    List<Map.Entry<String, Double>> all = new ArrayList<>(outlierProbabilities.entrySet());
    all.sort(
        Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
            .thenComparing(Map.Entry.comparingByKey()));
    Map<String, Double> worst = new HashMap<>();
    all.subList(0, MAX_MACHINES).forEach(entry -> worst.put(entry.getKey(), entry.getValue()));
    return worst;
  }

  /**
   * The links that are told, where there are more racks than go into a table: those with the least
   * bandwidth in one of the directions, since a placement keeps away from them.
   */
  public static List<RackBandwidth> narrowest(List<RackBandwidth> bandwidths) {
    if (bandwidths.size() <= MAX_RACKS) {
      return bandwidths;
    }
    Comparator<RackBandwidth> byBandwidth =
        Comparator.comparingDouble(
            link ->
                Math.min(
                    link.up().orElse(RackBandwidth.MAX_BANDWIDTH),
                    link.down().orElse(RackBandwidth.MAX_BANDWIDTH)));
    return bandwidths.stream()
        .sorted(byBandwidth.thenComparing(RackBandwidth::rack))
        .limit(MAX_RACKS)
        .toList();
  }

  /** The first 64 bits of a digest of the contents. */
  private static long tag(Map<String, Double> machines, List<RackBandwidth> bandwidths) {
    MessageDigest digest = sha256();
    new TreeMap<>(machines).forEach((machine, p) -> add(digest, machine, p, 0));
    digest.update((byte) 1);
    for (RackBandwidth link : bandwidths) {
      add(digest, link.rack(), orNothing(link.up()), orNothing(link.down()));
    }
    long tag = ByteBuffer.wrap(digest.digest()).getLong();
    return tag == 0 ? 1 : tag;
  }

  private static void add(MessageDigest digest, String name, double a, double b) {
    digest.update(name.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    digest.update(ByteBuffer.allocate(2 * Double.BYTES).putDouble(a).putDouble(b).flip());
  }

  /** Bandwidths are above 0. */
  private static double orNothing(OptionalDouble bandwidth) {
    return bandwidth.orElse(0);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
