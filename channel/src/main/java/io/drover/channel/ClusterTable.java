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
 * @param lossProbabilities r_m, the probability that an output kept on a machine is lost while it
 *     is needed (Mantri section 5.3), in [0,1], by machine, of those machines that lose most, at
 *     most {@value #MAX_MACHINES}
 */
public record ClusterTable(
    long tag,
    Map<String, Double> outlierProbabilities,
    List<RackBandwidth> bandwidths,
    Map<String, Double> lossProbabilities) {
  /** The maximum number of machines. */
  public static final int MAX_MACHINES = 500;

  /** The maximum number of racks. */
  public static final int MAX_RACKS = 500;

  /** The empty table. */
  public static final ClusterTable EMPTY = new ClusterTable(0, Map.of(), List.of(), Map.of());

  /** Checks the ranges and copies the collections. */
  public ClusterTable {
    outlierProbabilities =
        checked("outlierProbabilities", "outlierProbability", outlierProbabilities);
    bandwidths = Validation.atMost("bandwidths", bandwidths, MAX_RACKS);
    lossProbabilities = checked("lossProbabilities", "lossProbability", lossProbabilities);
  }

  private static Map<String, Double> checked(
      String all, String one, Map<String, Double> probabilities) {
    Validation.size(all, probabilities.size(), MAX_MACHINES);
    Map<String, Double> copy = Map.copyOf(probabilities);
    copy.forEach(
        (machine, p) -> {
          Validation.name("machine", machine);
          Validation.within(one, p, 0, 1);
        });
    return copy;
  }

  /** Creates a table with its tag. It is immutable and may be sent to many AppMasters. */
  public static ClusterTable of(
      Map<String, Double> outlierProbabilities,
      List<RackBandwidth> bandwidths,
      Map<String, Double> lossProbabilities) {
    boolean isEmpty =
        outlierProbabilities.isEmpty() && bandwidths.isEmpty() && lossProbabilities.isEmpty();
    return isEmpty
        ? EMPTY
        : new ClusterTable(
            tag(outlierProbabilities, bandwidths, lossProbabilities),
            outlierProbabilities,
            bandwidths,
            lossProbabilities);
  }

  /**
   * Returns the machines with the highest probabilities, at most {@value #MAX_MACHINES}, as for an
   * AppMaster that asks about none in particular.
   */
  public static Map<String, Double> worst(Map<String, Double> probabilities) {
    if (probabilities.size() <= MAX_MACHINES) {
      return probabilities;
    }
    List<Map.Entry<String, Double>> all = new ArrayList<>(probabilities.entrySet());
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
  private static long tag(
      Map<String, Double> machines, List<RackBandwidth> bandwidths, Map<String, Double> losses) {
    MessageDigest digest = sha256();
    new TreeMap<>(machines).forEach((machine, p) -> add(digest, machine, p, 0));
    digest.update((byte) 1);
    for (RackBandwidth link : bandwidths) {
      add(digest, link.rack(), orNothing(link.up()), orNothing(link.down()));
    }
    if (!losses.isEmpty()) {
      digest.update((byte) 2);
      new TreeMap<>(losses).forEach((machine, r) -> add(digest, machine, r, 0));
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
