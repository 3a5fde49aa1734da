// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.drover.appmaster.DroverAppMaster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ResourceMgrDelegate;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.apache.hadoop.security.Credentials;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mock;
import org.mockito.junit.jupiter.MockitoExtension;

@ExtendWith(MockitoExtension.class)
class DroverClientProviderTest {
  private static final String OPTIONS = "yarn.app.mapreduce.am.command-opts";
  private static final String NAME = "mapreduce.framework.name";

  @TempDir Path directory;
  @Mock ResourceMgrDelegate resourceManager;
  private final Configuration conf = new Configuration();

  @BeforeEach
  void nameTheFramework() {
    conf.set("fs.defaultFS", "file:///");
    conf.set(NAME, "drover");
  }

  /** The command that would start the AppMaster of a job with this configuration. */
  private String command() throws Exception {
    for (String file : new String[] {"job.xml", "job.split", "job.splitmetainfo"}) {
      Files.writeString(directory.resolve(file), "");
    }
    DroverRunner runner = new DroverRunner(conf, resourceManager, Optional::empty);
    String submitDir = directory.toUri().toString();
    return runner
        .createApplicationSubmissionContext(new JobConf(conf), submitDir, new Credentials())
        .getAMContainerSpec()
        .getCommands()
        .get(0);
  }

  @Test
  void hadoopFindsTheProviderByTheFrameworksName() throws Exception {
    new Cluster(conf).close();
    conf.set(NAME, "drovers");
    assertThatIOException().isThrownBy(() -> new Cluster(conf));
  }

  @ParameterizedTest
  @ValueSource(strings = {"yarn", "local", "classic", "yarn-tez", ""})
  void otherFrameworksAreLeftToOthers(String name) throws Exception {
    conf.set(NAME, name);
    assertThat(new DroverClientProvider().create(conf)).isNull();
    assertThat(new DroverClientProvider().create(null, conf)).isNull();
    conf.unset(NAME);
    assertThat(new DroverClientProvider().create(conf)).isNull();
  }

  @Test
  void providerIsAmongThoseThatHadoopLoads() {
    assertThat(ServiceLoader.load(ClientProtocolProvider.class))
        .hasAtLeastOneElementOfType(DroverClientProvider.class);
  }

  @Test
  void providerClosesItsOwnClientsAndNoOthers() throws Exception {
    DroverClientProvider provider = new DroverClientProvider();
    provider.close(new DroverRunner(conf, resourceManager, Optional::empty));
    verify(resourceManager, atLeastOnce()).close();
    ClientProtocol foreign = mock(ClientProtocol.class);
    provider.close(foreign);
    verifyNoInteractions(foreign);
  }

  @Test
  void appMasterIsDroversWithTheUsersOptionsAndThoseOfHadoop() throws Exception {
    conf.set(OPTIONS, "-Xmx300m -Dmine=yes");
    conf.setBoolean("mapreduce.jvm.add-opens-as-default", true);
    assertThat(command())
        .contains("-Xmx300m -Dmine=yes <ADD_OPENS> " + DroverAppMaster.class.getName() + " 1>")
        .doesNotContain("MRAppMaster");
  }

  @Test
  void defaultOptionsStay() throws Exception {
    assertThat(command()).contains("-Xmx1024m ").contains(" " + DroverRunner.APP_MASTER + " 1>");
  }

  @Test
  void classThatTheOptionsNameIsTheOneThatIsStarted() throws Exception {
    conf.set(OPTIONS, "-Xmx300m my.AppMaster");
    assertThat(command()).contains("-Xmx300m my.AppMaster ");
  }

  @Test
  void configurationSaysYarnOnceASubmissionBegins() throws Exception {
    when(resourceManager.getNewJobID()).thenReturn(new JobID("1", 1));
    DroverRunner runner = new DroverRunner(conf, resourceManager, Optional::empty);
    assertThat(conf.get(NAME)).isEqualTo("drover");
    assertThat(runner.getNewJobID()).isEqualTo(new JobID("1", 1));
    assertThat(conf.get(NAME)).isEqualTo("yarn");
  }

  /** As JobClient does: it connects by the configuration from which it makes the job. */
  @Test
  void jobMadeAfterAClientIsDroversToo() throws Exception {
    new Cluster(conf).close();
    assertThat(Job.getInstance(conf).getConfiguration().get(NAME)).isEqualTo("drover");
  }

  /** What a task submits with its own job's configuration may run in any AppMaster. */
  @Test
  void clientDoesNotSpeakForTheAppMaster() throws Exception {
    new DroverRunner(conf, resourceManager, Optional::empty).getNewJobID();
    assertThat(conf.getPropsWithPrefix("yarn.app.mapreduce.am.drover")).isEmpty();
  }
}
