// SPDX-License-Identifier: Apache-2.0
/** What must not be contained on the ResourceManager's threads. */
package io.drover.scheduler.containment;
