// SPDX-License-Identifier: Apache-2.0

/**
 * The AppMaster: what a speculator cannot do, because it takes a hand on the containers. Decisions
 * are {@code io.drover.core}'s; the classes in Hadoop's own packages only reach what is shown to
 * those packages alone.
 */
package io.drover.appmaster;
