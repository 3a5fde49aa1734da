// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class LateComplaintsTest {
  @Test
  void complaintsAboutTheFirstPlaceMayComeAfterBothTimeoutsOfTheShuffle() {
    Configuration conf = new Configuration(false);
    double before = OutputReplication.lateComplaintsSeconds(conf);
    assertThat(before).isBetween(360.0, 400.0); // Hadoop's defaults, and a report
    conf.setInt("mapreduce.reduce.shuffle.connect.timeout", 20_000);
    conf.setInt("mapreduce.reduce.shuffle.read.timeout", 10_000);
    assertThat(OutputReplication.lateComplaintsSeconds(conf)).isEqualTo(before - 330);
  }
}
