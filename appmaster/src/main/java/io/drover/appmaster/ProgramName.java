// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Builds the name by which the jobs of one program are recognised: the job's name with its numbers
 * masked (dates, run numbers), its mapper, its output format and its committer.
 */
final class ProgramName {
  private static final int MAX_LENGTH = 300;

  private ProgramName() {}

  /** Returns the name of the program that a job runs, at most 300 characters. */
  static String of(Configuration conf) {
    String all =
        String.join(
            " | ",
            conf.get(MRJobConfig.JOB_NAME, "").replaceAll("\\d+", "#"),
            either(conf, MRJobConfig.MAP_CLASS_ATTR, "mapred.mapper.class"),
            either(conf, MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, "mapred.output.format.class"),
            either(
                conf, "mapred.output.committer.class", "mapreduce.outputcommitter.factory.class"));
    String printable =
        all.codePoints()
            .map(ProgramName::printable)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    if (printable.length() <= MAX_LENGTH) {
      return printable;
    }
    // Long names may differ only at their ends.
    String id = UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString();
    return printable.substring(0, MAX_LENGTH - id.length() - 1) + " " + id;
  }

  private static String either(Configuration conf, String key, String oldKey) {
    return conf.get(key, conf.get(oldKey, "-"));
  }

  private static int printable(int character) {
    return character >= ' ' && character < 0x7f ? character : '?';
  }
}
