// SPDX-License-Identifier: Apache-2.0
/** What has come of a run, and how two runs compare. */
package io.drover.simulator.result;
