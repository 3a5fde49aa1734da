// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.DroverTaskListener;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.TaskAttemptListener;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No line that a task says to Drover becomes a diagnostic message, whatever is set: an attempt
 * keeps those for as long as the AppMaster lives, and shows them to the user.
 */
class TaskLinesOfAnAppMasterTest {
  private static final ApplicationAttemptId SELF =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);

  private static final TaskAttemptID MAP = TaskAttemptID.forName("attempt_1_0001_m_000000_0");
  private static final List<String> LINES =
      List.of(
          "drover:partition-sizes:2:0:AAAA",
          "drover:fetches:1:n,1700000000000,1,2;",
          "drover:partition-sizes:1:AAAA", // of an older task
          "drover:of-a-newer-task:7:x",
          "drover:");

  @TempDir Path directory;
  private AppMaster appMaster;

  /** A real AppMaster, that is not started, and its listener to tasks. */
  private static final class AppMaster extends DroverAppMasterUnderTest {
    private final List<Event<?>> events = new CopyOnWriteArrayList<>();
    private TaskAttemptListener listener;

    AppMaster() {
      super(SELF, ContainerId.newContainerId(SELF, 1), "localhost", 1, 2, 0);
    }

    @Override
    protected TaskAttemptListener createTaskAttemptListener(
        AppContext context, AMPreemptionPolicy policy) {
      listener = super.createTaskAttemptListener(context, policy);
      return listener;
    }

    @Override
    protected Dispatcher createDispatcher() {
      return new AsyncDispatcher() {
        @Override
        public EventHandler<Event> getEventHandler() {
          return events::add;
        }
      };
    }

    List<String> diagnostics() {
      return events.stream()
          .filter(TaskAttemptDiagnosticsUpdateEvent.class::isInstance)
          .map(event -> ((TaskAttemptDiagnosticsUpdateEvent) event).getDiagnosticInfo())
          .toList();
    }
  }

  private AppMaster init(String settings) throws IOException {
    JobConf conf = new JobConf(new Configuration());
    conf.set("fs.defaultFS", "file:///");
    conf.set("hadoop.http.temp.dir", directory.resolve("http").toString());
    conf.set(MRJobConfig.MR_AM_STAGING_DIR, directory.toString());
    conf.setInt(MRJobConfig.NUM_REDUCES, 20);
    for (String setting : settings.isEmpty() ? new String[0] : settings.split(" ")) {
      conf.set(setting.split("=")[0], setting.split("=")[1]);
    }
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    Files.createDirectories(Path.of(MRApps.getStagingAreaDir(conf, user).toString()));
    appMaster = new AppMaster();
    appMaster.init(conf);
    return appMaster;
  }

  @AfterEach
  void stop() {
    appMaster.stop();
  }

  @ParameterizedTest
  @CsvSource({
    "''",
    "mapreduce.drover.placement.mode=off",
    "mapreduce.drover.placement.mode=off mapreduce.drover.order.mode=off",
    "mapreduce.drover.placement.mode=off mapreduce.drover.order.mode=off"
        + " mapreduce.drover.clone.mode=off",
    "mapreduce.drover.placement.mode=off mapreduce.drover.order.mode=off"
        + " mapreduce.drover.clone.copy-wait=0",
    "mapreduce.drover.placement.mode=observe mapreduce.drover.order.mode=off",
    "mapreduce.drover.restart.delta=nonsense",
    "mapreduce.drover.no.such.key=1",
    "mapreduce.job.reduces=0",
    "mapreduce.job.ubertask.enable=true mapreduce.job.reduces=1",
    "mapreduce.map.speculative=false mapreduce.reduce.speculative=false",
    "mapreduce.job.encrypted-intermediate-data=true",
    "yarn.app.mapreduce.am.command-opts=-Xmx1g"
  })
  void noLineBecomesADiagnosticMessageAndAllElseDoes(String settings) throws Exception {
    TaskAttemptListener listener = init(settings).listener;
    assertThat(listener).isInstanceOf(DroverTaskListener.class);
    for (String line : LINES) {
      ((TaskUmbilicalProtocol) listener).reportDiagnosticInfo(MAP, line);
    }
    assertThat(appMaster.diagnostics()).isEmpty();
    ((TaskUmbilicalProtocol) listener).reportDiagnosticInfo(MAP, "No space left on drover:");
    ((TaskUmbilicalProtocol) listener).fatalError(MAP, "drover:", false);
    assertThat(appMaster.diagnostics())
        .containsExactly("No space left on drover:", "Error: drover:");
  }

  @ParameterizedTest
  @CsvSource({
    "'',true",
    "mapreduce.map.speculative=false,false",
    "mapreduce.reduce.speculative=false,true",
    "mapreduce.drover.protect.mode=off,false"
  })
  void outputsAreWatchedIfMapsMayRunTwice(String settings, boolean areWatched) throws Exception {
    assertThat(
            init(settings).getServices().stream()
                .anyMatch(service -> service.getName().endsWith(".HostWatch")))
        .isEqualTo(areWatched);
  }
}
