// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.List;

/** What the tasks of a phase do. It determines the sub-phases of an attempt. */
public enum TaskKind {
  /** A map: reads its split, then sorts, spills and merges its output. */
  MAP(SubPhase.MAP, List.of(SubPhase.MAP, SubPhase.WRAP_UP)),
  /** A reduce: fetches the map outputs, merges them, reduces, and wraps up. */
  REDUCE(
      SubPhase.REDUCE, List.of(SubPhase.SHUFFLE, SubPhase.SORT, SubPhase.REDUCE, SubPhase.WRAP_UP));

  private final SubPhase main;
  private final List<SubPhase> subPhases;

  TaskKind(SubPhase main, List<SubPhase> subPhases) {
    this.main = main;
    this.subPhases = subPhases;
  }

  /** Returns the sub-phase that processes the task's input, where the process rate is measured. */
  public SubPhase main() {
    return main;
  }

  /** Returns the sub-phases of an attempt, in order. */
  public List<SubPhase> subPhases() {
    return subPhases;
  }
}
