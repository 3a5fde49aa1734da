// SPDX-License-Identifier: Apache-2.0
/** Keeps new containers off machines on which most attempts are outliers. */
package io.drover.scheduler.quarantine;
