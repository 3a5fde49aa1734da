// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.appmaster.DroverAppMaster;
import io.drover.appmaster.check.AppMasterChoice.Origin;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppMasterChoiceTest {
  private static final Path CONF = Path.of("..", "..", "..", "conf");

  private static AppMasterChoice ofOptions(String options) {
    Configuration conf = new JobConf();
    conf.set("yarn.app.mapreduce.am.command-opts", options);
    return AppMasterChoice.of(conf);
  }

  private static AppMasterChoice ofFragment(String name) {
    Configuration conf = new JobConf();
    conf.addResource(new org.apache.hadoop.fs.Path(CONF.resolve(name).toUri()));
    return AppMasterChoice.of(conf);
  }

  @Test
  void nameIsThatOfTheClass() {
    assertThat(AppMasterChoice.APP_MASTER).isEqualTo(DroverAppMaster.class.getName());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-Xmx1024m | HADOOP | org.apache.hadoop.mapreduce.v2.app.MRAppMaster",
        "-Xmx1g io.drover.appmaster.DroverAppMaster | DROVER |"
            + " io.drover.appmaster.DroverAppMaster",
        "-Xmx1g com.acme.Main | OTHER | com.acme.Main",
        "-Dmain=com.acme.Main @/etc/java.args -Xmx1g | HADOOP |"
            + " org.apache.hadoop.mapreduce.v2.app.MRAppMaster",
        "--add-opens java.base/java.lang=ALL-UNNAMED --add-modules java.se | HADOOP |"
            + " org.apache.hadoop.mapreduce.v2.app.MRAppMaster",
        "-Xmx1g $(test -r /x/y.jar && echo io.drover.appmaster.DroverAppMaster) |"
            + " DROVER_WHERE_THE_JAR_IS | io.drover.appmaster.DroverAppMaster",
        "$([ -f /x/y.jar ] && echo io.drover.appmaster.DroverAppMaster) |"
            + " DROVER_WHERE_THE_JAR_IS | io.drover.appmaster.DroverAppMaster",
        "-Xmx$(cat /etc/heap)m | HADOOP | org.apache.hadoop.mapreduce.v2.app.MRAppMaster",
        "$(test -r /x.jar && echo com.acme.Main) | OTHER | com.acme.Main",
      })
  void firstClassInTheOptionsRuns(String options, Origin by, String className) {
    assertThat(ofOptions(options).appMaster().by()).isEqualTo(by);
    assertThat(ofOptions(options).appMaster().className()).isEqualTo(className);
  }

  @Test
  void fileThatTheShellLooksForIsKnown() {
    assertThat(
            ofOptions("$(test -r /x/y.jar && echo io.drover.appmaster.DroverAppMaster)")
                .appMaster()
                .jar())
        .contains("/x/y.jar");
    assertThat(
            ofOptions("$([ -f /x/y.jar ] && echo io.drover.appmaster.DroverAppMaster)")
                .appMaster()
                .jar())
        .contains("/x/y.jar");
  }

  @Test
  void wordsBehindTheClassAreKept() {
    assertThat(ofOptions("-Xmx1g a.B -Xms1g $(date) <ADD_OPENS>").behind())
        .containsExactly("-Xms1g", "$(date)", "<ADD_OPENS>");
  }

  @Test
  void classesBehindTheFirstAreBeaten() {
    assertThat(ofOptions("-Xmx1g a.B -cp c.D $(test -r /x.jar && echo e.F) g.H").beaten())
        .extracting(AppMasterChoice.Chosen::className)
        .containsExactly("e.F", "g.H"); // c.D is a class path
    assertThat(ofOptions("-Xmx1g a.B").beaten()).isEmpty();
  }

  @Test
  void administratorsOptionsComeFirst() {
    Configuration conf = new JobConf();
    conf.set("yarn.app.mapreduce.am.admin-command-opts", "a.B");
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx1g c.D");
    assertThat(AppMasterChoice.of(conf).appMaster().className()).isEqualTo("a.B");
    assertThat(AppMasterChoice.of(conf).behind()).containsExactly("-Xmx1g", "c.D");
  }

  @Test
  void fragmentsOfTheConfigurationAreUnderstood() {
    AppMasterChoice appMaster = ofFragment("mapred-site-appmaster.xml");
    assertThat(appMaster.appMaster().by()).isEqualTo(Origin.DROVER_WHERE_THE_JAR_IS);
    assertThat(appMaster.appMaster().jar()).contains("/opt/drover/drover.jar");
    assertThat(appMaster.behind()).isEmpty();

    AppMasterChoice speculator = ofFragment("mapred-site.xml");
    assertThat(speculator.appMaster().by()).isEqualTo(Origin.HADOOP);
    assertThat(speculator.speculator().by()).isEqualTo(Origin.DROVER_WHERE_THE_JAR_IS);
    assertThat(speculator.speculator().jar()).contains("/opt/drover/drover.jar");
    assertThat(speculator.isOn()).isTrue();
  }

  @Test
  void frameworkSendsTheJarUnlessAnotherClassIsNamed() {
    Configuration conf = new JobConf();
    conf.set("mapreduce.framework.name", "drover");
    assertThat(AppMasterChoice.of(conf).isShipped()).isTrue();
    assertThat(AppMasterChoice.of(conf).isDroversAppMaster()).isTrue();

    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx1g com.acme.Main");
    assertThat(AppMasterChoice.of(conf).isDroversAppMaster()).isFalse();
  }
}
