// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message from a task to Drover's AppMaster, sent as a diagnostic text of Hadoop's umbilical
 * protocol.
 *
 * <p>An AppMaster that is not Drover's would keep the line as a diagnostic message of the attempt,
 * for as long as it lives, and show it to the user. So a task says nothing unless its AppMaster has
 * written into the job's configuration that it wants this kind of line, in this version, from the
 * tasks of this job ({@link #ACCEPTED}).
 */
public final class UmbilicalMessage {
  /**
   * The AppMaster's word to tasks: the job's id and the kinds of line that are wanted, as in {@code
   * job_1_0001,fetches:1}. With the id, since a task may submit other jobs with its own job's
   * configuration, and their AppMasters may be anyone's.
   */
  public static final String ACCEPTED = "yarn.app.mapreduce.am.drover.hears";

  /** Hadoop's RPC cuts a text off at 21,845 characters (UTF8.writeString). */
  static final int MOST_CHARACTERS = 20_000;

  /** Hadoop's own collector of map output, which is the default. */
  private static final String STOCK_COLLECTOR = "org.apache.hadoop.mapred.MapTask$MapOutputBuffer";

  private static final String COLLECTOR = "org.apache.hadoop.mapred.DroverMapOutput";

  /** Hadoop's own shuffle, which is the default. */
  private static final String STOCK_SHUFFLE = "org.apache.hadoop.mapreduce.task.reduce.Shuffle";

  private static final String SHUFFLE = "io.drover.appmaster.MeasuredShuffle";
  private static final Logger LOG = LoggerFactory.getLogger(UmbilicalMessage.class);
  private static final String PREFIX = "drover:";

  private UmbilicalMessage() {}

  /** How lines of a kind begin; a kind is a name and a version: {@code fetches:1}. */
  static String prefix(String kind) {
    return PREFIX + kind + ":";
  }

  /** Whether a text is a line for Drover. */
  public static boolean isOne(String text) {
    return text != null && text.startsWith(PREFIX);
  }

  /**
   * Puts Drover's classes into the configuration that tasks read, in the place of Hadoop's own, and
   * says which lines are wanted. Another collector or shuffle that the user chose stays.
   *
   * @param job whose configuration it is
   * @param sizes whether maps are to tell the sizes of their parts
   * @param fetches whether reduces are to tell of their fetches
   * @return whether anything was put there
   */
  static boolean ask(Configuration conf, JobID job, boolean sizes, boolean fetches) {
    List<String> accepted = new ArrayList<>(List.of(job.toString()));
    List<String> collectors =
        List.of(
            conf.getTrimmedStrings(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, STOCK_COLLECTOR));
    boolean isStock = collectors.equals(List.of(STOCK_COLLECTOR)) || collectors.contains(COLLECTOR);
    if (sizes && isStock) {
      conf.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, COLLECTOR + "," + STOCK_COLLECTOR);
      accepted.add(PartitionSizes.KIND);
    }
    String shuffle = conf.getTrimmed(MRConfig.SHUFFLE_CONSUMER_PLUGIN, STOCK_SHUFFLE);
    if (fetches && Set.of(STOCK_SHUFFLE, SHUFFLE).contains(shuffle)) {
      conf.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, SHUFFLE);
      accepted.add(Fetches.KIND);
    }
    conf.set(ACCEPTED, String.join(",", accepted));
    return accepted.size() > 1;
  }

  /**
   * Whether the AppMaster wants a kind of line from a job's tasks. Asked once, by the class that
   * would say it, which runs in the place of Hadoop's: from then on the task's configuration names
   * Hadoop's classes again. What the user's code makes of it later, other jobs say, is what it
   * would be without Drover.
   */
  public static boolean isHeard(Configuration conf, JobID job, String kind) {
    List<String> accepted = List.of(conf.getTrimmedStrings(ACCEPTED));
    conf.unset(ACCEPTED);
    if (conf.get(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, "").startsWith(COLLECTOR)) {
      conf.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, STOCK_COLLECTOR);
    }
    if (conf.get(MRConfig.SHUFFLE_CONSUMER_PLUGIN, "").equals(SHUFFLE)) {
      conf.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, STOCK_SHUFFLE);
    }
    return accepted.contains(kind) && accepted.get(0).equals(job.toString());
  }

  /**
   * Says lines on a thread of its own: the task goes on, however slow the AppMaster is, and if it
   * ends first, what has not been said is lost.
   *
   * @param lines makes them, on that thread
   */
  public static void send(
      TaskUmbilicalProtocol to, TaskAttemptID from, Callable<Collection<String>> lines) {
    try {
      Thread thread = new Thread(() -> sendNow(to, from, lines), "Drover tells the AppMaster");
      thread.setDaemon(true);
      thread.start();
    } catch (Throwable e) { // no more threads, say: the task does not need this one
      LOG.warn("The AppMaster is not told what {} has measured", from, e);
    }
  }

  /**
   * Everything is caught, an OutOfMemoryError too: uncaught on any thread, Hadoop ends the task for
   * it. If the task itself lacks memory, it will find out.
   */
  private static void sendNow(
      TaskUmbilicalProtocol to, TaskAttemptID from, Callable<Collection<String>> lines) {
    try {
      for (String line : lines.call()) {
        to.reportDiagnosticInfo(from, line);
      }
    } catch (IOException e) { // the task has ended, or the AppMaster
      LOG.info("The AppMaster is not told what {} has measured: {}", from, e.toString());
    } catch (Throwable e) {
      LOG.warn("The AppMaster is not told what {} has measured", from, e);
    }
  }
}
