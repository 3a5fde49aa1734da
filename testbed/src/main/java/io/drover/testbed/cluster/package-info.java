// SPDX-License-Identifier: Apache-2.0
/** A real Hadoop cluster on one machine, without root, for tests and the demo. */
package io.drover.testbed.cluster;
