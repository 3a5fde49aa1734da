// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Containers of one size that wait for room that they are entitled to.
 *
 * @param attempt the attempt that requests them
 * @param key the key of the request
 * @param size of one
 * @param count how many, at least 1
 * @param places how many of them are wanted on which hosts, then in which racks; one may be counted
 *     in several
 * @param anywhere whether other places do as well
 * @param reserved nodes that are already reserved for some of them
 */
record PendingDemand(
    ApplicationAttemptId attempt,
    SchedulerRequestKey key,
    Resource size,
    int count,
    Map<String, Integer> places,
    boolean anywhere,
    List<NodeId> reserved) {}
