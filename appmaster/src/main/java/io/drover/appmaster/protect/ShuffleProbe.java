// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.shuffle.ShuffleClient;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.security.Credentials;

/**
 * Asks the ShuffleHandler of a NodeManager whether it serves at all, and which outputs it can read.
 * It closes the connection before any output is sent.
 *
 * <p>Calls wait for the network, for a few seconds at most ({@link ShuffleClient}). Any thread may
 * make them.
 */
public final class ShuffleProbe {
  /** The most outputs in one request, as in ShuffleSchedulerImpl: the line must not be too long. */
  private static final int MOST_OUTPUTS = 20;

  private final ShuffleClient client;

  /**
   * Makes the probe of a job when it is first asked for: by then, the job has its token. That is on
   * a thread that may wait.
   */
  public static final class Factory implements Supplier<ShuffleProbe> {
    private final Configuration conf;
    private final Supplier<JobId> job;
    private final Supplier<Credentials> credentials;
    private ShuffleProbe probe;

    /**
     * Creates a factory.
     *
     * @param credentials returns those of the job
     */
    public Factory(Configuration conf, Supplier<JobId> job, Supplier<Credentials> credentials) {
      this.conf = conf;
      this.job = job;
      this.credentials = credentials;
    }

    @Override
    public synchronized ShuffleProbe get() {
      if (probe == null) {
        probe =
            new ShuffleProbe(
                ShuffleClient.of(conf, TypeConverter.fromYarn(job.get()), credentials.get()));
      }
      return probe;
    }
  }

  /** Creates a probe. */
  ShuffleProbe(ShuffleClient client) {
    this.client = client;
  }

  /**
   * Returns whether a ShuffleHandler answers. The request names no output, so that the handler
   * refuses it without looking at a file. The refusal comes from the handler itself: a connection
   * alone could have been accepted for a process that no longer works.
   *
   * <p>A NodeManager can be asked as well, where it takes the calls of AppMasters: RPC servers of
   * Hadoop refuse an HTTP request by an answer (ipc.Server, RECEIVED_HTTP_REQ_RESPONSE), whatever
   * security is configured.
   *
   * @param address such as {@code http://host:13562}
   */
  public boolean answers(String address) {
    try {
      HttpURLConnection connection = client.openWithoutOutput(address);
      try {
        connection.getResponseCode();
        return true;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns those of a node's outputs that its ShuffleHandler cannot read for a reduce. If no
   * answer comes, or the handler is too busy, nothing is known and none is returned.
   *
   * @param address such as {@code http://host:13562}
   * @param reduce number of the reduce
   */
  public List<TaskAttemptID> unreadable(String address, int reduce, List<TaskAttemptID> outputs) {
    List<TaskAttemptID> unreadable = new ArrayList<>();
    for (int from = 0; from < outputs.size(); from += MOST_OUTPUTS) {
      List<TaskAttemptID> some =
          outputs.subList(from, Math.min(from + MOST_OUTPUTS, outputs.size()));
      if (!areReadable(address, reduce, some)) {
        some.stream()
            .filter(one -> some.size() == 1 || !areReadable(address, reduce, List.of(one)))
            .forEach(unreadable::add);
      }
    }
    return unreadable;
  }

  /** Returns whether the handler has not said that it cannot read all of some outputs. */
  private boolean areReadable(String address, int reduce, List<TaskAttemptID> outputs) {
    try (ShuffleClient.Request request = client.ask(address, reduce, outputs)) {
      return !request.isRefused();
    } catch (IOException e) {
      return true; // whether the node serves at all is asked elsewhere
    }
  }

  /**
   * Returns whether a handler has said that it can read an output for a reduce.
   *
   * @param address such as {@code http://host:13562}
   * @param reduce number of the reduce
   */
  public boolean canRead(String address, int reduce, TaskAttemptID output) {
    try (ShuffleClient.Request request = client.ask(address, reduce, List.of(output))) {
      return request.isGood();
    } catch (IOException e) {
      return false;
    }
  }
}
