// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;

/**
 * The queues that a configuration declares, and how much of the cluster each of them may have. It
 * reads percentages in the default partition. Weights and absolute resources depend on what there
 * is, so of such queues, and of those below them, these shares are unknown.
 */
final class QueueTree {
  private static final String PREFIX = "yarn.scheduler.capacity.";
  private static final String ROOT = "root";

  /**
   * A queue without children.
   *
   * @param path its full name, such as {@code root.users.etl}
   * @param maximum the share of the cluster that all of its jobs may have, 0 to 1
   * @param ofOneUser the share of the cluster that the jobs of one user may have, 0 to 1
   */
  record Leaf(String path, OptionalDouble maximum, OptionalDouble ofOneUser) {
    String name() {
      return path.substring(path.lastIndexOf('.') + 1);
    }

    /** Returns the key of one of its settings. */
    String key(String setting) {
      return PREFIX + path + "." + setting;
    }
  }

  private final Configuration conf;
  private final List<Leaf> leaves = new ArrayList<>();
  private final List<String> paths = new ArrayList<>();

  /** Reads the queues. There are none if the configuration does not declare them. */
  QueueTree(Configuration conf) {
    this.conf = conf;
    if (!children(ROOT).isEmpty()) {
      read(ROOT, OptionalDouble.of(1), OptionalDouble.of(1));
    }
  }

  private Collection<String> children(String path) {
    return conf.getTrimmedStringCollection(PREFIX + path + ".queues");
  }

  private void read(String path, OptionalDouble capacity, OptionalDouble maximum) {
    paths.add(path);
    Collection<String> children = children(path);
    if (children.isEmpty()) {
      readLeaf(path, capacity, maximum);
    }
    for (String child : children) {
      String below = path + "." + child;
      read(
          below,
          times(capacity, percent(below, "capacity", OptionalDouble.empty())),
          times(maximum, percent(below, "maximum-capacity", OptionalDouble.of(1))));
    }
  }

  private void readLeaf(String path, OptionalDouble capacity, OptionalDouble maximum) {
    boolean isRunning = conf.get(PREFIX + path + ".state", "RUNNING").trim().equals("RUNNING");
    boolean makesOthers =
        conf.getBoolean(PREFIX + path + ".auto-create-child-queue.enabled", false)
            || conf.getBoolean(PREFIX + path + ".auto-queue-creation-v2.enabled", false);
    if (isRunning && !makesOthers) {
      leaves.add(new Leaf(path, maximum, ofOneUser(path, capacity, maximum)));
    }
  }

  /** A factor of -1 is none. */
  private OptionalDouble ofOneUser(String path, OptionalDouble capacity, OptionalDouble maximum) {
    float all = conf.getFloat(PREFIX + "user-limit-factor", 1);
    float factor = conf.getFloat(PREFIX + path + ".user-limit-factor", all);
    if (factor < 0) {
      return maximum;
    }
    return capacity.isEmpty() || maximum.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.min(maximum.getAsDouble(), capacity.getAsDouble() * factor));
  }

  private static OptionalDouble times(OptionalDouble a, OptionalDouble b) {
    return a.isEmpty() || b.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(a.getAsDouble() * b.getAsDouble());
  }

  /** Returns a share; empty if the text is no percentage. A negative maximum is none. */
  private OptionalDouble percent(String path, String setting, OptionalDouble otherwise) {
    String text = conf.getTrimmed(PREFIX + path + "." + setting, "");
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      double percent = Double.parseDouble(text);
      return percent < 0 ? otherwise : OptionalDouble.of(percent / 100);
    } catch (NumberFormatException e) {
      return OptionalDouble.empty(); // a weight, or absolute resources
    }
  }

  List<Leaf> leaves() {
    return leaves;
  }

  /** Returns whether there is a queue, by its full path or its name. */
  boolean has(String queue) {
    return paths.stream().anyMatch(path -> path.equals(queue) || path.endsWith("." + queue));
  }

  /** Returns whether the configuration declares any queues. */
  boolean isKnown() {
    return !paths.isEmpty();
  }
}
