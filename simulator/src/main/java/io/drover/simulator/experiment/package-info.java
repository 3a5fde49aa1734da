// SPDX-License-Identifier: Apache-2.0
/** Tables and figures of the papers, computed anew and set beside what was printed. */
package io.drover.simulator.experiment;
