// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;

class ProgramNameTest {
  private static String of(String job, String format) {
    Configuration conf = new Configuration(false);
    conf.set(MRJobConfig.JOB_NAME, job);
    conf.set(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, format);
    return ProgramName.of(conf);
  }

  @Test
  void numbersOfARunMakeNoOtherProgram() {
    assertThat(of("etl 2026-11-25 run 7", "F")).isEqualTo(of("etl 2027-01-02 run 12345", "F"));
    assertThat(of("etl 2026-11-25", "F")).isEqualTo("etl #-#-# | - | F | -");
  }

  @Test
  void anotherNameOrAnotherOutputIsAnotherProgram() {
    assertThat(of("etl", "F")).isNotEqualTo(of("etl", "G")).isNotEqualTo(of("load", "F"));
  }

  @Test
  void longNamesAreCutAndStayApart() {
    String one = of("x".repeat(500) + "a", "F");
    assertThat(one).hasSize(300).isNotEqualTo(of("x".repeat(500) + "b", "F"));
  }

  @Test
  void aNameIsFitForALogAndAPage() {
    assertThat(of("a\nb\u20ac\u0000", "F")).isEqualTo("a?b?? | - | F | -");
  }
}
