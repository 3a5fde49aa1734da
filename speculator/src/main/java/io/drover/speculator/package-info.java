// SPDX-License-Identifier: Apache-2.0
/**
 * Hadoop's Speculator SPI over Drover's core, for the stock MapReduce AppMaster.
 *
 * <p>Two threads. The AppMaster's one <em>dispatcher</em> thread calls {@link
 * io.drover.speculator.DroverSpeculator#handle}, which copies what it needs into a queue and
 * returns, and carries out the actions, for the reason given at {@link
 * io.drover.speculator.Actuator}. The <em>decision</em> thread owns the model: it takes in the
 * queue, looks at the states of the running tasks, lets the policies decide, writes the log, and
 * posts actions.
 */
package io.drover.speculator;
