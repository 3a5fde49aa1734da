// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.util.Locale;

/** What a demo job computes. */
public enum DemoWorkload {
  /** Counts words, with a combiner: little to shuffle. */
  WORD_COUNT("word count"),
  /** Sorts lines: everything is shuffled. */
  SORT("sort");

  private final String title;

  DemoWorkload(String title) {
    this.title = title;
  }

  /** A name for people. */
  public String title() {
    return title;
  }

  /** The name as typed on a command line. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace("_", "");
  }
}
