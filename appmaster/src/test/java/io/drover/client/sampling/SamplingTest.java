// SPDX-License-Identifier: Apache-2.0
package io.drover.client.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.core.config.SampleSettings;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class SamplingTest {
  private final Configuration conf = new Configuration(false);

  private SampleSettings read() throws Exception {
    return SampleSettings.read(List.copyOf(conf.getPropsWithPrefix("").keySet()), conf::get);
  }

  @Test
  void whatIsSetIsReadByTheAppMaster() throws Exception {
    assertThat(read().isAsked()).isFalse();
    Sampling.blocks(conf, 7);
    assertThat(read().needed(10)).hasValue(7);
    Sampling.sampler(conf, BlockSampler.class);
    assertThat(read().sampler()).hasValue(BlockSampler.class.getName());
  }

  @Test
  void ratioRecordAndHistoryAreReadToo() throws Exception {
    Sampling.ratio(conf, 0.25);
    assertThat(read().needed(10)).hasValue(3);
    conf.clear();
    Sampling.record(conf, new Path("/out"));
    assertThat(read().record()).hasValue("/out");
    conf.clear();
    Sampling.ratio(conf, 0.25);
    Sampling.history(conf, new Path("/yesterday"));
    assertThat(read().history()).hasValue("/yesterday");
  }

  @Test
  void impossibleNumbersAreRefusedAtOnce() {
    assertThatThrownBy(() -> Sampling.blocks(conf, 0)).hasMessageContaining("was 0");
    assertThatThrownBy(() -> Sampling.ratio(conf, 0)).hasMessageContaining("was 0.0");
    assertThatThrownBy(() -> Sampling.ratio(conf, 1.1)).hasMessageContaining("was 1.1");
  }
}
