// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.yarn.conf.ConfigurationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.junit.jupiter.api.Test;

class DroverSettingsTest {
  @Test
  void refreshWhoseFilesCannotBeReadIsRefusedWithAComplaint() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    ConfigurationProvider files = mock(ConfigurationProvider.class);
    when(files.getConfigurationInputStream(any(), any()))
        .thenThrow(new IOException("no route to the file system"));
    RMContext context = mock(RMContext.class);
    when(context.getYarnConfiguration()).thenReturn(conf);
    when(context.getConfigurationProvider()).thenReturn(files);

    DroverSettings settings = new DroverSettings();
    assertThatThrownBy(() -> settings.readOrRefuse(new Configuration(false), context))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("are unchanged")
        .hasMessageContaining("no route");
    assertThat(settings.complaint()).hasValueSatisfying(it -> assertThat(it).contains("no route"));
    assertThat(settings.refused()).isEqualTo(1);
  }
}
