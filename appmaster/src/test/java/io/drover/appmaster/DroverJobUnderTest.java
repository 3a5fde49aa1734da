// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.api.records.AMInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.app.job.JobStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverJob;
import org.apache.hadoop.mapreduce.v2.app.metrics.MRAppMetrics;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;

/** Drover's job, made as JobImpl is. */
@SuppressWarnings("rawtypes") // EventHandler, as JobImpl has it
public class DroverJobUnderTest extends DroverJob {
  public DroverJobUnderTest(
      JobId jobId,
      ApplicationAttemptId applicationAttemptId,
      Configuration conf,
      EventHandler eventHandler,
      TaskAttemptListener taskAttemptListener,
      JobTokenSecretManager jobTokenSecretManager,
      Credentials jobCredentials,
      Clock clock,
      Map<TaskId, TaskInfo> completedTasksFromPreviousRun,
      MRAppMetrics metrics,
      OutputCommitter committer,
      boolean newApiCommitter,
      String userName,
      long appSubmitTime,
      List<AMInfo> amInfos,
      AppContext appContext,
      JobStateInternal forcedState,
      String forcedDiagnostic) {
    super(
        jobId,
        applicationAttemptId,
        conf,
        eventHandler,
        taskAttemptListener,
        jobTokenSecretManager,
        jobCredentials,
        clock,
        completedTasksFromPreviousRun,
        metrics,
        committer,
        newApiCommitter,
        userName,
        appSubmitTime,
        amInfos,
        appContext,
        forcedState,
        forcedDiagnostic,
        CopiesUnderTest.parts());
  }
}
