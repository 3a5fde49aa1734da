// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How reduces are placed.
 *
 * @param patience how long reduces are held until enough is known, and how long one waits for a
 *     container in its rack
 * @param links the bandwidths of racks that are known
 * @param shortShuffle up to which time of the busiest link measured bandwidths are used
 */
public record PlacementSettings(Duration patience, Map<String, Link> links, Duration shortShuffle) {
  private static final double MEGA = 1e6;

  /**
   * The link of a rack to the others.
   *
   * @param up bandwidth out of it, bytes per second, above 0
   * @param down bandwidth into it, bytes per second, above 0
   */
  public record Link(double up, double down) {}

  /** Where nothing is known all links are alike; then only the proportions count. */
  public static final Link USUAL = new Link(125 * MEGA, 125 * MEGA);

  /** Copies the map. */
  public PlacementSettings {
    links = Map.copyOf(links);
  }

  /** Bandwidth out of a rack, bytes per second. */
  public double up(String rack) {
    return links.getOrDefault(rack, USUAL).up();
  }

  /** Bandwidth into a rack, bytes per second. */
  public double down(String rack) {
    return links.getOrDefault(rack, USUAL).down();
  }

  /**
   * The links in a list such as {@code /rack1=125:125}, megabytes per second up and down.
   *
   * @throws IllegalArgumentException if an entry is none
   */
  static Map<String, Link> parse(List<String> entries) {
    Map<String, Link> links = new HashMap<>();
    for (String entry : entries) {
      int equals = entry.lastIndexOf('=');
      int colon = entry.indexOf(':', equals);
      if (equals < 1 || colon < 0) {
        throw new IllegalArgumentException("no link: " + entry);
      }
      double up = Double.parseDouble(entry.substring(equals + 1, colon)) * MEGA;
      double down = Double.parseDouble(entry.substring(colon + 1)) * MEGA;
      if (!(up > 0 && down > 0 && up < 1e15 && down < 1e15)) {
        throw new IllegalArgumentException("no bandwidth: " + entry);
      }
      links.put(entry.substring(0, equals), new Link(up, down));
    }
    return links;
  }
}
