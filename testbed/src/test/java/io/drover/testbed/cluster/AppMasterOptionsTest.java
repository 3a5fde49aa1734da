// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.cluster.ClusterSpec.AppMasterOptions;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class AppMasterOptionsTest {
  private static final String DROVER = "io.drover.appmaster.DroverAppMaster";

  @Test
  void theClassIsAddedAndTakenOut() {
    String drover = AppMasterOptions.forDrover("-Xmx1g");

    assertThat(drover).isEqualTo("-Xmx1g " + DROVER);
    assertThat(AppMasterOptions.forHadoop(drover)).isEqualTo("-Xmx1g");
  }

  @Test
  void theFragmentInConfIsDroversAndHadoopsWithoutItsChoice() {
    Configuration fragment = new Configuration(false);
    fragment.addResource(
        new org.apache.hadoop.fs.Path(Path.of("../conf/mapred-site-appmaster.xml").toUri()));
    String options = fragment.get(AppMasterOptions.KEY);

    assertThat(AppMasterOptions.areDrovers(options)).isTrue();
    assertThat(AppMasterOptions.forDrover(options)).isEqualTo(options);
    assertThat(AppMasterOptions.forHadoop(options)).isEqualTo("-Xmx1024m <ADD_OPENS>");
  }

  @Test
  void othersAreNot() {
    assertThat(AppMasterOptions.areDrovers("-Xmx1g -Dx=$(hostname)")).isFalse();
    assertThat(AppMasterOptions.forHadoop("-Xmx1g -Dx=$(hostname)"))
        .isEqualTo("-Xmx1g -Dx=$(hostname)");
  }
}
