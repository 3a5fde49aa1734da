// SPDX-License-Identifier: Apache-2.0
package io.drover.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.it.release.UnpackedRelease.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bin/drover} of an unpacked release, beside a distribution of Hadoop, in directories with
 * spaces in their names. Neither Maven nor a compiler is there.
 */
class StartScriptIT {
  private static final String WANTED = "Hadoop 3.4.1 or newer, below 4";

  @TempDir private static Path place;
  private static UnpackedRelease release;
  private static StandInHadoop hadoop;

  @BeforeAll
  static void unpack() throws Exception {
    release = UnpackedRelease.in(place);
    hadoop = StandInHadoop.create(place.resolve("a hadoop"));
  }

  @Test
  void helpAndVersionAreShown() throws Exception {
    Ended help = release.drover(withJava(), "--help");
    Ended version = release.drover(withJava(), "--version");

    assertThat(help.err()).isEmpty();
    assertThat(help.out()).contains("Commands:", "demo", "simulate", "predict");
    assertThat(help.code()).isZero();
    assertThat("drover-" + version.out().strip().replace("drover ", ""))
        .isEqualTo(release.directory().getFileName().toString());
  }

  @Test
  void directoriesThatTheShellSearchesAreNotItsOwn() throws Exception {
    Map<String, String> environment = withJava();
    environment.put("CDPATH", ".:/usr");

    Ended version = release.droverHere(environment, "--version");

    assertThat(version.code()).as(version.err()).isZero();
    assertThat(version.out()).startsWith("drover ");
  }

  @Test
  void workloadsAreReplayedWithTheHadoopOnThePath() throws Exception {
    Map<String, String> environment = withJava();
    environment.remove("HADOOP_HOME");
    environment.put("PATH", hadoop.home().resolve("bin") + ":" + release.tools());

    Ended simulation =
        release.drover(
            environment, "simulate", "--jobs", "5", "--json", "--schemes", "hadoop,drover");

    assertThat(simulation.code()).as(simulation.err()).isZero();
    assertThat(simulation.out()).startsWith("{").contains("drover");
  }

  @Test
  void whatOthersBringComesBehindAndSettingsStayOut() throws Exception {
    Path java = fakeJava("17.0.9");

    List<String> classPath = classPath(release.drover(with(java), "demo"));

    assertThat(classPath)
        .containsExactly(
            release.directory().resolve(release.directory().getFileName() + ".jar").toString(),
            release.directory().resolve("lib/*").toString(),
            hadoop.part("common/lib/*").toString(),
            hadoop.part("common/*").toString(),
            hadoop.part("hdfs").toString(), // its pages
            hadoop.part("hdfs/lib/*").toString(),
            hadoop.part("hdfs/*").toString(),
            hadoop.part("mapreduce/*").toString(),
            hadoop.part("yarn/lib/*").toString(),
            hadoop.part("yarn/*").toString(),
            hadoop.part("yarn/timelineservice/*").toString());
  }

  @Test
  void settingsComeFirstWhereTheyNameTheCluster() throws Exception {
    Path java = fakeJava("21");
    Map<String, String> elsewhere = with(java);
    Path conf = Files.createDirectories(place.resolve("my conf"));
    elsewhere.put("HADOOP_CONF_DIR", conf.toString());

    assertThat(classPath(release.drover(with(java), "demo", "--existing")))
        .startsWith(hadoop.settings().toString());
    assertThat(classPath(release.drover(elsewhere, "demo", "--existing")))
        .startsWith(conf.toString())
        .doesNotContain(hadoop.settings().toString());
  }

  @Test
  void anotherHadoopIsChosenByItsHomeAndNotByItsVersion() throws Exception {
    Ended other = release.drover(withJava(), "demo", "--hadoop", "3.4.2");

    assertThat(other.code()).isEqualTo(2);
    assertThat(other.err())
        .contains("'--hadoop 3.4.2': this is Hadoop 3.5.0; outside of a checkout HADOOP_HOME");
  }

  @Test
  void aVersionThatNoJarTellsIsAskedFor() throws Exception {
    Map<String, String> environment = with(fakeJava("17.0.9"));
    environment.put("HADOOP_HOME", fakeHadoop("3.4.2-vendor-7").toString());

    assertThat(release.drover(environment).code()).isZero();
  }

  @Test
  void oneLineSaysThatThereIsNoHadoop() throws Exception {
    Map<String, String> none = withJava();
    none.remove("HADOOP_HOME");
    Map<String, String> wrong = withJava();
    wrong.put("HADOOP_HOME", "/no/where");

    assertRefused(
        release.drover(none, "--help"),
        "no Hadoop: unpack a distribution of "
            + WANTED
            + " (https://hadoop.apache.org/releases.html), and set HADOOP_HOME to its directory or"
            + " put its bin on PATH.");
    assertRefused(
        release.drover(wrong, "--help"),
        "no bin/hadoop in HADOOP_HOME (/no/where): set it to the directory of " + WANTED + ".");
  }

  @Test
  void oneLineSaysThatHadoopIsOfAnotherVersion() throws Exception {
    for (String version : List.of("2.10.2", "3.3.6", "3.4.0", "4.0.0-SNAPSHOT")) {
      Map<String, String> environment = withJava();
      Path other = fakeHadoop(version);
      environment.put("HADOOP_HOME", other.toString());

      assertRefused(
          release.drover(environment, "--help"),
          other.resolve("bin/hadoop")
              + " is version "
              + version.replace("-SNAPSHOT", "")
              + ", which Drover does not know: set HADOOP_HOME to the directory of "
              + WANTED
              + ".");
    }
  }

  @Test
  void oneLineSaysThatHadoopDoesNotAnswer() throws Exception {
    Map<String, String> environment = withJava();
    Path broken = fakeHadoop("3.5.0");
    Files.writeString(
        broken.resolve("bin/hadoop"), "#!/usr/bin/env bash\necho oh dear >&2; exit 1\n");
    environment.put("HADOOP_HOME", broken.toString());
    Map<String, String> mute = withJava();
    Path unknown = fakeHadoop("unknown");
    mute.put("HADOOP_HOME", unknown.toString());

    assertRefused(
        release.drover(environment, "--help"),
        "`" + broken.resolve("bin/hadoop") + " classpath` fails: run it to see why.");
    assertRefused(
        release.drover(mute, "--help"),
        "the version of "
            + unknown.resolve("bin/hadoop")
            + " cannot be told: set HADOOP_HOME to the directory of "
            + WANTED
            + ".");
  }

  @Test
  void oneLineSaysThatJavaIsMissingOrTooOld() throws Exception {
    String get =
        "install Java 17 (Debian and Ubuntu: apt-get install openjdk-17-jre-headless) or set"
            + " JAVA_HOME.";
    Map<String, String> none = withJava();
    none.remove("JAVA_HOME");
    Path old = fakeJava("11.0.22");

    assertRefused(release.drover(none, "--help"), "no java in PATH: " + get);
    assertRefused(
        release.drover(with(place), "--help"), "no java in JAVA_HOME (" + place + "): " + get);
    assertRefused(
        release.drover(with(old), "--help"),
        "the java in JAVA_HOME (" + old + ") is version 11: " + get);
  }

  private static void assertRefused(Ended drover, String why) {
    assertThat(drover).isEqualTo(new Ended(3, "", "drover: " + why + "\n"));
  }

  private static Map<String, String> withJava() {
    return with(Path.of(System.getProperty("java.home")));
  }

  private static Map<String, String> with(Path java) {
    return new TreeMap<>(
        Map.of("JAVA_HOME", java.toString(), "HADOOP_HOME", hadoop.home().toString()));
  }

  /** Returns the class path of the command that a fake Java was asked to run. */
  private static List<String> classPath(Ended drover) {
    assertThat(drover.code()).as(drover.err()).isZero();
    List<String> words = drover.out().lines().toList();
    assertThat(words)
        .contains("@" + release.directory().resolve("lib/hadoop-jdk17.args"))
        .contains("-Ddrover.home=" + release.directory())
        .contains("-Ddrover.archives=" + release.directory().resolve("class-archives"));
    return List.of(words.get(words.indexOf("-cp") + 1).split(":"));
  }

  /** Makes a Java that says what it was asked to do, a word a line, and returns its JAVA_HOME. */
  private static Path fakeJava(String version) throws IOException {
    Path home = Files.createTempDirectory(place, "java ");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/java"), "printf '%s\\n' \"$@\"");
    return home;
  }

  /** Makes a Hadoop without a jar that tells its version, and returns its HADOOP_HOME. */
  private static Path fakeHadoop(String version) throws IOException {
    Path home = Files.createTempDirectory(place, "hadoop ");
    script(
        home.resolve("bin/hadoop"),
        "case $1 in classpath) echo \"/etc/hadoop:/opt/x/*\";; version) echo Hadoop "
            + version
            + ";; esac");
    return home;
  }

  private static void script(Path file, String line) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, Stream.of("#!/usr/bin/env bash", line).toList());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
