// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.util.HostsFileReader;

/** Reads the file in which operators name slow nodes, whenever it has changed. */
final class SlowNodeFile implements SlowNodes.Source {
  /** The largest file that is read; it has room for 10,000 names of the largest length. */
  private static final long MOST_BYTES = 4_000_000;

  private final String name;
  private Map<String, Set<String>> hosts = Map.of();
  private FileTime modified = FileTime.fromMillis(0);
  private long size = -1;

  SlowNodeFile(String name) {
    this.name = name;
  }

  /** Returns the names in the file, without what follows a {@code #}. */
  @Override
  public Map<String, Set<String>> hosts() throws IOException {
    Path file = Path.of(name);
    FileTime modifiedNow = Files.getLastModifiedTime(file);
    long sizeNow = Files.size(file);
    if (sizeNow != size || !modifiedNow.equals(modified)) {
      if (sizeNow > MOST_BYTES) {
        throw new IOException(file + " is longer than " + MOST_BYTES + " bytes");
      }
      Set<String> read = new HashSet<>();
      HostsFileReader.readFileToSet("slow", name, read);
      hosts = read.stream().collect(Collectors.toUnmodifiableMap(name -> name, Set::of));
      modified = modifiedNow;
      size = sizeNow;
    }
    return hosts;
  }
}
