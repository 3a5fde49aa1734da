// SPDX-License-Identifier: Apache-2.0
/** Handles errors that must not be contained on the ResourceManager's threads. */
package io.drover.scheduler.containment;
