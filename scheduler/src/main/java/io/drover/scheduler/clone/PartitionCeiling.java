// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import io.drover.core.clone.CloneCeiling;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The ceilings of one partition: one {@link CloneCeiling} for each type of resource. For a clone
 * only the types that it requests count. If all GPUs are busy and everything else is idle, clones
 * that need no GPU are in nobody's way.
 *
 * <p>One thread observes; any thread may ask.
 */
final class PartitionCeiling {
  private final double tau;
  private final double hysteresis;
  private final Predicate<String> counts;
  private final Map<String, CloneCeiling> byType = new ConcurrentHashMap<>();

  /**
   * Creates a ceiling that is open.
   *
   * @param counts whether the scheduler takes a type of resource into account
   */
  PartitionCeiling(double tau, double hysteresis, Predicate<String> counts) {
    this.tau = tau;
    this.hysteresis = hysteresis;
    this.counts = counts;
  }

  private CloneCeiling of(String type) {
    return byType.computeIfAbsent(type, t -> new CloneCeiling(tau, hysteresis));
  }

  /**
   * Takes in what is in use now.
   *
   * @param went what the killed clones held: these types are closed until less is in use
   */
  void observe(Resource used, Resource total, Resource went) {
    for (ResourceInformation type : used.getResources()) {
      String name = type.getName();
      if (counts.test(name)) {
        of(name).observe(share(used, total, name), went.getResourceValue(name) > 0);
      }
    }
  }

  /** Returns whether utilisation is above the ceiling for a resource that a clone holds. */
  boolean isAbove(Resource used, Resource total, Resource clone) {
    for (ResourceInformation type : clone.getResources()) {
      String name = type.getName();
      if (concerns(type) && of(name).isAbove(share(used, total, name))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a clone may start.
   *
   * @param used what is in use, including the clone
   * @param clone its size
   */
  boolean admits(Resource used, Resource total, Resource clone) {
    for (ResourceInformation type : clone.getResources()) {
      String name = type.getName();
      if (concerns(type) && !of(name).admits(share(used, total, name))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether no type that a clone requests is closed. */
  boolean isOpen(Resource clone) {
    return admits(Resources.none(), Resources.none(), clone);
  }

  private boolean concerns(ResourceInformation type) {
    return type.getValue() > 0 && counts.test(type.getName());
  }

  /** Returns a share. Hadoop's calculators use floats, in which seven tenths are less than 0.7. */
  static double share(Resource used, Resource total, String type) {
    long some = used.getResourceValue(type);
    long all = total.getResourceValue(type);
    return all > 0 ? (double) some / all : some > 0 ? 1 : 0;
  }
}
