// SPDX-License-Identifier: Apache-2.0
/** Tables and figures of the papers, computed again and compared with the printed ones. */
package io.drover.simulator.experiment;
