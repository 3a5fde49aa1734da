// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.time.Duration;

/**
 * How far a running job is.
 *
 * @param elapsed since submit
 * @param state the job's state, in Hadoop's word
 * @param maps the maps' part done, 0 to 1
 * @param reduces the reduces' part done, 0 to 1
 */
public record JobProgress(Duration elapsed, String state, double maps, double reduces) {}
