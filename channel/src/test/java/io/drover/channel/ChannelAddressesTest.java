// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.core.config.BadSettingException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

class ChannelAddressesTest {
  private static final String KEY = "yarn.drover.channel.address";

  private final Configuration conf = new YarnConfiguration();

  private void twoManagers() {
    conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
    conf.set(YarnConfiguration.RM_HA_IDS, "rm1, rm2");
    conf.set(YarnConfiguration.RM_HA_ID, "rm2");
  }

  @Test
  void withoutAnAddressThereIsNone() throws BadSettingException {
    assertThat(ChannelAddresses.all(conf)).isEmpty();
    assertThat(ChannelAddresses.own(conf)).isEmpty();
    conf.set(KEY, " ");
    assertThat(ChannelAddresses.all(conf)).isEmpty();
    twoManagers();
    assertThat(ChannelAddresses.all(conf)).isEmpty();
  }

  @Test
  void oneManagerHasOne() throws BadSettingException {
    conf.set(YarnConfiguration.RM_HOSTNAME, "rm.example");
    conf.set(KEY, "${yarn.resourcemanager.hostname}:8036");
    assertThat(ChannelAddresses.all(conf)).containsExactly("rm.example:8036");
    assertThat(ChannelAddresses.own(conf)).contains("rm.example:8036");
  }

  @Test
  void eachOfSeveralManagersHasItsOwn() throws BadSettingException {
    twoManagers();
    conf.set(KEY + ".rm1", "a:1");
    conf.set(KEY + ".rm2", "b:2");
    assertThat(ChannelAddresses.all(conf)).containsExactly("a:1", "b:2");
    assertThat(ChannelAddresses.own(conf)).contains("b:2");
  }

  @Test
  void orIsAtItsHostName() throws BadSettingException {
    twoManagers();
    conf.set(KEY, "${yarn.resourcemanager.hostname}:8036"); // 0.0.0.0 by default
    conf.set(KEY + ".rm1", "a:1");
    conf.set(YarnConfiguration.RM_HOSTNAME + ".rm1", "host1");
    conf.set(YarnConfiguration.RM_HOSTNAME + ".rm2", "host2");
    assertThat(ChannelAddresses.all(conf)).containsExactly("a:1", "host2:8036");
    assertThat(ChannelAddresses.own(conf)).contains("host2:8036");
  }

  @Test
  void orAtTheOneThatIsGiven() throws BadSettingException {
    twoManagers();
    conf.set(KEY, "vip:8036");
    assertThat(ChannelAddresses.all(conf)).containsExactly("vip:8036");
  }

  @Test
  void whatIsNoAddressIsRefusedWithItsKey() {
    twoManagers();
    conf.set(KEY + ".rm2", "b");
    assertThatThrownBy(() -> ChannelAddresses.all(conf))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining(KEY + ".rm2 is 'b'");
  }
}
