// SPDX-License-Identifier: Apache-2.0

/**
 * Drover's AppMaster. It does what a speculator cannot do, because it controls containers. {@code
 * io.drover.core} makes the decisions. The classes in Hadoop's own packages only give access to
 * what is visible in those packages alone.
 */
package io.drover.appmaster;
