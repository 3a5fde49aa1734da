// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/** What an estimate rests on. */
public enum Basis {
  /** Bytes read out of a known number of bytes: Mantri section 5.5, equation (2). */
  BYTES,
  /** The fraction that the task itself reports, where the bytes are unknown or contradict it. */
  PROGRESS,
  /** The durations that other attempts of the phase took for the same stretch. */
  PEERS
}
