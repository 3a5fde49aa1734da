// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.time.Instant;

/**
 * Something the runner did or saw while the job ran.
 *
 * @param at when
 * @param what one line for people
 */
public record RunEvent(Instant at, String what) {}
