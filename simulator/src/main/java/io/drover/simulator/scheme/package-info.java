// SPDX-License-Identifier: Apache-2.0
/** What is done about outliers: nothing, as others do it, as core does it, as an oracle would. */
package io.drover.simulator.scheme;
