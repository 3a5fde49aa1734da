// SPDX-License-Identifier: Apache-2.0
/** The discrete-event engine: a cluster that runs jobs under a scheme, and checks itself. */
package io.drover.simulator.engine;
