// SPDX-License-Identifier: Apache-2.0
/**
 * {@code drover demo}: one job with a fault, without speculation, with stock speculation and with
 * Drover, on a real cluster on this machine; and what came of it as a table, as JSON and as a page.
 */
package io.drover.cli.demo;
