// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.job;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A job's input in HDFS.
 *
 * @param directory where it is
 * @param records what the reduces will get in all
 */
record DemoInput(Path directory, long records) {

  /** Makes the text and puts it there. */
  static DemoInput put(FileSystem fs, Path directory, JobSpec spec) throws IOException {
    DemoText text = DemoText.of(spec);
    long records = 0;
    for (int i = 0; i < spec.maps(); i++) {
      boolean skewed = spec.scenario() == Scenario.SKEW && i == spec.faultTask();
      DemoText.Part part = text.take(spec.bytesOf(i) * (skewed ? DemoText.SKEW : 1));
      records += part.records(spec.workload());
      try (OutputStream out = fs.create(new Path(directory, String.format("text-%02d", i)))) {
        out.write(part.content());
      }
    }
    return new DemoInput(directory, records);
  }

  /** What two specs must have in common to read the same input. */
  static String key(JobSpec spec) {
    return String.join(
        " ",
        spec.workload().key(),
        Integer.toString(spec.maps()),
        Long.toString(spec.bytesPerMap()),
        Double.toString(spec.spread()),
        spec.scenario() == Scenario.SKEW ? "skew " + spec.faultTask() : "even",
        spec.input().map(java.nio.file.Path::toString).orElse(""));
  }
}
