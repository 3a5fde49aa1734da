// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.speculator.DroverCounter;
import io.drover.testbed.cluster.DroverCluster;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job whose tasks cannot bear two attempts, cloned on a real cluster. */
@ExtendWith(SharedCluster.class)
class SideFileIT {
  private static DroverCluster cluster;

  @BeforeAll
  static void start(DroverCluster shared) {
    cluster = shared;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sideFilesAreWholeAndNoFailureCounts(boolean overwrites) throws Exception {
    Job job = SideFileJob.run(cluster, "side files " + overwrites, overwrites);
    assertThat(SideFileJob.counter(job, DroverCounter.CLONES_LAUNCHED))
        .as("a clone was there to be in the way")
        .isPositive();
    assertThat(SideFileJob.counter(job, DroverCounter.SECOND_ATTEMPTS_ENDED)).isEqualTo(1);
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }
}
