// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The settings of the placement of reduces.
 *
 * @param patience how long reduces are held back until enough is known, and then how long one waits
 *     for a container in its rack
 * @param links the known bandwidths of racks
 * @param shortShuffle measured bandwidths are used if the busiest link needs at most this long
 */
public record PlacementSettings(Duration patience, Map<String, Link> links, Duration shortShuffle) {
  private static final double MEGA = 1e6;

  /** Whether the placement of reduces is off, observed or on. */
  public static final Setting<Mode> MODE =
      Setting.mode(
          JobSettings.PREFIX + "placement.mode",
          Mode.ON,
          "Whether Drover's AppMaster runs reduces in the racks to which their data comes"
              + " over the least busy links (Mantri section 5.2). off: they run where the"
              + " scheduler puts them; observe: they do so too, and the log says which racks"
              + " Drover would have asked for.");

  /** How long reduces are held back, and then wait for a container in their rack. */
  public static final Setting<Duration> PATIENCE =
      Setting.duration(
          JobSettings.PREFIX + "placement.patience",
          "10s",
          Duration.ZERO,
          Duration.ofMinutes(10),
          "How long reduces that could start are held back until Drover knows where the"
              + " map output is, and how long a reduce then waits for a container in its rack"
              + " before it takes any. While maps still run, a reduce waits six times as long.");

  /** The bandwidths of the links between racks. */
  public static final Setting<Map<String, Link>> LINKS =
      Setting.links(
          JobSettings.PREFIX + "placement.links",
          "Bandwidths of racks that differ from the others, such as /rack1=1250:1250:"
              + " megabytes per second out of the rack and into it. All other racks have 125.");

  /** How long the busiest link may need if a shuffle is placed by measured bandwidths. */
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

  /** The link of a rack to the others. */
  public record Link(double up, double down) {}

  /** The default link. If all links are equal, only the proportions between their loads matter. */
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

  /** Returns the bandwidth out of a rack, in bytes per second. */
  public double up(String rack) {
    return links.getOrDefault(rack, USUAL).up();
  }

  /** Returns the bandwidth into a rack, in bytes per second. */
  public double down(String rack) {
    return links.getOrDefault(rack, USUAL).down();
  }

  /**
   * Parses a list of links, for example {@code /rack1=125:125}: megabytes per second up and down.
   *
   * @throws IllegalArgumentException if an entry is not a link
   */
  static Map<String, Link> parse(List<String> entries) {
    Map<String, Link> links = new HashMap<>();
    for (String entry : entries) {
      int equals = entry.lastIndexOf('=');
      int colon = entry.indexOf(':', equals);
      if (equals < 1 || colon < 0) {
        throw new IllegalArgumentException("not a link: " + entry);
      }
      double up = Double.parseDouble(entry.substring(equals + 1, colon)) * MEGA;
      double down = Double.parseDouble(entry.substring(colon + 1)) * MEGA;
      if (!(up > 0 && down > 0 && up < 1e15 && down < 1e15)) {
        throw new IllegalArgumentException("bandwidth out of range: " + entry);
      }
      links.put(entry.substring(0, equals), new Link(up, down));
    }
    return links;
  }
}
