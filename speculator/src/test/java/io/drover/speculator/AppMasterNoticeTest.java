// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.yarn.event.EventHandler;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AppMasterNoticeTest {
  private static final String CELEBORNS =
      "org.apache.celeborn.mapreduce.v2.app.MRAppMasterWithCeleborn";
  private static final String HADOOPS = "org.apache.hadoop.mapreduce.v2.app.MRAppMaster";

  private final Configuration conf = new JobConf();

  @Test
  void theClassThatTheJvmRunsIsNamed() {
    assertThat(AppMasterNotice.runs(HADOOPS)).contains("runs in " + HADOOPS);
    assertThat(AppMasterNotice.warnings(conf, HADOOPS)).isEmpty();
  }

  @Test
  void droversBehindAnotherIsSaidNotToRun() {
    String command = "a.B -Xmx1g " + AppMasterNotice.DROVERS + " " + HADOOPS;
    assertThat(AppMasterNotice.runs(command)).contains("runs in a.B,");
    assertThat(AppMasterNotice.warnings(conf, command))
        .singleElement()
        .asString()
        .contains("names a.B before " + AppMasterNotice.DROVERS);
  }

  @Test
  void shuffleServiceOfAnotherAppMasterIsTold() {
    conf.set(
        "mapreduce.job.map.output.collector.class",
        "org.apache.hadoop.mapred.CelebornMapOutputCollector");
    assertThat(AppMasterNotice.warnings(conf, HADOOPS))
        .singleElement()
        .asString()
        .contains("works only in " + CELEBORNS, "tasks fail in " + HADOOPS);
    assertThat(AppMasterNotice.warnings(conf, CELEBORNS + " " + HADOOPS)).isEmpty();
  }

  @Test
  void nothingIsGuessedWhereTheJvmDoesNotTell() {
    assertThat(AppMasterNotice.runs("")).contains("another AppMaster");
    assertThat(AppMasterNotice.warnings(conf, "")).isEmpty();
  }

  /** A bad setting, with which Drover is off, does not hide who runs. */
  @Test
  void speculatorSaysItOutsideOfDroversAppMasterOnly() throws Exception {
    conf.set("mapreduce.drover.restart.delta", "none");
    assertThat(logged(new DroverSpeculator(conf, context()))).contains("Drover: the job runs in");
    AttemptPlacementHook hook = mock();
    when(hook.secondAttempts()).thenReturn(mock());
    ClassLoader loader = getClass().getClassLoader();
    Breakers breakers = Breakers.uncounted();
    assertThat(logged(new DroverSpeculator(conf, context(), Optional.of(hook), breakers, loader)))
        .isEmpty();
  }

  private static AppContext context() {
    AppContext context = mock();
    when(context.getEventHandler()).thenReturn(mock(EventHandler.class));
    when(context.getClock()).thenReturn(mock());
    return context;
  }

  private String logged(DroverSpeculator speculator) throws Exception {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(AppMasterNotice.class));
    try (speculator) {
      speculator.init(conf);
    } finally {
      log.stopCapturing();
    }
    return log.getOutput();
  }
}
