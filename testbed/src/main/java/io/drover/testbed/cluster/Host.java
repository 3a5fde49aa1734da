// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

/**
 * A host of the cluster.
 *
 * @param name as YARN and HDFS know it
 * @param address its own loopback address
 * @param rack its rack, as {@code /rack1}
 */
public record Host(String name, String address, String rack) {}
