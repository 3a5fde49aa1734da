// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.RunResult.OutputDigest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Reads the output of a job. */
final class JobOutput {
  private JobOutput() {}

  /** Returns the digest of what a job has written: of a sort by keys, byte by byte. */
  static OutputDigest digest(FileSystem fs, Path directory, DemoWorkload workload)
      throws IOException {
    return workload == DemoWorkload.TERA_SORT ? digestOfRows(fs, directory) : digest(fs, directory);
  }

  private static OutputDigest digestOfRows(FileSystem fs, Path directory) throws IOException {
    MessageDigest sha256 = sha256();
    long bytes = 0;
    FileStatus[] parts = fs.globStatus(new Path(directory, "part-*")); // by their names
    for (FileStatus part : parts == null ? new FileStatus[0] : parts) {
      try (DigestOutputStream out =
              new DigestOutputStream(OutputStream.nullOutputStream(), sha256);
          InputStream in = fs.open(part.getPath())) {
        bytes += in.transferTo(out);
      }
    }
    return new OutputDigest(
        HexFormat.of().formatHex(sha256.digest()), bytes / TeraSortJob.ROW, bytes);
  }

  /** Returns the digest of a directory's parts; that of no lines if there is no directory. */
  static OutputDigest digest(FileSystem fs, Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    FileStatus[] parts = fs.globStatus(new Path(directory, "part-*"));
    for (FileStatus part : parts == null ? new FileStatus[0] : parts) {
      try (BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(fs.open(part.getPath()), StandardCharsets.UTF_8))) {
        reader.lines().forEach(lines::add);
      }
    }
    Collections.sort(lines);
    MessageDigest sha256 = sha256();
    long bytes = 0;
    for (String line : lines) {
      byte[] raw = (line + "\n").getBytes(StandardCharsets.UTF_8);
      sha256.update(raw);
      bytes += raw.length;
    }
    return new OutputDigest(HexFormat.of().formatHex(sha256.digest()), lines.size(), bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
