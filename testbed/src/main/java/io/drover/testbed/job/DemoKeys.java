// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

/** The demo job's own settings in a job configuration. */
public final class DemoKeys {
  /** Bytes of input a healthy map takes in a second; 0: as fast as it can. */
  public static final String MAP_RATE = "drover.demo.map.bytes-per-second";

  /** Records a healthy reduce takes in a second; 0: as fast as it can. */
  public static final String REDUCE_RATE = "drover.demo.reduce.records-per-second";

  /** A {@link Scenario#key()}: what the job's own reader and reducer shall do wrong. */
  public static final String FAULT = "drover.demo.fault";

  /** The host of {@link Scenario#SLOW_NODE}. */
  public static final String FAULT_HOST = "drover.demo.fault.host";

  /** The task of the scenarios that fault one attempt: m3, r0. */
  public static final String FAULT_TASK = "drover.demo.fault.task";

  /** By what the slow scenarios divide the rate. */
  public static final String SLOWDOWN = "drover.demo.fault.slowdown";

  private DemoKeys() {}
}
