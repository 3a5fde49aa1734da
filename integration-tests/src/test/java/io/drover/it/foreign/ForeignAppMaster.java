// SPDX-License-Identifier: Apache-2.0
package io.drover.it.foreign;

import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An AppMaster that does something of its own first, as those of shuffle services do. */
public final class ForeignAppMaster {
  /** What it says in its log. */
  static final String HELLO = "another AppMaster than Drover's starts";

  private static final Logger LOG = LoggerFactory.getLogger(ForeignAppMaster.class);

  private ForeignAppMaster() {}

  /** Starts Hadoop's. */
  public static void main(String[] args) {
    LOG.info(HELLO);
    MRAppMaster.main(args);
  }
}
