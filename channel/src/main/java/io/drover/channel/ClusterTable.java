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
 * A table of the cluster's machines and links. It seldom changes, so the ResourceManager sends it
 * only to AppMasters whose table has another tag. The tag is a digest of the contents. So it stays
 * right after a failover to a ResourceManager that has counted differently, and when an AppMaster
 * asks about other machines than before.
 *
 * @param tag the tag of the contents; 0 if the table is empty
 * @param outlierProbabilities p_m, in [0,1], by machine, of at most {@value #MAX_MACHINES} machines
 * @param bandwidths the bandwidths of at most {@value #MAX_RACKS} racks
 */
public record ClusterTable(
    long tag, Map<String, Double> outlierProbabilities, List<RackBandwidth> bandwidths) {
  /** The maximum number of machines. */
  public static final int MAX_MACHINES = 500;

  /** The maximum number of racks. */
  public static final int MAX_RACKS = 500;

  /** The empty table. */
  public static final ClusterTable EMPTY = new ClusterTable(0, Map.of(), List.of());

  /** Checks the ranges and copies the collections. */
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

  /** Creates a table with its tag. It is immutable and may be sent to many AppMasters. */
  public static ClusterTable of(
      Map<String, Double> outlierProbabilities, List<RackBandwidth> bandwidths) {
    boolean isEmpty = outlierProbabilities.isEmpty() && bandwidths.isEmpty();
    return isEmpty
        ? EMPTY
        : new ClusterTable(tag(outlierProbabilities, bandwidths), outlierProbabilities, bandwidths);
  }

  /**
   * Returns the machines for an AppMaster that asks about none in particular: those with the
   * highest probabilities, at most {@value #MAX_MACHINES}.
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
   * Returns the links that go into a table, at most {@value #MAX_RACKS}. If there are more, it
   * returns those with the least bandwidth in either direction, because placements avoid them.
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

  /** Returns the first 64 bits of a SHA-256 digest of the contents; never 0. */
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

  /** Returns 0 for an unknown bandwidth. Known ones are above 0. */
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
