// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

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

  /** Placement of reduces: off, observe or on. */
  public static final Setting<Mode> MODE =
      Setting.mode(
          JobSettings.PREFIX + "placement.mode",
          Mode.ON,
          "Whether Drover's AppMaster runs reduces in the racks to which their data comes"
              + " over the least busy links (Mantri section 5.2). off: they run where the"
              + " scheduler puts them; observe: they do so too, and the log says which racks"
              + " Drover would have asked for.");

  /** How long reduces wait. */
  public static final Setting<Duration> PATIENCE =
      Setting.duration(
          JobSettings.PREFIX + "placement.patience",
          "10s",
          Duration.ZERO,
          Duration.ofMinutes(10),
          "How long reduces that could start are held back until Drover knows where the"
              + " map output is, and how long a reduce then waits for a container in its rack"
              + " before it takes any. While maps still run, a reduce waits six times as long.");

  /** What links between racks bear. */
  public static final Setting<Map<String, Link>> LINKS =
      Setting.links(
          JobSettings.PREFIX + "placement.links",
          "Bandwidths of racks that differ from the others, such as /rack1=1250:1250:"
              + " megabytes per second out of the rack and into it. All other racks have 125.");

  /** Which shuffles are placed by measured bandwidths. */
  public static final Setting<Duration> SHORT_SHUFFLE =
      Setting.duration(
          JobSettings.PREFIX + "placement.short-shuffle",
          "60s",
          Duration.ZERO,
          Duration.ofHours(10),
          "A shuffle whose busiest link needs no longer than this is placed by the"
              + " bandwidths that the job's reduces have measured. For longer shuffles, Drover"
              + " assumes that differences even out (Mantri section 5.2).");

  static final List<Setting<?>> ALL = List.of(MODE, PATIENCE, LINKS, SHORT_SHUFFLE);

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

  static PlacementSettings read(UnaryOperator<String> conf) throws BadSettingException {
    Map<String, Link> links = LINKS.read(conf);
    return new PlacementSettings(
        PATIENCE.read(conf), links == null ? Map.of() : links, SHORT_SHUFFLE.read(conf));
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
