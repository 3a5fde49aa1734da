// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.replicate.ReplicaWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.DroverBoundMap;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskLog.LogName;
import org.apache.hadoop.mapred.WrappedJvmID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Describes the containers of workers that make replicas ({@link ReplicaWorker}): as those of the
 * job's maps, with the same files, tokens, class path and options of the JVM, and the same data for
 * the node's ShuffleHandler, but with another main class and less memory. It is here because Hadoop
 * shows nobody else how it describes a task's container.
 */
public final class ReplicaWorkerContainer {
  /** The memory of a worker, which holds a few buffers. */
  private static final List<String> MEMORY =
      List.of(
          "-Xmx128m",
          "-XX:+UseSerialGC",
          "-XX:ReservedCodeCacheSize=32m", // NodeManagers count what is reserved as well
          "-XX:CompressedClassSpaceSize=32m");

  /** The options of maps that are for their own memory, or for people who look into them. */
  private static final Pattern OF_MAPS =
      Pattern.compile(
          "-Xm[sxn].*|-XX:.*(Heap|RAM|NewSize|GC|CodeCache|ClassSpace).*|-XX:On.*|-Xrun.*|-Xdebug|-Xlog.*"
              + "|-agent(lib|path):.*|-javaagent:.*");

  /** A word of a command, as the shell reads it: blanks in quotes are part of it. */
  private static final Pattern WORD =
      Pattern.compile("(?:[^\\s'\"\\\\]++|\\\\.|'[^']*+'|\"(?:[^\"\\\\]++|\\\\.)*+\"|['\"\\\\])++");

  private static final Pattern QUOTES = Pattern.compile("['\"]");

  private ReplicaWorkerContainer() {}

  /**
   * Describes the container of a worker.
   *
   * @param credentials those of the job
   * @param bytesPerSecond how much the worker may read
   */
  public static ContainerLaunchContext describe(
      TaskAttemptId worker,
      JobConf conf,
      Credentials credentials,
      TaskAttemptListener listener,
      Map<ApplicationAccessType, String> acls,
      double bytesPerSecond) {
    Task like = DroverBoundMap.create(worker, 0, new TaskSplitIndex(), conf);
    JobID job = TypeConverter.fromYarn(worker).getJobID();
    ContainerLaunchContext container =
        TaskAttemptImpl.createContainerLaunchContext(
            acls,
            conf,
            TokenCache.getJobToken(credentials),
            like,
            job,
            new WrappedJvmID(job, true, 0),
            listener,
            credentials);
    container.setCommands(List.of(command(like, conf, listener, bytesPerSecond)));
    return container;
  }

  private static String command(
      Task like, JobConf conf, TaskAttemptListener listener, double bytesPerSecond) {
    List<String> words = new ArrayList<>();
    words.add(MRApps.crossPlatformifyMREnv(conf, Environment.JAVA_HOME) + "/bin/java");
    for (String option : workersOptions(conf.getTaskJavaOpts(TaskType.MAP))) {
      words.add(option.replace("@taskid@", like.getTaskID().toString()));
    }
    words.addAll(MEMORY);
    words.add(
        "-Djava.io.tmpdir="
            + new Path(
                MRApps.crossPlatformifyMREnv(conf, Environment.PWD),
                YarnConfiguration.DEFAULT_CONTAINER_TEMP_DIR));
    MRApps.addLog4jSystemProperties(like, words, conf);
    words.add(ReplicaWorker.class.getName());
    words.add(listener.getAddress().getAddress().getHostAddress());
    words.add(Integer.toString(listener.getAddress().getPort()));
    words.add(like.getTaskID().toString());
    words.add(Integer.toString(conf.getNumReduceTasks()));
    words.add(String.format(Locale.ROOT, "%.0f", bytesPerSecond));
    words.add("1>" + log(LogName.STDOUT));
    words.add("2>" + log(LogName.STDERR));
    return String.join(" ", words);
  }

  /** Returns those options of maps that are for workers as well, in their order. */
  static List<String> workersOptions(String ofMaps) {
    return WORD.matcher(ofMaps)
        .results()
        .map(MatchResult::group)
        .filter(word -> !OF_MAPS.matcher(QUOTES.matcher(word).replaceAll("")).matches())
        .toList();
  }

  private static String log(LogName name) {
    return ApplicationConstants.LOG_DIR_EXPANSION_VAR + Path.SEPARATOR + name;
  }
}
