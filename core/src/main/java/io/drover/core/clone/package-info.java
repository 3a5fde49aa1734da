// SPDX-License-Identifier: Apache-2.0

/**
 * Cloning: starting several copies of a task together, before anything is known about how they run.
 * Source: Ananthanarayanan et al., "Why let resources idle? Aggressive cloning of jobs with Dolly",
 * HotCloud 2012.
 */
package io.drover.core.clone;
