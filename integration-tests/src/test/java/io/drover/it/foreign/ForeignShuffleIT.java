// SPDX-License-Identifier: Apache-2.0
package io.drover.it.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.it.BesideOthers;
import io.drover.it.ContainerLogs;
import io.drover.it.JobsUnderTest;
import io.drover.it.SharedCluster;
import io.drover.speculator.DroverCounter;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Jobs whose map outputs are on no node, because a collector and a shuffle of their own keep them
 * elsewhere, as those of Celeborn and Uniffle do. Each has a straggler that Drover must overtake.
 */
@EnabledIfSystemProperty(
    named = "drover.clients.run",
    matches = "true",
    disabledReason = "mvn -Pclients runs this: it takes a minute and a half")
@ExtendWith(SharedCluster.class)
class ForeignShuffleIT {
  private static final String DROVERS = "io.drover.appmaster.DroverAppMaster";

  /** Lines of decision logs that are about where outputs are. */
  private static final List<String> ABOUT_OUTPUTS =
      List.of("placed", "placement", "link", "fetch", "replicaMade", "outputMadeAgain");

  private static DroverCluster cluster;
  private static JobRunner runner;

  @BeforeAll
  static void start(DroverCluster shared) {
    cluster = shared;
    runner = new JobRunner(cluster);
  }

  @AfterAll
  static void nothingIsLeftBehind() throws Exception {
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }

  private static RunResult run(Scenario scenario, Map<String, String> extra) throws Exception {
    Map<String, String> settings = new HashMap<>(extra);
    settings.put(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, RemoteCollector.class.getName());
    settings.put(MRConfig.SHUFFLE_CONSUMER_PLUGIN, RemoteShuffle.class.getName());
    settings.put(RemoteOutput.DIRECTORY, "/foreign/" + scenario);
    RunResult result =
        JobsUnderTest.succeeded(
            runner.run(JobsUnderTest.lean(scenario), RunMode.DROVER, settings, RunListener.NONE));
    assertThat(result.output()).isEqualTo(runner.outputAlone(result.spec()));
    assertThat(result.tally().failed()).as(() -> JobsUnderTest.story(result)).isZero();
    assertThat(result.attempts())
        .filteredOn(a -> a.won() && a.taskName().equals(result.faultTask().orElseThrow()))
        .extracting(AttemptRecord::attempt)
        .as(() -> "the straggler has not won; " + JobsUnderTest.story(result))
        .doesNotContain(0);
    for (String type : ABOUT_OUTPUTS) {
      assertThat(JobsUnderTest.lines(result, type)).isEmpty();
    }
    return result;
  }

  private static void assertSaid(RunResult result, String line) throws Exception {
    assertThat(ContainerLogs.of(cluster, result.jobId())).anyMatch(said -> said.contains(line));
  }

  @BesideOthers
  @Test
  void clonesOfMapsAndReducesReadWhatTheAppMasterNames() throws Exception {
    RunResult result = run(Scenario.SMALL_JOBS, Map.of());
    assertThat(JobsUnderTest.counter(result, DroverCounter.CLONES_LAUNCHED)).isPositive();
    assertThat(JobsUnderTest.counter(result, DroverCounter.CLONES_WON)).isPositive();
    assertSaid(
        result,
        "Drover: "
            + MRConfig.SHUFFLE_CONSUMER_PLUGIN
            + " is "
            + RemoteShuffle.class.getName()
            + ": where outputs of maps are is not known");
  }

  @BesideOthers
  @Test
  void stragglerIsCopied() throws Exception {
    RunResult result = run(Scenario.SLOW_ATTEMPT, Map.of("mapreduce.drover.clone.mode", "off"));
    assertThat(result.tally().copies() + result.tally().restarts())
        .as(() -> JobsUnderTest.story(result))
        .isPositive();
  }

  @BesideOthers
  @Test
  void stragglerIsCopiedInAnotherAppMasterThatIsNamedFirst() throws Exception {
    Map<String, String> settings = new HashMap<>(runner.speculatorOnly());
    settings.put(
        MRJobConfig.MR_AM_COMMAND_OPTS,
        cluster
            .underDrover()
            .get(MRJobConfig.MR_AM_COMMAND_OPTS)
            .replace(DROVERS, ForeignAppMaster.class.getName() + " " + DROVERS));
    RunResult result = run(Scenario.SLOW_ATTEMPT, settings);
    assertThat(result.tally().copies() + result.tally().restarts())
        .as(() -> JobsUnderTest.story(result))
        .isPositive();
    assertSaid(result, ForeignAppMaster.HELLO);
    assertSaid(result, "names " + ForeignAppMaster.class.getName() + " before " + DROVERS);
    assertThat(ContainerLogs.of(cluster, result.jobId()))
        .noneMatch(line -> line.contains("DroverContainerAllocator"));
  }
}
