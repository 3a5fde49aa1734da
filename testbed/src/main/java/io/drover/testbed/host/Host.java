// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.host;

/**
 * A host of a cluster.
 *
 * @param name as YARN and HDFS know it
 * @param address its own address; in a cluster that somebody else has started, its name
 * @param rack its rack, such as {@code /rack1}
 */
public record Host(String name, String address, String rack) {}
