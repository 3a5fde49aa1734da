// SPDX-License-Identifier: Apache-2.0
/** The hosts of a test cluster: their addresses, their network, and what can go wrong with them. */
package io.drover.testbed.host;
