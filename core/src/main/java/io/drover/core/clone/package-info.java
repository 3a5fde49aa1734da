// SPDX-License-Identifier: Apache-2.0

/**
 * Cloning: copies that are started together with a task, before anything can be observed of it.
 * Source: Ananthanarayanan et al., "Why let resources idle? Aggressive cloning of jobs with Dolly",
 * HotCloud 2012.
 */
package io.drover.core.clone;
