// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.api.Test;

/** Hadoop 3.4's web pages do not start on JDK 17 without its options: the job runs without them. */
class NoWebPagesTest {
  @Test
  void theirPortCanBeAskedForAllTheSame() {
    ApplicationAttemptId attempt =
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
    ContainerId container = ContainerId.newContainerId(attempt, 1);
    DroverAppMaster appMaster = new DroverAppMasterUnderTest(attempt, container, "n1", 1, 2, 3);

    ClientService neverStarted = appMaster.createClientService(mock(AppContext.class));

    assertThat(neverStarted.getHttpPort()).isZero();
  }
}
