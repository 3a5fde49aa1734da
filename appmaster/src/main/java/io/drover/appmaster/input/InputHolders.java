// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.input;

import io.drover.client.sampling.SampleBlock.Part;
import io.drover.speculator.Breakers;
import io.drover.speculator.UserThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.yarn.util.RackResolver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up which hosts hold the input of a map. A split names hosts where its map had best run, and
 * these need not be all: TeraSort's splits name one of those that hold the block. HDFS's client may
 * read from any of them.
 *
 * <p>File systems may take long to answer, so they are asked on a separate thread. What is not
 * found out is not known here, and the hosts of the split are all that there is to go by.
 */
public final class InputHolders {
  private static final Logger LOG = LoggerFactory.getLogger(InputHolders.class);

  /** The steps that are contained, for the log. */
  private static final String STEP = "Looking up who holds the input of maps";

  /** An idle thread ends after this time. */
  private static final long IDLE_SECONDS = 30;

  /** A split with more parts is likely to be on many hosts, and each part takes a question. */
  private static final int MOST_PARTS = 16;

  private record Question(TaskId map, TaskSplitMetaInfo split) {}

  private final Configuration hadoops;
  private final ClassLoader classes;
  private final BooleanSupplier isUseful;
  private final Breakers breakers;
  private final Executor thread;
  private final Queue<Question> questions = new ConcurrentLinkedQueue<>();
  private final Map<TaskId, Set<String>> found = new ConcurrentHashMap<>();
  private final Queue<TaskId> unread = new ConcurrentLinkedQueue<>();

  /** What only the thread uses, and creates: serializations of the job may not be there. */
  private Configuration conf;

  private SplitReader reader;

  /**
   * Creates an object that knows no holders yet, for the user who calls this.
   *
   * @param conf the job's configuration
   * @param classes finds the classes of the splits
   * @param isUseful whether it matters who holds the input of maps
   */
  public InputHolders(
      Configuration conf, ClassLoader classes, BooleanSupplier isUseful, Breakers breakers) {
    this(
        conf,
        classes,
        isUseful,
        breakers,
        new ThreadPoolExecutor(
            0,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            UserThread.daemons("Drover input holders")));
  }

  InputHolders(
      Configuration conf,
      ClassLoader classes,
      BooleanSupplier isUseful,
      Breakers breakers,
      Executor thread) {
    this.hadoops = conf;
    this.classes = classes;
    this.isUseful = isUseful;
    this.breakers = breakers;
    this.thread = thread;
  }

  /** Starts to look up who holds the split of a map now. */
  public void lookUp(TaskId map, TaskSplitMetaInfo split) {
    if (isUseful.getAsBoolean()) {
      questions.add(new Question(map, split));
      thread.execute(() -> breakers.contain(STEP, this::answerAll));
    }
  }

  /** Returns the maps that were looked up since this was called last. */
  public List<TaskId> news() {
    return drain(unread);
  }

  private static <T> List<T> drain(Queue<T> queue) {
    List<T> all = new ArrayList<>();
    for (T one = queue.poll(); one != null; one = queue.poll()) {
      all.add(one);
    }
    return all;
  }

  /** Returns the hosts that hold the input of a map, as found last; none if that is not known. */
  public Set<String> of(TaskId map) {
    return found.getOrDefault(map, Set.of());
  }

  /**
   * Answers all questions that there are. When a host is lost, many maps run again at once, and a
   * host that does not answer may hold the file of splits, too. So it is opened once for all.
   */
  private void answerAll() {
    List<Question> all = drain(questions);
    if (all.isEmpty()) {
      return;
    }
    if (reader == null) {
      conf = new Configuration(hadoops);
      conf.setClassLoader(classes);
      reader = new SplitReader(conf);
    }
    try (FSDataInputStream stored = reader.open(all.get(0).split)) {
      all.forEach(one -> breakers.contain(STEP, () -> answer(stored, one)));
    } catch (IOException e) {
      LOG.warn("The job's splits cannot be read, so it is not known who holds them: {}", reason(e));
    }
  }

  private void answer(FSDataInputStream stored, Question question) {
    try {
      Set<String> hosts = holders(reader.parts(stored, question.split));
      hosts.forEach(host -> RackResolver.resolve(conf, host)); // which others need at once
      found.put(question.map, hosts);
      unread.add(question.map);
    } catch (IOException e) {
      LOG.warn("It is not known who holds the input of {}: {}", question.map, reason(e));
    }
  }

  private static String reason(IOException e) {
    return e.toString(); // one line; there may be many
  }

  /** Returns the hosts that hold at least half of some parts of files. */
  private Set<String> holders(List<Part> parts) throws IOException {
    if (parts.size() > MOST_PARTS) {
      return Set.of();
    }
    Map<String, Long> held = new HashMap<>();
    long total = 0;
    for (Part part : parts) {
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
