// SPDX-License-Identifier: Apache-2.0
/**
 * Checks of a job's configuration: which AppMaster it runs in, and which settings keep parts of
 * Drover from working.
 */
package io.drover.appmaster.check;
