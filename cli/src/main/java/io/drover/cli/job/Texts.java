// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.job;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The texts that demo jobs read, each gathered once: runs on one cluster and on the next read the
 * same, even if something is installed on the machine in between. For one thread.
 */
public final class Texts {
  private final Map<String, List<byte[]>> known = new HashMap<>();

  /** Lines of text, as {@link TextSource#lines} has them. */
  List<byte[]> lines(Optional<Path> input, long enough) throws IOException {
    String key = enough + " " + input.map(Path::toString).orElse("");
    List<byte[]> lines = known.get(key);
    if (lines == null) {
      lines = TextSource.lines(input, enough);
      known.put(key, lines);
    }
    return lines;
  }
}
