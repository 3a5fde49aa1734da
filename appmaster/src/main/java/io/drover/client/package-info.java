// SPDX-License-Identifier: Apache-2.0

/**
 * Code that runs where a job is submitted: the framework name {@code drover}, which starts Drover's
 * AppMaster, and whole jobs in several copies. Source of the latter: Ananthanarayanan et al., "Why
 * let resources idle? Aggressive cloning of jobs with Dolly", HotCloud 2012.
 */
package io.drover.client;
