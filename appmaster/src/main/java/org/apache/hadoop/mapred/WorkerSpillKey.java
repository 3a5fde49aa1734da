// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import java.io.IOException;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;

/**
 * How a worker that makes replicas gets the key of encrypted outputs: as a task does, with the
 * answer to its question for a task, so that no disk has the key. It is here because nobody else
 * can see the classes of the question.
 */
public final class WorkerSpillKey {
  /** The id of the worker's process. Those of tasks are the numbers of their containers. */
  private static final long WORKER = -1;

  private WorkerSpillKey() {}

  /** Asks the AppMaster of a job for the key. */
  public static byte[] ask(TaskUmbilicalProtocol appMaster, JobID job) throws IOException {
    JvmTask task = appMaster.getTask(new JvmContext(new JVMId(job, true, WORKER), "-1000"));
    return task.getTask().getEncryptedSpillKey();
  }

  /** Returns whether a question for a task is a worker's for the key. */
  static boolean isAsked(JvmContext question) {
    return question.jvmId.getId() == WORKER;
  }

  /** Returns the answer: a task that is none, with the key. */
  static JvmTask answer(JvmContext question, byte[] key) {
    TaskID none = new TaskID(question.jvmId.getJobId(), TaskType.MAP, 0);
    MapTask task = new MapTask("", new TaskAttemptID(none, 0), 0, new TaskSplitIndex(), 0);
    task.setUser(""); // or it cannot be written
    task.setEncryptedSpillKey(key);
    return new JvmTask(task, false);
  }
}
