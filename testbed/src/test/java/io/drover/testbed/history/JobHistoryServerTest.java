// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real server answers is read in {@code SmokeIT}. */
class JobHistoryServerTest {
  @ParameterizedTest
  @CsvSource({"'',''", "/,''", "/gateway/mr,/gateway/mr", "/gateway/mr/,/gateway/mr"})
  void interfaceIsBelowTheAddress(String given, String asked) {
    String address = "http://history:19888";
    JobHistoryServer history =
        new JobHistoryServer(
            URI.create(address + given),
            page -> {
              throw new FileNotFoundException(page.toString());
            });

    assertThatThrownBy(() -> history.read("job_1_0001"))
        .hasMessage(address + asked + "/ws/v1/history/mapreduce/jobs/job_1_0001");
  }
}
