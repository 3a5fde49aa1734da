// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedAction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class UserThreadTest {
  private final UserGroupInformation ann = UserGroupInformation.createRemoteUser("ann");

  @Test
  void decisionsAreTakenInTheNameOfTheUserWhoseAppMasterItIs() throws Exception {
    CompletableFuture<String> user = new CompletableFuture<>();
    AppContext context = mock(RETURNS_DEEP_STUBS);
    JobId id = MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1);
    Job job = mock(RETURNS_DEEP_STUBS);
    when(context.getJob(id))
        .thenAnswer(
            call -> {
              if (Thread.currentThread().getName().equals("Drover decisions")) {
                user.complete(UserGroupInformation.getCurrentUser().getUserName());
              }
              return job;
            });
    Configuration conf = new Configuration();
    DroverSpeculator speculator =
        ann.doAs((PrivilegedAction<DroverSpeculator>) () -> new DroverSpeculator(conf, context));
    speculator.init(conf);
    speculator.start(); // as another user
    speculator.handle(new SpeculatorEvent(id, 1));
    assertThat(user.get(2, TimeUnit.MINUTES)).isEqualTo("ann");
    speculator.stop();
  }

  /** Others create and start it. From Java 22 on, it would have no user; up to 21, theirs. */
  @Test
  void worksInTheNameOfTheUserItIsMadeFor() throws Exception {
    CompletableFuture<String> user = new CompletableFuture<>();
    Thread thread = UserThread.daemon(ann, () -> user.complete(currentUser()), "test");
    thread.start();
    assertThat(user.get(2, TimeUnit.MINUTES)).isEqualTo("ann");
    assertThat(currentUser()).isNotEqualTo("ann");
    assertThat(thread.isDaemon()).isTrue();
  }

  @Test
  void worksInTheNameOfTheUserWhoMadeIt() throws Exception {
    CompletableFuture<String> user = new CompletableFuture<>();
    PrivilegedAction<Thread> makes =
        () -> UserThread.daemon(() -> user.complete(currentUser()), "test");
    ann.doAs(makes).start();
    assertThat(user.get(2, TimeUnit.MINUTES)).isEqualTo("ann");
  }

  private static String currentUser() {
    try {
      return UserGroupInformation.getCurrentUser().getUserName();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
