// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code drover demo} command. It runs one job with a fault, without speculation, with stock
 * speculation and with Drover, on a real cluster on this machine, and reports the results.
 */
package io.drover.cli.demo;
