// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

/**
 * What the AppMaster wants of a job's tasks.
 *
 * @param sizes whether maps should send the sizes of their parts
 * @param fetches whether reduces should report their fetches
 * @param slow whether reduces should report what comes slowly
 * @param complaints whether reduces should report each output that they could not fetch at once,
 *     and not after ten attempts
 */
record TaskDuties(boolean sizes, boolean fetches, boolean slow, boolean complaints) {
  boolean areAny() {
    return sizes || fetches || slow || complaints;
  }
}
