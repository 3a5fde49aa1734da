// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message from a task to Drover's AppMaster, sent as a diagnostic text over Hadoop's umbilical.
 *
 * <p>Any other AppMaster would keep the line as a diagnostic message of the attempt for as long as
 * it lives, and show it to the user. So a task sends nothing unless its AppMaster has written into
 * the job's configuration that it accepts this kind of line, in this version, from the tasks of
 * this job ({@link #ACCEPTED}).
 */
public final class UmbilicalMessage {
  /**
   * The key by which the AppMaster tells tasks the job's id and the kinds of line that it accepts,
   * as in {@code job_1_0001,fetches:1}. The id is there because a task may submit other jobs with
   * its own job's configuration, and these may run in any AppMaster.
   */
  public static final String ACCEPTED = "yarn.app.mapreduce.am.drover.hears";

  /** The longest line. Hadoop's RPC cuts texts off at 21,845 characters (UTF8.writeString). */
  static final int MOST_CHARACTERS = 20_000;

  /** Hadoop's own collector of map output, which is the default. */
  private static final String STOCK_COLLECTOR = "org.apache.hadoop.mapred.MapTask$MapOutputBuffer";

  private static final String COLLECTOR = "org.apache.hadoop.mapred.DroverMapOutput";

  /** Hadoop's own shuffle, which is the default. */
  private static final String STOCK_SHUFFLE = "org.apache.hadoop.mapreduce.task.reduce.Shuffle";

  private static final String SHUFFLE = "io.drover.appmaster.MeasuredShuffle";

  /** Stands among the kinds of line if reduces were told to complain at once. */
  private static final String COMPLAINS = "complaints:1";

  private static final String COMPLAINS_AFTER = MRJobConfig.SHUFFLE_FETCH_FAILURES;
  private static final Logger LOG = LoggerFactory.getLogger(UmbilicalMessage.class);
  private static final String PREFIX = "drover:";

  private UmbilicalMessage() {}

  /** Returns how lines of a kind begin. A kind is a name and a version: {@code fetches:1}. */
  static String prefix(String kind) {
    return PREFIX + kind + ":";
  }

  /** Returns whether a text is a line for Drover. */
  public static boolean isOne(String text) {
    return text != null && text.startsWith(PREFIX);
  }

  /**
   * Replaces Hadoop's classes with Drover's in the configuration that tasks read, and sets which
   * lines are accepted. A collector or shuffle that the user chose stays. If the user has not said
   * after how many attempts reduces report an output that they cannot fetch, they do so at once.
   *
   * @param job the job whose configuration it is
   * @param duties what tasks should do
   * @return whether anything was changed for them
   */
  static boolean ask(Configuration conf, JobID job, TaskDuties duties) {
    List<String> accepted = new ArrayList<>(List.of(job.toString()));
    List<String> collectors =
        List.of(
            conf.getTrimmedStrings(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, STOCK_COLLECTOR));
    boolean isStock = collectors.equals(List.of(STOCK_COLLECTOR)) || collectors.contains(COLLECTOR);
    if (duties.sizes() && isStock) {
      conf.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, COLLECTOR + "," + STOCK_COLLECTOR);
      accepted.add(PartitionSizes.KIND);
    }
    String shuffle = conf.getTrimmed(MRConfig.SHUFFLE_CONSUMER_PLUGIN, STOCK_SHUFFLE);
    boolean watches = duties.fetches() || duties.slow();
    if (watches && Set.of(STOCK_SHUFFLE, SHUFFLE).contains(shuffle)) {
      conf.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, SHUFFLE);
      if (duties.fetches()) {
        accepted.add(Fetches.KIND);
      }
      if (duties.slow()) {
        accepted.add(FetchesUnderWay.KIND);
      }
    }
    boolean asksToComplain = duties.complaints() && isDefault(conf, COMPLAINS_AFTER);
    if (asksToComplain) {
      conf.setInt(COMPLAINS_AFTER, 1);
      accepted.add(COMPLAINS);
    }
    conf.set(ACCEPTED, String.join(",", accepted));
    return accepted.size() > 1;
  }

  /** Returns whether nobody but Hadoop's own default files has set a key. */
  private static boolean isDefault(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return conf.get(key) == null
        || (sources != null && sources.length > 0 && sources[0].endsWith("-default.xml"));
  }

  /**
   * Returns whether the AppMaster accepts a kind of line from a job's tasks. The class that would
   * send it, which runs in place of Hadoop's, asks once. From then on, the task's configuration
   * names Hadoop's classes again, so user code that reads it, for example to submit other jobs,
   * sees what it would see without Drover.
   */
  public static boolean isHeard(Configuration conf, JobID job, String kind) {
    return heard(conf, job).contains(kind);
  }

  /** Returns all kinds of line that the AppMaster accepts, in the same way. */
  static Set<String> heard(Configuration conf, JobID job) {
    List<String> accepted = List.of(conf.getTrimmedStrings(ACCEPTED));
    conf.unset(ACCEPTED);
    if (accepted.contains(COMPLAINS)) {
      conf.unset(COMPLAINS_AFTER); // a reduce has read it by now
    }
    if (conf.get(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, "").startsWith(COLLECTOR)) {
      conf.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, STOCK_COLLECTOR);
    }
    if (conf.get(MRConfig.SHUFFLE_CONSUMER_PLUGIN, "").equals(SHUFFLE)) {
      conf.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, STOCK_SHUFFLE);
    }
    return !accepted.isEmpty() && accepted.get(0).equals(job.toString())
        ? Set.copyOf(accepted.subList(1, accepted.size()))
        : Set.of();
  }

  /**
   * Sends lines on a separate thread. The task goes on, however slow the AppMaster is. If the task
   * ends first, lines that were not sent are lost.
   *
   * @param lines creates the lines, on that thread
   */
  public static void send(
      TaskUmbilicalProtocol to, TaskAttemptID from, Callable<Collection<String>> lines) {
    try {
      Thread thread = new Thread(() -> sendNow(to, from, lines), "Drover task messages");
      thread.setDaemon(true);
      thread.start();
    } catch (Throwable e) { // for example no more threads: the task does not need this one
      LOG.warn("The measurements of {} do not reach the AppMaster", from, e);
    }
  }

  /**
   * Sends a line every now and then, on a thread of its own, until it is told to stop or the task
   * ends.
   *
   * @param line returns the line; empty if there is nothing to say
   * @param over is open when it is time to stop
   */
  static void sendRegularly(
      TaskUmbilicalProtocol to,
      TaskAttemptID from,
      long pauseMillis,
      Supplier<Optional<String>> line,
      CountDownLatch over) {
    send(
        to,
        from,
        () -> {
          while (!over.await(pauseMillis, TimeUnit.MILLISECONDS)) {
            Optional<String> next = line.get();
            if (next.isPresent()) {
              to.reportDiagnosticInfo(from, next.get());
            }
          }
          return List.of();
        });
  }

  /**
   * Sends the lines and catches everything, even an OutOfMemoryError: uncaught on any thread, it
   * makes Hadoop end the task. If the task itself lacks memory, it will find out.
   */
  private static void sendNow(
      TaskUmbilicalProtocol to, TaskAttemptID from, Callable<Collection<String>> lines) {
    try {
      for (String line : lines.call()) {
        to.reportDiagnosticInfo(from, line);
      }
    } catch (IOException e) { // the task has ended, or the AppMaster
      LOG.info("The measurements of {} do not reach the AppMaster: {}", from, e.toString());
    } catch (Throwable e) {
      LOG.warn("The measurements of {} do not reach the AppMaster", from, e);
    }
  }

  /**
   * Reads the entries of a line, which may hold anything, once from left to right, because there
   * may be thousands of numbers. An entry is a text and numbers with commas between them, and ends
   * with a semicolon.
   */
  static final class Cursor {
    private static final long MOST = 100_000_000_000_000_000L;

    private final String line;
    private int at;

    /** Creates a cursor at the first entry, behind the prefix. */
    Cursor(String line, String prefix) {
      this.line = line;
      this.at = prefix.length();
    }

    boolean isAtEnd() {
      return at >= line.length();
    }

    /** Returns the text before the next comma, semicolon or end, and skips both. */
    String text() {
      int first = at;
      while (at < line.length() && line.charAt(at) != ',' && line.charAt(at) != ';') {
        at++;
      }
      return line.substring(first, at++);
    }

    /** Returns the number before a character, and skips both; -1 if there is no such number. */
    long number(char end) {
      int first = at;
      long number = 0;
      while (at < line.length() && number < MOST) {
        char next = line.charAt(at++);
        if (next == end) {
          return at - first > 1 ? number : -1;
        }
        int digit = next - '0';
        if (digit < 0 || digit > 9) {
          return -1;
        }
        number = 10 * number + digit;
      }
      return -1;
    }
  }
}
