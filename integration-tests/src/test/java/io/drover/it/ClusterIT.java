// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.model.TaskKind;
import io.drover.speculator.DroverCounter;
import io.drover.testbed.cluster.Await;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cluster itself: real hosts in racks, nodes that die, and nothing left behind. */
@Timeout(1200)
class ClusterIT {
  private static final Duration PAUSE = Duration.ofMillis(100);

  @Test
  void jobsRunOnHostsInRacksEvenWhenANodeDiesAndNothingIsLeftBehind() throws Exception {
    Path directory;
    try (DroverCluster cluster = DroverCluster.builder().start(StartListener.NONE)) {
      directory = cluster.directory();
      assertThat(cluster.hosts()).hasSize(6);
      assertThat(cluster.daemonPids()).hasSize(7);
      assertThat(directory.resolve("master/node-attributes"))
          .as("what a ResourceManager would keep beside the cluster's directory")
          .isNotEmptyDirectory();
      JobRunner runner = new JobRunner(cluster);

      DemoJobSpec whole =
          JobsUnderTest.lean(Scenario.NONE).with().pace(seconds(4), seconds(2)).build();

      ArchiveInUse archive = new ArchiveInUse(cluster);
      RunResult first =
          JobsUnderTest.succeeded(runner.run(whole, RunMode.CLEAN, Map.of(), archive));

      assertThat(archive.seen).as("a task with the classes of the archive").isTrue();
      assertThat(first.attempts()).hasSize(7).allMatch(AttemptRecord::won);
      assertThat(first.attempts())
          .allSatisfy(a -> assertThat(a.rack()).isEqualTo(cluster.host(a.node()).rack()));
      assertThat(first.locality().dataLocal() + first.locality().rackLocal()).isPositive();
      assertThat(first.amNode()).isEqualTo("n1");
      assertThat(mapSeconds(first)).allSatisfy(s -> assertThat(s).isGreaterThanOrEqualTo(4.0));
      assertThat(first.output().lines()).isPositive();
      assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();

      RunResult second = aNodeDies(runner);

      String dead = second.faultNode().orElseThrow();
      assertThat(second.output()).isEqualTo(first.output());
      assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
      assertThat(cluster.isAlive(dead)).isFalse();
      assertThat(cluster.daemonPids()).hasSize(6);
      assertThat(working(cluster.directory().resolve("hosts").resolve(dead))).isEmpty();
    }
    assertThat(directory).doesNotExist();
    assertThat(working(directory)).isEmpty();
  }

  /** Looks whether tasks have the classes of the archive: a JVM that cannot says nothing. */
  private static final class ArchiveInUse implements RunListener {
    private final DroverCluster cluster;
    private boolean seen;

    ArchiveInUse(DroverCluster cluster) {
      this.cluster = cluster;
    }

    @Override
    public void progress(JobProgress job) throws IOException {
      if (seen || job.maps() == 0) {
        return;
      }
      seen =
          cluster.liveContainers().stream()
              .filter(container -> container.attemptId().isPresent())
              .anyMatch(task -> mapped(task.pid()).contains("/class-archives/"));
    }

    private static String mapped(long pid) {
      try {
        return Files.readString(Path.of("/proc", Long.toString(pid), "maps"));
      } catch (IOException e) {
        return ""; // just ended
      }
    }
  }

  /** Under Hadoop's AppMaster with Drover's speculator. */
  private static RunResult aNodeDies(JobRunner runner) throws Exception {
    RunResult result =
        JobsUnderTest.succeeded(
            runner.run(
                JobsUnderTest.lean(Scenario.NODE_DEATH),
                RunMode.DROVER,
                runner.speculatorOnly(),
                RunListener.NONE));
    // of maps that the ResourceManager still believed to run: it gives a node up after 2 minutes
    assertThat(JobsUnderTest.counter(result, DroverCounter.COPIES_WON)).isPositive();
    assertThat(JobsUnderTest.counter(result, DroverCounter.TURNED_OFF)).isZero();
    return result;
  }

  @Test
  void nothingIsLeftBehindWhenTheOwnerIsKilled() throws Exception {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Ddrover.home=" + System.getProperty("drover.home"),
                "-Ddrover.archives=" + System.getProperty("drover.archives"),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Path directory;
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(owner.getInputStream(), StandardCharsets.UTF_8))) {
      String line = out.readLine();
      while (line != null && !line.startsWith(Owner.SIGN)) {
        line = out.readLine();
      }
      assertThat(line).as("what the owner says when a map runs").isNotNull();
      directory = Path.of(line.substring(Owner.SIGN.length()));
      assertThat(working(directory)).hasSizeGreaterThan(8); // 7 daemons, AppMaster, maps
    } finally {
      owner.destroyForcibly();
    }

    assertThat(Await.until(JobsUnderTest.LIMIT, PAUSE, () -> !Files.exists(directory)))
        .as("the directory is removed")
        .isTrue();
    assertThat(Await.until(JobsUnderTest.LIMIT, PAUSE, () -> working(directory).isEmpty()))
        .as("every process has ended")
        .isTrue();
  }

  /** Owns a cluster in a process of its own, and has a job run on it. */
  static final class Owner {
    static final String SIGN = "running in ";

    private Owner() {}

    public static void main(String[] arguments) throws Exception {
      DroverCluster cluster = DroverCluster.builder().start(StartListener.NONE);
      DemoJobSpec spec =
          DemoJobSpec.of(Scenario.NONE).with().tasks(3, 1).pace(seconds(120), seconds(1)).build();
      new JobRunner(cluster)
          .run(
              spec,
              RunMode.CLEAN,
              Map.of(),
              progress -> {
                if (progress.maps() > 0) {
                  System.out.println(SIGN + cluster.directory());
                }
              });
    }
  }

  private static List<Double> mapSeconds(RunResult result) {
    return result.attempts().stream()
        .filter(a -> a.kind() == TaskKind.MAP)
        .map(a -> a.duration().toMillis() / 1000.0)
        .toList();
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  /** The processes that work in a directory or below it, by command line. */
  private static List<String> working(Path directory) throws IOException {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        Optional<String> cwd = link(process.resolve("cwd"));
        if (cwd.isPresent() && cwd.get().startsWith(directory.toString())) {
          found.add(process + " in " + cwd.get());
        }
      }
    }
    return found;
  }

  private static Optional<String> link(Path link) {
    try {
      return Optional.of(Files.readSymbolicLink(link).toString());
    } catch (IOException e) {
      return Optional.empty(); // just ended
    }
  }
}
