// SPDX-License-Identifier: Apache-2.0
/** What a simulation has shown, as one report: for a terminal, for a browser and for a program. */
package io.drover.simulator.report;
