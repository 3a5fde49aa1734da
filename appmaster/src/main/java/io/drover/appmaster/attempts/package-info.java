// SPDX-License-Identifier: Apache-2.0
/** What all parts of the AppMaster ask of Hadoop's attempts and do to them. */
package io.drover.appmaster.attempts;
