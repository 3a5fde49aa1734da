// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.demo.ReportData.ReportPage;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Writes pages of made-up runs, to help develop the page: {@code SamplePage FILE RUNS SCENARIO...}.
 */
final class SamplePage {
  private SamplePage() {}

  public static void main(String[] args) throws IOException {
    Scenario[] scenarios =
        Arrays.stream(args).skip(2).map(Scenario::ofKey).toArray(Scenario[]::new);
    DemoResult result = SampleSources.result(Integer.parseInt(args[1]), scenarios);
    Files.writeString(Path.of(args[0]), ReportPage.of(result));
    System.out.print(DemoTable.of(result));
  }
}
