// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Cuts the input files of a demo job from a {@link TextSource}: whole lines, one file after the
 * other. At the end of the text it begins again.
 */
public final class DemoText {
  /** How many times as much the skewed split holds. */
  static final int SKEW = 6;

  /** More is repeated: a text is kept in memory. */
  private static final long MOST_BYTES = 64L << 20;

  private final List<byte[]> lines;
  private final DemoWorkload workload;
  private int next;

  private DemoText(List<byte[]> lines, DemoWorkload workload) {
    this.lines = lines;
    this.workload = workload;
  }

  /** Gathers what the files of a job need. */
  static DemoText of(DemoJobSpec spec, InputTexts texts) throws IOException {
    long enough = Math.min(MOST_BYTES, spec.bytesPerMap() * (spec.maps() + SKEW));
    return new DemoText(texts.lines(spec.input(), enough), spec.workload());
  }

  /**
   * One file.
   *
   * @param records how many records the job's reduces get from it
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares parts
  record Part(byte[] content, long records) {}

  /** Returns the next file, of about this many bytes. */
  Part take(long bytes) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    Set<String> words = new HashSet<>();
    boolean counts = workload == DemoWorkload.WORD_COUNT;
    long count = 0;
    while (content.size() < bytes) {
      byte[] line = lines.get(next);
      next = (next + 1) % lines.size();
      content.writeBytes(line);
      content.write('\n');
      if (counts) {
        words.addAll(WordCount.words(new String(line, StandardCharsets.UTF_8)));
      }
      count++;
    }
    long records =
        switch (workload) {
          case WORD_COUNT -> words.size(); // the combiner leaves one record for each
          case LINE_COUNT -> 1;
          case SORT, FAST_WORD_COUNT, TERA_SORT -> count;
        };
    return new Part(content.toByteArray(), records);
  }

  /**
   * The texts that demo jobs read. Each is gathered once, so that runs on one cluster and on the
   * next read the same, even if something is installed on the machine in between.
   */
  public static final class InputTexts {
    private final Map<String, List<byte[]>> known = new HashMap<>();

    /**
     * Gathers what a job will read, for example while a cluster starts.
     *
     * @throws IOException if it cannot be read
     */
    public void gather(DemoJobSpec spec) throws IOException {
      DemoText.of(spec, this);
    }

    /** Returns lines of text, as {@link TextSource#lines} does. */
    synchronized List<byte[]> lines(Optional<Path> input, long enough) throws IOException {
      String key = enough + " " + input.map(Path::toString).orElse("");
      List<byte[]> lines = known.get(key);
      if (lines == null) {
        lines = TextSource.lines(input, enough);
        known.put(key, lines);
      }
      return lines;
    }
  }
}
