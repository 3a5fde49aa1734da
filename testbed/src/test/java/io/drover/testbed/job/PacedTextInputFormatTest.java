// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PacedTextInputFormatTest {
  @TempDir private Path directory;

  private List<String> placesOf(String... homes) throws Exception {
    for (int i = 0; i < 3; i++) {
      Files.writeString(directory.resolve("text-0" + i), "line\n".repeat(i + 1));
    }
    Configuration conf = new Configuration(false);
    conf.setStrings(DemoJob.DemoKeys.HOMES, homes);
    Job job = Job.getInstance(conf);
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(directory.toUri()));
    List<String> places = new ArrayList<>();
    for (InputSplit split : new PacedTextInputFormat().getSplits(job)) {
      places.add(split.getLength() + " on " + String.join(",", split.getLocations()));
    }
    return places;
  }

  @Test
  void splitsAreWhereTheirFilesAre() throws Exception {
    assertThat(placesOf())
        .containsExactlyInAnyOrder("5 on localhost", "10 on localhost", "15 on localhost");
  }

  @Test
  void splitsAreAtTheirHomesOnlyIfThereAreAny() throws Exception {
    assertThat(placesOf("n1", "n2", "n3"))
        .containsExactlyInAnyOrder("5 on n1", "10 on n2", "15 on n3");
  }
}
