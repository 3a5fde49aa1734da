// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.io.IOException;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** The address of an AppMaster and the time at which its job was submitted. */
record AppMasterAddress(
    ApplicationAttemptId attempt,
    ContainerId container,
    String host,
    int port,
    int httpPort,
    long submitted) {
  /** Reads the address from the environment that the NodeManager provides. */
  static AppMasterAddress ofEnvironment() throws IOException {
    ContainerId container = ContainerId.fromString(env(Environment.CONTAINER_ID.name()));
    return new AppMasterAddress(
        container.getApplicationAttemptId(),
        container,
        env(Environment.NM_HOST.name()),
        Integer.parseInt(env(Environment.NM_PORT.name())),
        Integer.parseInt(env(Environment.NM_HTTP_PORT.name())),
        Long.parseLong(env(ApplicationConstants.APP_SUBMIT_TIME_ENV)));
  }

  private static String env(String name) throws IOException {
    String value = System.getenv(name);
    if (value == null) {
      throw new IOException(
          name + " is not in the environment: only a NodeManager can start an AppMaster");
    }
    return value;
  }
}
