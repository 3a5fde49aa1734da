// SPDX-License-Identifier: Apache-2.0
/** Which running tasks to duplicate, to kill and restart, to prune: Mantri section 5.1. */
package io.drover.core.restart;
