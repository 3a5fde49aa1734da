// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.drover.speculator.Breakers;
import io.drover.speculator.SecondAttempts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerLauncherEvent;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasuredLaunchesTest {
  private static final String COLLECTOR = "mapreduce.job.map.output.collector.class";
  private static final String SHUFFLE = "mapreduce.job.reduce.shuffle.consumer.plugin.class";
  private static final ApplicationAttemptId SELF =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
  private static final JobId JOB = MRBuilderUtils.newJobId(SELF.getApplicationId(), 1);
  private static final TaskAttemptId MAP =
      MRBuilderUtils.newTaskAttemptId(MRBuilderUtils.newTaskId(JOB, 3, TaskType.MAP), 1);

  @TempDir Path directory;
  private final Configuration conf = new JobConf();
  private final Map<TaskAttemptId, TaskAttempt> attempts = new HashMap<>();
  private final List<ContainerLauncherEvent> launched = new ArrayList<>();
  private final LocalResource jobXml =
      LocalResource.newInstance(
          org.apache.hadoop.yarn.api.records.URL.fromURI(java.net.URI.create("file:///job.xml")),
          LocalResourceType.FILE,
          LocalResourceVisibility.APPLICATION,
          1,
          2);
  private final Breakers breakers = Breakers.uncounted();
  private final SecondAttempts second = new SecondAttempts((why, seenHere) -> {});
  private final Task task = mock(Task.class);
  private final MeasuredLaunches launches = launches();
  private UserGroupInformation user;
  private Path staging;

  private MeasuredLaunches launches() {
    return new MeasuredLaunches(launched::add, context(), second, breakers);
  }

  private AppContext context() {
    AppContext context = mock(AppContext.class);
    Job job = mock(Job.class);
    when(context.getJob(JOB)).thenReturn(job);
    when(job.getTask(MAP.getTaskId())).thenReturn(task);
    when(task.getID()).thenReturn(MAP.getTaskId());
    when(task.getAttempts()).thenReturn(attempts);
    return context;
  }

  @BeforeEach
  void submit() throws IOException {
    user = UserGroupInformation.getCurrentUser();
    conf.set("fs.defaultFS", "file:///");
    conf.set(MRJobConfig.MR_AM_STAGING_DIR, directory.toString());
    conf.set("my.own", "<value> & ${more}");
    staging =
        Path.of(MRApps.getStagingAreaDir(conf, user.getShortUserName()).toString())
            .resolve(TypeConverter.fromYarn(JOB).toString());
    Files.createDirectories(staging);
  }

  private void prepare(boolean sizes, boolean fetches) throws IOException {
    try (OutputStream out = Files.newOutputStream(staging.resolve("job.xml"))) {
      conf.writeXml(out);
    }
    launches.init(conf);
    launches.prepare(JOB, SELF, user, new TaskDuties(sizes, fetches, false, false));
  }

  private ContainerLaunchContext launch() {
    ContainerLaunchContext launch =
        ContainerLaunchContext.newInstance(
            Map.of("job.xml", jobXml),
            Map.of("CLASSPATH", "$PWD:/hadoop/*:$PWD/*"),
            List.of("java"),
            Map.of(),
            ByteBuffer.allocate(0),
            Map.of());
    Container container =
        Container.newInstance(
            ContainerId.newContainerId(SELF, 2),
            NodeId.newInstance("n", 1),
            "n:2",
            null,
            null,
            null);
    ContainerLauncherEvent event = new ContainerRemoteLaunchEvent(MAP, launch, container, null);
    launches.handle(event);
    assertThat(launched).contains(event);
    return launch;
  }

  private void isStock(ContainerLaunchContext launch) {
    assertThat(launch.getLocalResources()).containsExactly(Map.entry("job.xml", jobXml));
  }

  private static Map<String, String> read(Path file) throws IOException {
    Configuration read = new Configuration(false);
    try (InputStream in = Files.newInputStream(file)) {
      read.addResource(in);
      Map<String, String> all = new TreeMap<>();
      read.forEach(entry -> all.put(entry.getKey(), read.getRaw(entry.getKey())));
      return all;
    }
  }

  private static Path path(LocalResource resource) {
    return Path.of(resource.getResource().getFile());
  }

  @Test
  void tasksGetTheirClassesAndAConfigurationThatDiffersInNothingElse() throws Exception {
    prepare(true, true);
    await().until(launches::isReady);
    ContainerLaunchContext launch = launch();
    Map<String, LocalResource> files = launch.getLocalResources();
    assertThat(files).containsOnlyKeys("job.xml", MeasurementFiles.JAR);
    // at the end of the class path, where the working directory is: what stock makes of it stays
    assertThat(launch.getEnvironment()).containsEntry("CLASSPATH", "$PWD:/hadoop/*:$PWD/*");
    Map<String, String> before = read(staging.resolve("job.xml"));
    Map<String, String> after = read(path(files.get("job.xml")));
    assertThat(before).hasSizeGreaterThan(1000).containsEntry("my.own", "<value> & ${more}");
    assertThat(after.keySet()).containsAll(before.keySet()).hasSize(before.size() + 1);
    assertThat(after).containsKey(UmbilicalMessage.ACCEPTED);
    after.keySet().removeIf(key -> after.get(key).equals(before.get(key)));
    assertThat(after).containsOnlyKeys(COLLECTOR, SHUFFLE, UmbilicalMessage.ACCEPTED);
    for (Map.Entry<String, LocalResource> file : files.entrySet()) {
      Path local = path(file.getValue());
      assertThat(local.getParent()).isEqualTo(staging);
      assertThat(Files.size(local)).isEqualTo(file.getValue().getSize());
      assertThat(Files.getLastModifiedTime(local).toMillis())
          .isEqualTo(file.getValue().getTimestamp());
    }
    assertThat(files.get(MeasurementFiles.JAR).getSize()).isLessThan(60_000);
  }

  /** MeasuredTasksIT runs them. */
  @Test
  void shippedClassesAreComplete() throws Exception {
    prepare(true, true);
    await().until(launches::isReady);
    URL jar = path(launch().getLocalResources().get(MeasurementFiles.JAR)).toUri().toURL();
    List<URL> classPath = new ArrayList<>(List.of(jar));
    for (String entry : System.getProperty("java.class.path").split(":")) {
      if (entry.endsWith(".jar") && !Path.of(entry).getFileName().toString().startsWith("drover")) {
        classPath.add(Path.of(entry).toUri().toURL());
      }
    }
    try (URLClassLoader task =
        new URLClassLoader(classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      for (String name :
          List.of("org.apache.hadoop.mapred.DroverMapOutput", MeasuredShuffle.class.getName())) {
        Class<?> loaded = Class.forName(name, true, task);
        assertThat(loaded.getClassLoader()).isSameAs(task);
        assertThat(loaded.getDeclaredConstructor().newInstance()).isNotNull();
      }
    }
  }

  @Test
  void noLaunchWaitsForTheFiles() throws Exception {
    launches.init(conf);
    isStock(launch());
  }

  @Test
  void whereTheFilesCannotBeMadeTasksRunAsStock() throws Exception {
    prepare(true, true);
    await().until(launches::isReady);
    MeasuredLaunches others = launches();
    Files.delete(staging.resolve("job.xml"));
    others.init(conf);
    others.prepare(JOB, SELF, user, new TaskDuties(true, true, false, false));
    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("Drover prepares tasks")));
    assertThat(others.isReady()).isFalse();
    assertThat(breakers.failures()).isEqualTo(1);
  }

  /** A job that has ended in the meantime: nothing is left of it. */
  @Test
  void stagingDirectoryThatIsGoneIsNotMadeAgain() throws Exception {
    Path other = directory.resolve("other");
    conf.set(MRJobConfig.MR_AM_STAGING_DIR, other.toString());
    assertThatThrownBy(
            () ->
                MeasurementFiles.upload(
                    conf, TypeConverter.fromYarn(JOB), 1, new TaskDuties(true, true, false, false)))
        .isInstanceOf(IOException.class);
    assertThat(other).doesNotExist();
    Path gone =
        Path.of(MRApps.getStagingAreaDir(conf, user.getShortUserName()).toString(), "gone", "x");
    assertThatThrownBy(
            () ->
                MeasurementFiles.write(
                    FileSystem.get(conf),
                    new org.apache.hadoop.fs.Path(gone.toString()),
                    new byte[1],
                    (short) 1))
        .isInstanceOf(IOException.class);
    assertThat(other).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "mapreduce.job.classloader,true",
    "mapreduce.map.maxattempts,1",
  })
  void suchJobsAreLeftAlone(String key, String value) throws Exception {
    conf.set(key, value);
    prepare(true, true);
    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("Drover prepares tasks")));
    isStock(launch());
  }

  @Test
  void attemptAfterAFailedOneIsLeftAlone() throws Exception {
    prepare(true, true);
    await().until(launches::isReady);
    TaskAttempt first = running(MAP);
    when(first.getState()).thenReturn(TaskAttemptState.KILLED);
    assertThat(launch().getLocalResources()).containsKey(MeasurementFiles.JAR);
    when(first.getState()).thenReturn(TaskAttemptState.FAILED);
    isStock(launch());
  }

  /** It may have been the parts that it failed of, whatever it is excused for. */
  @Test
  void attemptAfterAFailureThatWasExcusedIsLeftAlone() throws Exception {
    prepare(true, true);
    await().until(launches::isReady);
    TaskAttempt first = running(MAP);
    second.added(running(MRBuilderUtils.newTaskAttemptId(MAP.getTaskId(), 2)).getID());
    when(first.getDiagnostics()).thenReturn(List.of("Error: java.lang.LinkageError"));
    assertThat(second.excuse(task, first, 2)).isPresent();
    when(first.getState()).thenReturn(TaskAttemptState.KILLED);
    isStock(launch());
  }

  private TaskAttempt running(TaskAttemptId id) {
    TaskAttempt attempt = mock(TaskAttempt.class);
    when(attempt.getID()).thenReturn(id);
    when(attempt.getLaunchTime()).thenReturn(1L);
    when(attempt.getState()).thenReturn(TaskAttemptState.RUNNING);
    attempts.put(id, attempt);
    return attempt;
  }

  @Test
  void nothingIsShippedThatNobodyReads() throws Exception {
    prepare(false, false);
    assertThat(Files.list(staging)).hasSize(1);
    isStock(launch());
  }

  @Test
  void jobWithACollectorAndAShuffleOfItsOwnIsLeftAlone() throws Exception {
    conf.set(COLLECTOR, "my.Collector");
    conf.set(SHUFFLE, "my.Shuffle");
    prepare(true, true);
    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("Drover prepares tasks")));
    isStock(launch());
    assertThat(Files.list(staging)).hasSize(1);
  }
}
