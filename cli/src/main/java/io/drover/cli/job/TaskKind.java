// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.job;

/** The two kinds of task. */
public enum TaskKind {
  /** A map task. */
  MAP,
  /** A reduce task. */
  REDUCE
}
