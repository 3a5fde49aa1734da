// SPDX-License-Identifier: Apache-2.0
/** Chooses the running tasks to duplicate, to kill and restart, or to prune: Mantri section 5.1. */
package io.drover.core.restart;
