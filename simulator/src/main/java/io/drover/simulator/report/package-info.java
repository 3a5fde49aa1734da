// SPDX-License-Identifier: Apache-2.0
/** Reports the results of simulations for a terminal, a browser and a program. */
package io.drover.simulator.report;
