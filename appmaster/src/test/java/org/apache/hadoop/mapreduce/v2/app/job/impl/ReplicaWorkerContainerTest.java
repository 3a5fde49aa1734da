// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReplicaWorkerContainerTest {
  @Test
  void workerTakesTheOptionsOfMapsThatAreNotForTheirMemory() {
    assertThat(
            ReplicaWorkerContainer.workersOptions(
                " -Xmx1g  -Djava.net.preferIPv4Stack=true -XX:MaxHeapFreeRatio=30 -Dlog=@taskid@ "))
        .containsExactly("-Djava.net.preferIPv4Stack=true", "-Dlog=@taskid@");
    assertThat(ReplicaWorkerContainer.workersOptions("")).isEmpty();
  }

  @Test
  void optionWithAQuotedCommandGoesAsAWhole() {
    assertThat(
            ReplicaWorkerContainer.workersOptions(
                "-XX:OnOutOfMemoryError='kill -9 %p' -Da=b \"-XX:OnError=gdb -p '%p'\" -Dc=d"))
        .containsExactly("-Da=b", "-Dc=d");
  }

  @Test
  void optionWithBlanksStaysAsItIs() {
    assertThat(ReplicaWorkerContainer.workersOptions("-Da='b  c' -Dd=\"e \\\" f\" -Dg=h\\ i"))
        .containsExactly("-Da='b  c'", "-Dd=\"e \\\" f\"", "-Dg=h\\ i");
  }

  @Test
  void quoteThatNobodyClosesHidesNothing() {
    assertThat(ReplicaWorkerContainer.workersOptions("-Da=it's -Xmx1g -Db=c"))
        .containsExactly("-Da=it's", "-Db=c");
  }
}
