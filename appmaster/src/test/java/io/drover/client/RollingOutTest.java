// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ResourceMgrDelegate;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch.ShellScriptBuilder;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebApp;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While the jar is not everywhere yet: what docs/rolling-out.md promises of clients and nodes. */
class RollingOutTest {
  private static final String OPTIONS = "yarn.app.mapreduce.am.command-opts";
  private static final String SPECULATOR = "yarn.app.mapreduce.am.job.speculator.class";

  @TempDir Path directory;
  private final Configuration conf = new Configuration();

  @BeforeEach
  void submit() throws IOException {
    conf.set("fs.defaultFS", "file:///");
    for (String file : new String[] {"job.xml", "job.split", "job.splitmetainfo"}) {
      Files.writeString(directory.resolve(file), "");
    }
  }

  private ContainerLaunchContext appMaster(Optional<URL> jar) throws Exception {
    ResourceMgrDelegate resourceManager = mock(ResourceMgrDelegate.class);
    return new DroverRunner(conf, resourceManager, () -> jar)
        .createApplicationSubmissionContext(
            new JobConf(conf), directory.toUri().toString(), new Credentials())
        .getAMContainerSpec();
  }

  /** The fragments of conf/, where the jar is at another place. */
  private void fragment(String name, Path jar) throws IOException {
    String xml = Files.readString(Path.of("..", "..", "..", "conf", name));
    if (!xml.contains("/opt/drover/drover.jar")) {
      throw new IOException(name + " does not look for the jar");
    }
    Path changed = directory.resolve(name);
    Files.writeString(changed, xml.replace("/opt/drover/drover.jar", jar.toString()));
    conf.addResource(new org.apache.hadoop.fs.Path(changed.toUri()));
  }

  /** What Java is started with, by a script as a NodeManager writes it. */
  private List<String> started(Map<String, String> environment, String command) throws Exception {
    Path java = directory.resolve("java");
    Files.writeString(java, "#!/bin/bash\nfor arg; do echo \"$arg\"; done\nenv\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    ShellScriptBuilder script = ShellScriptBuilder.create();
    script.setExitOnFailure();
    for (Map.Entry<String, String> entry : environment.entrySet()) {
      script.env(entry.getKey(), entry.getValue());
    }
    script.command(List.of(command));
    Path file = directory.resolve("launch_container.sh");
    Files.writeString(file, script.toString());
    File out = directory.resolve("out").toFile();
    Process bash =
        new ProcessBuilder("bash", file.toString())
            .redirectOutput(out)
            .redirectErrorStream(true)
            .start();
    assertThat(bash.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(bash.exitValue()).isZero();
    return Files.readAllLines(out.toPath());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nodeStartsDroversAppMasterIfItHasTheJarAndElseHadoops(boolean has) throws Exception {
    Path jar = directory.resolve("drover.jar");
    if (has) {
      Files.writeString(jar, "");
    }
    fragment("mapred-site-appmaster.xml", jar);
    conf.set("mapreduce.framework.name", "yarn");
    String options = conf.get(OPTIONS);
    List<String> arguments =
        started(
            Map.of(),
            directory.resolve("java")
                + " "
                + ContainerLaunch.expandEnvironment(options, new org.apache.hadoop.fs.Path("logs"))
                + " org.apache.hadoop.mapreduce.v2.app.MRAppMaster");
    assertThat(arguments)
        .startsWith(
            Stream.of(
                    "-Xmx1024m",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-exports=java.base/sun.net.dns=ALL-UNNAMED",
                    "--add-exports=java.base/sun.net.util=ALL-UNNAMED",
                    has ? "io.drover.appmaster.DroverAppMaster" : "",
                    "org.apache.hadoop.mapreduce.v2.app.MRAppMaster")
                .filter(argument -> !argument.isEmpty())
                .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void appMasterUsesDroversSpeculatorIfItsNodeHasTheJarAndElseHadoops(boolean has)
      throws Exception {
    Path jar = directory.resolve("drover.jar");
    if (has) {
      Files.writeString(jar, "");
    }
    fragment("mapred-site.xml", jar);
    Map<String, String> environment = new java.util.HashMap<>();
    MRApps.setEnvFromInputProperty(environment, "yarn.app.mapreduce.am.env", null, conf);
    List<String> out = started(environment, directory.resolve("java").toString());
    String set =
        out.stream()
            .filter(line -> line.startsWith("DROVER_SPECULATOR="))
            .findFirst()
            .orElseThrow();
    assertThat(set)
        .isEqualTo("DROVER_SPECULATOR=" + (has ? "io.drover.speculator.DroverSpeculator" : ""));
    // the test's own environment has no such variable, as that of a stock node
    assertThat(conf.getClass(SPECULATOR, null)).isEqualTo(DefaultSpeculator.class);
    assertThat(conf.getRaw(SPECULATOR)).startsWith("${env.DROVER_SPECULATOR:-");
  }

  /** Why nothing in conf/ names Drover's collector: there is no fallback. */
  @Test
  void hadoopHasNoFallbackForAClassThatIsMissing() {
    conf.set("mapreduce.job.map.output.collector.class", "no.Such,java.lang.String");
    assertThatThrownBy(() -> conf.getClasses("mapreduce.job.map.output.collector.class"))
        .isInstanceOf(RuntimeException.class)
        .hasRootCauseInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void resourceManagerWithoutTheJarSaysSoAndDoesNotStart() throws Exception {
    conf.set("yarn.resourcemanager.scheduler.class", "io.drover.not.Here");
    try (ResourceManager resourceManager = new ResourceManager()) {
      assertThatThrownBy(() -> resourceManager.init(conf))
          .isInstanceOf(YarnRuntimeException.class)
          .hasMessageContaining("Could not instantiate Scheduler: io.drover.not.Here");
      conf.set("yarn.webapp.custom.webservice.class", "io.drover.not.Here");
      assertThatThrownBy(() -> new RMWebApp(resourceManager).resourceConfig(conf))
          .hasMessageContaining("Class io.drover.not.Here not found");
    }
  }

  @Test
  void frameworkDroverSendsItsJarAlong() throws Exception {
    Path jar = Files.createDirectory(directory.resolve("a release")).resolve("drover-1.2.3.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String name :
          List.of(
              "io/drover/appmaster/DroverAppMaster",
              "io/drover/core/config/JobSettings",
              "io/drover/channel/ChannelClient",
              "io/drover/speculator/DroverSpeculator")) {
        out.putNextEntry(new JarEntry(name + ".class"));
        try (InputStream in = getClass().getClassLoader().getResourceAsStream(name + ".class")) {
          in.transferTo(out);
        }
      }
    }
    Optional<URL> found;
    try (URLClassLoader client =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      found = DroverRunner.jar(client);
    }
    assertThat(found).contains(jar.toUri().toURL());
    conf.setBoolean("mapreduce.job.classloader", true); // its class path is not the AppMaster's
    ContainerLaunchContext appMaster = appMaster(found);
    assertThat(appMaster.getEnvironment().get("CLASSPATH")).startsWith("$PWD/drover.jar:");
    assertThat(appMaster.getLocalResources()).containsKeys("drover.jar", "job.xml");
    assertThat(appMaster.getLocalResources().get("drover.jar").getSize())
        .isEqualTo(Files.size(jar));
    assertThat(directory.resolve("drover.jar")).hasSameBinaryContentAs(jar);
  }

  @Test
  void noJarIsSentWhereThereIsNoneOrAnotherAppMasterRuns() throws Exception {
    assertThat(DroverRunner.jar(getClass().getClassLoader())).isEmpty(); // directories of classes
    assertThat(appMaster(Optional.empty()).getLocalResources()).doesNotContainKey("drover.jar");
  }
}
