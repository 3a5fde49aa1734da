// SPDX-License-Identifier: Apache-2.0
/**
 * Implements Hadoop's Speculator SPI with Drover's core, for Hadoop's and Drover's AppMaster.
 *
 * <p>There are two threads. The AppMaster's single <em>dispatcher</em> thread calls {@link
 * io.drover.speculator.DroverSpeculator#handle}, which copies what it needs into a queue and
 * returns. It also carries out the actions; {@link io.drover.speculator.Actuator} says why. The
 * <em>decision</em> thread owns the model: it processes the queue, checks the states of the running
 * tasks, asks the policies to decide, writes the log, and posts actions.
 */
package io.drover.speculator;
