// SPDX-License-Identifier: Apache-2.0

/**
 * Makes replicas of map outputs: containers of the job itself copy them from the nodes that keep
 * them to their own nodes, whose NodeManagers then serve them as well. Which outputs get a replica
 * is decided elsewhere.
 */
package io.drover.appmaster.replicate;
