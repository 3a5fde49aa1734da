// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.placement.LinkBandwidths.Bandwidths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.descriptive.rank.Median;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverLocality;

/**
 * Tells on which hosts a second attempt is likely to be slow as well: on machines that earlier jobs
 * know for outliers, on those from which outputs crawl, and, for maps, where the path to the input
 * is narrow. That is in racks into which at most half as much comes from the racks with the input
 * as into the median of such racks. In a rack with its input, a map has no path. A reduce reads
 * from everywhere, and {@link ReducePlacer} weighs that.
 *
 * <p>Source: the location factor of Mantri section 5.5, which is "the relative slowness of the
 * candidate machine" and "the relative narrowness of its network path to the inputs", reduced to
 * yes or no: a container is taken or waited for. What this job has seen of its machines is not
 * here, because all attempts keep away from those ({@link AvoidedNodes}).
 *
 * <p>Only the thread that assigns containers may use it. Racks of hosts are looked up once, and
 * bandwidths at most once per second.
 */
final class BadPlaces implements BiPredicate<TaskAttempt, String> {
  static final double NARROW = 2;

  private static final long SECOND = 1_000_000_000;

  private final Predicate<String> slow;
  private final Function<List<String>, Bandwidths> links;
  private final UnaryOperator<String> rackOf;
  private final LongSupplier nanos;
  private final Map<String, String> rackOfHost = new HashMap<>();
  private final Set<String> seen = new TreeSet<>();
  private List<String> racks = List.of();
  private Bandwidths bandwidths;
  private long lookedAt;

  /**
   * Creates the rule.
   *
   * @param slow tells which hosts are known for outliers or a slow link
   * @param links returns what is known now of the links of racks
   * @param rackOf returns the rack of a host; it may be slow
   * @param nanos a clock in nanoseconds
   */
  BadPlaces(
      Predicate<String> slow,
      Function<List<String>, Bandwidths> links,
      UnaryOperator<String> rackOf,
      LongSupplier nanos) {
    this.slow = slow;
    this.links = links;
    this.rackOf = rackOf;
    this.nanos = nanos;
  }

  @Override
  public boolean test(TaskAttempt attempt, String host) {
    return slow.test(host) || isBehindNarrowPath(DroverLocality.racks(attempt), host);
  }

  /** Returns whether the path to a host is narrow from the racks of which any one has the input. */
  boolean isBehindNarrowPath(Set<String> inputs, String host) {
    String rack = rackOfHost.computeIfAbsent(host, rackOf);
    seen.add(rack);
    seen.addAll(inputs);
    if (inputs.isEmpty() || inputs.contains(rack)) {
      return false;
    }
    if (seen.size() > racks.size() || nanos.getAsLong() - lookedAt > SECOND) {
      lookedAt = nanos.getAsLong();
      racks = List.copyOf(seen);
      bandwidths = links.apply(racks);
    }
    double out = 0;
    for (int r = 0; r < racks.size(); r++) {
      out = inputs.contains(racks.get(r)) ? Math.max(out, bandwidths.up()[r]) : out;
    }
    double widest = out;
    double[] paths =
        IntStream.range(0, racks.size())
            .filter(r -> !inputs.contains(racks.get(r)))
            .mapToDouble(r -> Math.min(widest, bandwidths.down()[r]))
            .toArray();
    double here = Math.min(widest, bandwidths.down()[racks.indexOf(rack)]);
    return NARROW * here <= new Median().evaluate(paths);
  }
}
