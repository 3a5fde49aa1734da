// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.replicate;

import io.drover.appmaster.shuffle.ShuffleClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapred.WorkerSpillKey;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that runs in a container of a job and makes replicas of outputs on its node.
 *
 * <p>It is to the AppMaster what a reduce is: with the job's token, it asks over Hadoop's umbilical
 * for map completion events, once a second, and fetches the outputs that they name; only that it
 * fetches all parts, and keeps them as they are. It says what has become of each in a diagnostic
 * line ({@link ReplicaReport}). So there is no other protocol, and no other port. It ends when it
 * is told to forget everything ({@code shouldReset}), or when the AppMaster does not answer any
 * more.
 */
public final class ReplicaWorker {
  /** The classes of Drover that this process loads, apart from nested ones. */
  public static final List<Class<?>> CLASSES =
      List.of(
          ReplicaWorker.class,
          OutputCopy.class,
          ReplicaReport.class,
          ShuffleClient.class,
          WorkerSpillKey.class);

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaWorker.class);
  private static final int MOST_EVENTS = 100;

  private final TaskUmbilicalProtocol appMaster;
  private final TaskAttemptID self;
  private final OutputCopy copies;
  private volatile Throwable failure;
  private int taken;

  ReplicaWorker(TaskUmbilicalProtocol appMaster, TaskAttemptID self, OutputCopy copies) {
    this.appMaster = appMaster;
    this.self = self;
    this.copies = copies;
  }

  /**
   * Starts the process. ReplicaWorkerContainer writes its command line.
   *
   * @param args host and port of the umbilical, the id under which this worker asks, the number of
   *     the job's reduces, and how many bytes it may read in a second
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    JobConf conf = new JobConf(MRJobConfig.JOB_CONF_FILE);
    UserGroupInformation.setConfiguration(conf);
    SecurityUtil.setConfiguration(conf);
    InetSocketAddress address =
        NetUtils.createSocketAddrForHost(args[0], Integer.parseInt(args[1]));
    TaskAttemptID self = TaskAttemptID.forName(args[2]);
    Credentials credentials = UserGroupInformation.getCurrentUser().getCredentials();
    conf.setStrings(
        MRConfig.LOCAL_DIR,
        StringUtils.getTrimmedStrings(System.getenv(Environment.LOCAL_DIRS.name())));
    conf.setBoolean("ipc.client.tcpnodelay", true);
    OutputCopy copies =
        new OutputCopy(
            conf,
            ShuffleClient.of(conf, self.getJobID(), credentials),
            Integer.parseInt(args[3]),
            Double.parseDouble(args[4]));
    TaskUmbilicalProtocol appMaster = umbilical(conf, address, self.getJobID(), credentials);
    int status = 1;
    try {
      takeSpillKey(conf, appMaster, self.getJobID());
      new ReplicaWorker(appMaster, self, copies).run();
      status = 0;
    } catch (IOException e) {
      LOG.error("This worker cannot go on", e);
    } finally {
      RPC.stopProxy(appMaster);
      System.exit(status); // a copy that is under way is not needed
    }
  }

  /** Gets the key of encrypted outputs as tasks do, over the umbilical, so that no disk has it. */
  private static void takeSpillKey(JobConf conf, TaskUmbilicalProtocol appMaster, JobID job)
      throws IOException {
    if (CryptoUtils.isEncryptedSpillEnabled(conf)) {
      Credentials key = new Credentials();
      TokenCache.setEncryptedSpillKey(WorkerSpillKey.ask(appMaster, job), key);
      UserGroupInformation.getCurrentUser().addCredentials(key);
    }
  }

  /** Connects to the AppMaster as YarnChild does. */
  private static TaskUmbilicalProtocol umbilical(
      JobConf conf, InetSocketAddress address, JobID job, Credentials credentials)
      throws IOException, InterruptedException {
    UserGroupInformation owner = UserGroupInformation.createRemoteUser(job.toString());
    Token<JobTokenIdentifier> token = TokenCache.getJobToken(credentials);
    SecurityUtil.setTokenService(token, address);
    owner.addToken(token);
    PrivilegedExceptionAction<TaskUmbilicalProtocol> connect =
        () ->
            RPC.getProxy(
                TaskUmbilicalProtocol.class, TaskUmbilicalProtocol.versionID, address, conf);
    return owner.doAs(connect);
  }

  /** Makes replicas of what the events name until it is told to stop, one after the other. */
  void run() throws IOException, InterruptedException {
    ExecutorService copying = Executors.newSingleThreadExecutor();
    try {
      while (true) {
        MapTaskCompletionEventsUpdate update =
            appMaster.getMapCompletionEvents(self.getJobID(), taken, MOST_EVENTS, self);
        if (update.shouldReset()) {
          LOG.info("Nothing is left to replicate");
          return;
        }
        for (TaskCompletionEvent event : update.getMapTaskCompletionEvents()) {
          taken++;
          copying.execute(() -> take(event));
        }
        if (failure != null || copying.awaitTermination(1, TimeUnit.SECONDS)) {
          throw new IOException("outputs are not copied any more", failure);
        }
      }
    } finally {
      copying.shutdownNow();
    }
  }

  /** An error that is none of a copy's own ends the process, and so all its orders. */
  private void take(TaskCompletionEvent order) {
    try {
      replicate(order.getTaskAttemptId(), order.getTaskTrackerHttp());
    } catch (Throwable e) {
      failure = e;
    }
  }

  private void replicate(TaskAttemptID output, String address) {
    ReplicaReport report;
    long begun = System.nanoTime();
    try {
      long bytes = copies.make(output, address);
      double seconds = (System.nanoTime() - begun) / 1e9;
      report = ReplicaReport.made(TypeConverter.toYarn(output), bytes, seconds);
      LOG.info("Replicated {} from {}: {} bytes in {} s", output, address, bytes, seconds);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Could not replicate {} from {}", output, address, e);
      report = ReplicaReport.failed(TypeConverter.toYarn(output), e.toString());
    }
    try {
      appMaster.reportDiagnosticInfo(self, report.line());
    } catch (IOException e) { // nobody else would ever say what became of the order
      failure = e;
    }
  }
}
