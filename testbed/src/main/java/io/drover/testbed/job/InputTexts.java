// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The texts that demo jobs read, each gathered once: runs on one cluster and on the next read the
 * same, even if something is installed on the machine in between.
 */
public final class InputTexts {
  private final Map<String, List<byte[]>> known = new HashMap<>();

  /**
   * Gathers what a job will read: while a cluster starts, say.
   *
   * @throws IOException if it cannot be read
   */
  public void gather(DemoJobSpec spec) throws IOException {
    DemoText.of(spec, this);
  }

  /** Lines of text, as {@link TextSource#lines} has them. */
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
