// SPDX-License-Identifier: Apache-2.0
/** Simulates, event by event, a cluster that runs jobs under a scheme, and checks itself. */
package io.drover.simulator.engine;
