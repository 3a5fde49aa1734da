// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The output of a done task, on the machines that keep it. The first is the machine where it was
 * made; the others got a copy, or the output was made there again.
 */
public final class Output {
  /** Why a machine keeps the output. */
  enum Origin {
    /** It was made there because it was needed. */
    MADE,
    /** It was copied there. */
    REPLICA,
    /** It was made there again before a reader missed it. */
    PRECOMPUTED
  }

  /** A machine that keeps the output until it is lost there. */
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

    /** Returns when the output is lost there, seconds. Until then it can be read. */
    double lostAt() {
      return lostAt;
    }

    Origin origin() {
      return origin;
    }

    /** Marks that it has helped a reader. Returns true the first time. */
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

  /** Returns the first place from which it can be read; null if it is lost. */
  Place readableAt(double now) {
    for (int i = 0; i < places.size(); i++) {
      if (places.get(i).lostAt > now) {
        return places.get(i);
      }
    }
    return null;
  }

  /** Returns the machine where it was made. */
  int firstMachine() {
    return places.get(0).machine;
  }

  /** Returns the machines that are believed to keep it, beginning with the one that made it. */
  public List<Integer> machines() {
    return places.stream().map(Place::machine).toList();
  }

  /** Returns whether only these machines are believed to keep it. */
  public boolean isKeptOnlyBy(Set<Integer> some) {
    for (int i = 0; i < places.size(); i++) {
      if (!some.contains(places.get(i).machine)) {
        return false;
      }
    }
    return true;
  }

  /** Returns its size in bytes. */
  public long bytes() {
    return bytes;
  }
}
