// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

/**
 * A clone that was killed.
 *
 * @param at milliseconds since 1970
 * @param container its id
 * @param application whose it was
 * @param node where it ran
 * @param why in words
 */
public record CloneEvent(long at, String container, String application, String node, String why) {}
