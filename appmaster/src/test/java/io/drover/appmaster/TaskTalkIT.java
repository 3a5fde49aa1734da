// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.appmaster.sampling.SampledJob;
import io.drover.core.config.PlacementSettings;
import io.drover.speculator.Breakers;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapred.DroverTaskListener;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.rm.RMHeartbeatHandler;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.NoopAMPreemptionPolicy;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.hadoop.yarn.util.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tasks say goes over Hadoop's own RPC to a real listener. */
class TaskTalkIT {
  private static final TaskAttemptID REDUCE = TaskAttemptID.forName("attempt_1_0001_r_000000_0");
  private static final int HOSTS = 4000;

  /** The reader waits for the rack of the first host until the last line has been answered. */
  @Test
  @Timeout(240)
  void reduceOfThousandsOfHostsIsAnsweredAtOnceAndHeardWhole() throws Exception {
    AtomicInteger lookedUp = new AtomicInteger();
    CountDownLatch answered = new CountDownLatch(1);
    MeasuredLinks links =
        new MeasuredLinks(
            new PlacementSettings(Duration.ZERO, Map.of(), Duration.ofSeconds(60)),
            host -> {
              Uninterruptibles.awaitUninterruptibly(answered);
              lookedUp.incrementAndGet();
              return "/" + host.charAt(host.length() - 1);
            },
            new ClusterChannel(),
            (type, fields) -> {});
    long now = System.currentTimeMillis();
    Fetches fetches = new Fetches();
    for (int host = 0; host < HOSTS; host++) {
      fetches.add(
          new Fetches.Fetch("host.of.a.large.cluster." + host, now - 400_000, now - 1, 1_000_000));
    }
    AppContext context = context(now);
    UmbilicalMessageQueue lines =
        new UmbilicalMessageQueue(
            new Measurements(
                () -> context, new MapOutputs(1), links, CopiesUnderTest.noProtection()),
            () -> UserGroupInformation.createRemoteUser("user"),
            Breakers.uncounted());
    JobTokenSecretManager secrets = new JobTokenSecretManager();
    DroverTaskListener listener =
        new DroverTaskListener(
            context,
            secrets,
            mock(RMHeartbeatHandler.class),
            new NoopAMPreemptionPolicy(),
            lines::add,
            null,
            SampledJob.wholeInput(),
            CopiesUnderTest.noProtection(),
            new byte[] {0});
    Configuration conf = new Configuration();
    lines.init(conf);
    listener.init(conf);
    lines.start();
    listener.start();
    try {
      TaskUmbilicalProtocol appMaster = connect(secrets, listener.getAddress(), conf);
      try {
        int said = 0;
        for (int i = 0; i < 3; i++) {
          for (String line : fetches.encode()) {
            appMaster.reportDiagnosticInfo(REDUCE, line);
            said += line.length();
          }
        }
        // All but the line that is being read: the test would hang if a call waited for the reader.
        assertThat(lines.waiting()).isGreaterThan(said * 9 / 10);
        assertThat(lookedUp).hasValue(0);
        answered.countDown();
        await().atMost(Duration.ofSeconds(60)).until(() -> lines.waiting() == 0);
        await().atMost(Duration.ofSeconds(60)).until(() -> links.news() > 0);
        assertThat(lookedUp).hasValue(HOSTS); // no line was cut off on the way
        assertThat(lines.dropped()).isZero();
      } finally {
        answered.countDown();
        RPC.stopProxy(appMaster);
      }
    } finally {
      listener.stop();
      lines.stop();
    }
  }

  private static AppContext context(long now) {
    AppContext context = mock(AppContext.class);
    Job job = mock(Job.class);
    Task task = mock(Task.class);
    TaskAttempt attempt = mock(TaskAttempt.class);
    when(context.getJob(any())).thenReturn(job);
    when(context.getClock()).thenReturn(SystemClock.getInstance());
    when(context.getStartTime()).thenReturn(now - 1_000_000);
    when(context.getNMHostname()).thenReturn("localhost");
    when(job.getTask(any())).thenReturn(task);
    when(task.getAttempt(any())).thenReturn(attempt);
    when(attempt.getNodeRackName()).thenReturn("/here");
    return context;
  }

  /** As YarnChild does. */
  private static TaskUmbilicalProtocol connect(
      JobTokenSecretManager secrets, InetSocketAddress address, Configuration conf)
      throws Exception {
    String job = REDUCE.getJobID().toString();
    Token<JobTokenIdentifier> token = new Token<>(new JobTokenIdentifier(new Text(job)), secrets);
    secrets.addTokenForJob(job, token);
    SecurityUtil.setTokenService(token, address);
    UserGroupInformation task = UserGroupInformation.createRemoteUser(job);
    task.addToken(token);
    return task.doAs(
        (PrivilegedExceptionAction<TaskUmbilicalProtocol>)
            () ->
                RPC.getProxy(
                    TaskUmbilicalProtocol.class, TaskUmbilicalProtocol.versionID, address, conf));
  }
}
