// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.replicate.Replicator;
import io.drover.appmaster.shuffle.ShuffleClient;
import io.drover.speculator.Breakers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.app.job.impl.ReplicaWorkerContainer;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Starts the workers that make replicas of outputs in their containers. They need the files of
 * {@link MeasurementFiles}, so none can be started before those are ready.
 */
final class ReplicaLauncher implements Replicator.Launcher {
  private final JobConf conf;
  private final Supplier<Credentials> credentials;
  private final Supplier<TaskAttemptListener> listener;
  private final Supplier<MeasuredLaunches> files;
  private final double bytesPerSecond;
  private NMClient nodes;

  private ReplicaLauncher(
      JobConf conf,
      Supplier<Credentials> credentials,
      Supplier<TaskAttemptListener> listener,
      Supplier<MeasuredLaunches> files,
      double bytesPerSecond) {
    this.conf = conf;
    this.credentials = credentials;
    this.listener = listener;
    this.files = files;
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Creates a replicator that launches workers.
   *
   * @param job returns the job's id
   * @param credentials returns those of the job
   * @param listener returns what listens to tasks
   * @param files returns what has the files that workers need
   * @param bytesPerSecond how much each worker may read
   * @param breakers the job's breakers; this adds one
   */
  static Replicator replicator(
      Configuration conf,
      Supplier<JobId> job,
      Supplier<Credentials> credentials,
      Supplier<TaskAttemptListener> listener,
      Supplier<MeasuredLaunches> files,
      double bytesPerSecond,
      Breakers breakers) {
    return new Replicator(
        job,
        conf.getInt(MRJobConfig.NUM_REDUCES, 0),
        bytesPerSecond,
        new ReplicaLauncher(new JobConf(conf), credentials, listener, files, bytesPerSecond),
        System::nanoTime,
        breakers.of("Starting workers for replicas"));
  }

  @Override
  public boolean isReady() {
    return files.get() != null && files.get().isReady();
  }

  @Override
  public String launch(TaskAttemptId worker, Container container)
      throws IOException, YarnException {
    ContainerLaunchContext context =
        ReplicaWorkerContainer.describe(
            worker, conf, credentials.get(), listener.get(), acls(), bytesPerSecond);
    files.get().addTo(context);
    Map<String, ByteBuffer> services = nodes().startContainer(container, context);
    ByteBuffer port = services.get(ShuffleHandler.MAPREDUCE_SHUFFLE_SERVICEID);
    if (port == null) {
      throw new IOException("the node has no " + ShuffleHandler.MAPREDUCE_SHUFFLE_SERVICEID);
    }
    return ShuffleClient.address(
        ShuffleClient.isEncrypted(conf),
        container.getNodeHttpAddress(),
        ShuffleHandler.deserializeMetaData(port.duplicate()));
  }

  /** Returns who may see and change the job, as its tasks' containers have it. */
  private Map<ApplicationAccessType, String> acls() {
    return Map.of(
        ApplicationAccessType.VIEW_APP,
        conf.get(MRJobConfig.JOB_ACL_VIEW_JOB, MRJobConfig.DEFAULT_JOB_ACL_VIEW_JOB),
        ApplicationAccessType.MODIFY_APP,
        conf.get(MRJobConfig.JOB_ACL_MODIFY_JOB, MRJobConfig.DEFAULT_JOB_ACL_MODIFY_JOB));
  }

  private synchronized NMClient nodes() {
    if (nodes == null) {
      nodes = NMClient.createNMClient();
      nodes.init(conf);
      nodes.start();
      nodes.cleanupRunningContainersOnStop(false); // they end with the job
    }
    return nodes;
  }
}
