// SPDX-License-Identifier: Apache-2.0
/** What others than AppMasters know of slow nodes: operators and HDFS. */
package io.drover.scheduler.evidence;
