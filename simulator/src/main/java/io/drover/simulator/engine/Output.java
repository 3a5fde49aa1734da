// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The output of a task that was done, on the machines that keep it: the one it was made on first,
 * then others to which it was copied or where it was made again.
 */
public final class Output {
  /** How a machine came to keep it. */
  enum Origin {
    /** It was made there, since somebody needed it. */
    MADE,
    /** It was copied there. */
    REPLICA,
    /** It was made there again before anybody missed it. */
    PRECOMPUTED
  }

  /** One machine that keeps it, until it is lost there. */
  static final class Place {
    private final int machine;
    private final double lostAt;
    private final Origin origin;
    private boolean helped;

    Place(int machine, double lostAt, Origin origin) {
      this.machine = machine;
      this.lostAt = lostAt;
      this.origin = origin;
    }

    int machine() {
      return machine;
    }

    /** When it is lost there, in seconds; until then it can be read. */
    double lostAt() {
      return lostAt;
    }

    Origin origin() {
      return origin;
    }

    /** Whether it is the first time that somebody is helped by it. */
    boolean helps() {
      boolean first = !helped;
      helped = true;
      return first;
    }
  }

  private final List<Place> places = new ArrayList<>(1);
  private final long bytes;

  Output(long bytes, Place first) {
    this.bytes = bytes;
    places.add(first);
  }

  void add(Place place) {
    places.add(place);
  }

  /** The first place at which it can be read; null if it is lost. */
  Place readableAt(double now) {
    for (int i = 0; i < places.size(); i++) {
      if (places.get(i).lostAt > now) {
        return places.get(i);
      }
    }
    return null;
  }

  /** Where it was made, for those who blame that machine for its loss. */
  int firstMachine() {
    return places.get(0).machine;
  }

  /** The machines that are thought to keep it, the one it was made on first. */
  public List<Integer> machines() {
    return places.stream().map(Place::machine).toList();
  }

  /** Whether no other machines than these are thought to keep it. */
  public boolean isKeptOnlyBy(Set<Integer> some) {
    for (int i = 0; i < places.size(); i++) {
      if (!some.contains(places.get(i).machine)) {
        return false;
      }
    }
    return true;
  }

  /** Its size. */
  public long bytes() {
    return bytes;
  }
}
