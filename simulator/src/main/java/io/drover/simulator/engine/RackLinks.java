// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.world.ClusterShape;
import java.util.ArrayList;
import java.util.List;

/** Holds the links between the racks, two for each rack: out of it and into it. */
final class RackLinks {
  private final Link[] up;
  private final Link[] down;
  private final List<Link> changed = new ArrayList<>();

  RackLinks(ClusterShape shape) {
    up = new Link[shape.racks()];
    down = new Link[shape.racks()];
    for (int r = 0; r < up.length; r++) {
      up[r] = new Link(this, shape.linkBytesPerSecond(r));
      down[r] = new Link(this, shape.linkBytesPerSecond(r));
    }
  }

  Link up(int rack) {
    return up[rack];
  }

  Link down(int rack) {
    return down[rack];
  }

  /** Notes that the flows on a link have changed, and with them the time of its next event. */
  void changed(Link link) {
    changed.add(link);
  }

  /**
   * Schedules the next event of each link whose flows have changed. This is done once for all
   * events of the same time: a thousand reduces that begin together change each link a thousand
   * times.
   */
  void schedule(EventQueue queue, double now) {
    for (Link link : changed) {
      link.schedule(queue, now);
    }
    changed.clear();
  }

  /**
   * Checks that no link has carried more than it can.
   *
   * @param now since the beginning, seconds
   */
  void verify(double now) {
    for (int r = 0; r < up.length; r++) {
      verify("out of", r, up[r], now);
      verify("into", r, down[r], now);
    }
  }

  private static void verify(String direction, int rack, Link link, double now) {
    if (link.carried() > link.capacity() * now * (1 + 1e-9) + 1) {
      throw new IllegalStateException(
          "the link "
              + direction
              + " rack "
              + rack
              + " carried "
              + link.carried()
              + " bytes in "
              + now
              + " s, at "
              + link.capacity()
              + " bytes/s");
    }
  }
}
