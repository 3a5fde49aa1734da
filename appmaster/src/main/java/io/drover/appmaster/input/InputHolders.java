// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.input;

import io.drover.client.sampling.SampleBlock.Part;
import io.drover.speculator.UserThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up which hosts hold the input of a map. A split names hosts where its map had best run, and
 * these need not be all: TeraSort's splits name one of those that hold the block. HDFS's client may
 * read from any of them.
 *
 * <p>File systems may take long to answer, so they are asked on a thread of its own, one question
 * at a time. What is not found out is not known here, and the hosts of the split are all that there
 * is to go by.
 */
public final class InputHolders {
  private static final Logger LOG = LoggerFactory.getLogger(InputHolders.class);

  /** An idle thread ends after this time. */
  private static final long IDLE_SECONDS = 30;

  private final Executor thread;
  private final Configuration conf;
  private final SplitReader reader;
  private final Map<TaskId, Set<String>> found = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<TaskId> unread = new ConcurrentLinkedQueue<>();

  /**
   * Creates an object that knows no holders yet, for the user who calls this.
   *
   * @param conf the job's configuration
   * @param classes finds the classes of the splits
   */
  public InputHolders(Configuration conf, ClassLoader classes) {
    this(
        conf,
        classes,
        new ThreadPoolExecutor(
            0,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            UserThread.daemons("Drover input holders")));
  }

  InputHolders(Configuration conf, ClassLoader classes, Executor thread) {
    this.conf = new Configuration(conf);
    this.conf.setClassLoader(classes);
    this.reader = new SplitReader(this.conf);
    this.thread = thread;
  }

  /** Starts to look up who holds the split of a map now. */
  public void lookUp(TaskId map, TaskSplitMetaInfo split) {
    thread.execute(
        () -> {
          try {
            found.put(map, holders(split));
            unread.add(map);
          } catch (IOException | RuntimeException | LinkageError e) {
            LOG.warn("It is not known which hosts hold the input of {}: {}", map, e.toString());
          }
        });
  }

  /** Returns the maps that were looked up since this was called last. */
  public List<TaskId> news() {
    List<TaskId> news = new ArrayList<>();
    for (TaskId map = unread.poll(); map != null; map = unread.poll()) {
      news.add(map);
    }
    return news;
  }

  /** Returns the hosts that hold the input of a map, as found last; none if that is not known. */
  public Set<String> of(TaskId map) {
    return found.getOrDefault(map, Set.of());
  }

  /** Returns the hosts that hold at least half of a split. */
  private Set<String> holders(TaskSplitMetaInfo split) throws IOException {
    Map<String, Long> held = new HashMap<>();
    long total = 0;
    for (Part part : reader.parts(split)) {
      Path file = new Path(part.file());
      long end = part.offset() + part.length();
      for (BlockLocation block :
          file.getFileSystem(conf).getFileBlockLocations(file, part.offset(), part.length())) {
        long from = Math.max(part.offset(), block.getOffset());
        long bytes = Math.max(0, Math.min(end, block.getOffset() + block.getLength()) - from);
        total += bytes;
        for (String host : new LinkedHashSet<>(reader.names(block.getHosts()))) {
          held.merge(host, bytes, Long::sum);
        }
      }
    }
    long half = (total + 1) / 2;
    held.values().removeIf(bytes -> bytes == 0 || bytes < half);
    return Set.copyOf(held.keySet());
  }
}
