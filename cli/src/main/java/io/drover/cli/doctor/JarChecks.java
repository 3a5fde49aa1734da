// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import io.drover.appmaster.check.AppMasterChoice;
import io.drover.appmaster.check.AppMasterChoice.Chosen;
import io.drover.appmaster.check.AppMasterChoice.Origin;
import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.zip.ZipException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** Checks whether Drover's jar is where AppMasters look for it, on this machine. */
final class JarChecks {
  private static final String ELSEWHERE =
      "Other machines cannot be seen from here: run this on a NodeManager's machine, too";

  private final Configuration conf;
  private final AppMasterChoice choice;
  private final Map<String, String> environment;
  private final String ownVersion;

  /**
   * Creates the checks.
   *
   * @param conf what jobs are submitted with
   * @param environment the environment variables of this process
   * @param ownVersion the version of this command
   */
  JarChecks(Configuration conf, Map<String, String> environment, String ownVersion) {
    this.conf = conf;
    this.choice = AppMasterChoice.of(conf);
    this.environment = environment;
    this.ownVersion = ownVersion;
  }

  Checks all() {
    Checks checks = new Checks().add("jar.framework", this::framework);
    if (choice.isShipped()) {
      checks.add("jar.client", this::client);
    } else if (choice.isOn()) {
      checks.add("jar.place", this::place).add("jar.files", this::files);
    }
    return checks;
  }

  /** {@code MRApps} refuses a job whose class path has nothing of the archive on it. */
  private void framework(Consumer<Finding> found) {
    String key = MRJobConfig.MAPREDUCE_APPLICATION_FRAMEWORK_PATH;
    String path = conf.getTrimmed(key, "");
    if (path.isEmpty()) {
      return;
    }
    String name =
        path.contains("#")
            ? path.substring(path.indexOf('#') + 1)
            : path.substring(path.lastIndexOf('/') + 1);
    String classPath = conf.get(MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH, "");
    found.accept(
        classPath.contains(name)
            ? Finding.ok(
                "jar.framework",
                "MapReduce comes in " + path + ", into which this command does not look",
                key)
            : Finding.wrong(
                "jar.framework",
                key
                    + " is "
                    + path
                    + ", and "
                    + MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH
                    + " has no "
                    + name
                    + ": no job can be submitted",
                "Add ./" + name + "/… to the class path",
                key,
                MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH));
  }

  private void client(Consumer<Finding> found) throws IOException {
    String value = environment.getOrDefault("HADOOP_CLASSPATH", "");
    List<DroverJar> jars = drovers(ClassPathEntries.ofVariable(value, environment), found);
    if (jars.isEmpty()) {
      found.accept(
          Finding.warn(
              "jar.client",
              MRConfig.FRAMEWORK_NAME
                  + " is drover, and HADOOP_CLASSPATH of this shell ("
                  + (value.isEmpty() ? "not set" : value)
                  + ") has no jar of Drover: a client like this one submits nothing",
              "Add the jar to HADOOP_CLASSPATH of those who submit jobs",
              MRConfig.FRAMEWORK_NAME));
    }
    versions(jars, found);
  }

  private Chosen chosen() {
    return choice.isDroversAppMaster() ? choice.appMaster() : choice.speculator();
  }

  private String key() {
    return choice.isDroversAppMaster() ? MRJobConfig.MR_AM_COMMAND_OPTS : MRJobConfig.MR_AM_ENV;
  }

  /** A node that has the file that the shell looks for must have it on the class path as well. */
  private void place(Consumer<Finding> found) {
    Optional<String> jar = chosen().jar();
    ClassPathEntries classPath = ClassPathEntries.ofAppMasters(conf, environment);
    if (jar.isPresent() && !classPath.covers(jar.get())) {
      found.accept(classPath.mayCover(jar.get()) ? unknown(jar.get()) : notCovered(jar.get()));
    }
  }

  private Finding unknown(String jar) {
    return Finding.warn(
        "jar.class-path",
        key()
            + " looks for "
            + jar
            + ", and whether that is on "
            + MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH
            + " cannot be told: this shell does not have all variables in it",
        "Set them as nodes have them, or name the directory of the jar there without variables",
        key(),
        MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH);
  }

  private Finding notCovered(String jar) {
    return Finding.wrong(
        "jar.class-path",
        key()
            + " looks for "
            + jar
            + ", which is not on "
            + MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH
            + ": AppMasters end with ClassNotFoundException on nodes that have it",
        "Add " + jar.replaceFirst("/[^/]*$", "/*") + " to it",
        key(),
        MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH);
  }

  private void files(Consumer<Finding> found) throws IOException {
    ClassPathEntries classPath = ClassPathEntries.ofAppMasters(conf, environment);
    List<DroverJar> jars = drovers(classPath, found);
    Optional<String> tested = chosen().jar();
    boolean isThere = tested.map(classPath::exists).orElse(!jars.isEmpty());
    if (!isThere) {
      found.accept(missing(tested, classPath.mayHaveMore()));
    }
    versions(jars, found);
    List<String> unseen = classPath.unseen();
    if (!unseen.isEmpty()) {
      found.accept(
          Finding.ok(
              "jar.files",
              "What is in "
                  + ClusterChecks.some(unseen.stream())
                  + " cannot be seen: this shell has no such variables, or this user may not look"
                  + " there",
              MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH));
    }
  }

  private Finding missing(Optional<String> tested, boolean mayBeUnseen) {
    if (chosen().by() == Origin.DROVER_WHERE_THE_JAR_IS) {
      return Finding.warn(
          "jar.missing",
          key()
              + " looks for "
              + tested.orElse("the jar")
              + ", which is not on this machine: where it is not, Hadoop's own classes run",
          ELSEWHERE,
          key());
    }
    if (tested.isEmpty() && mayBeUnseen) {
      return Finding.warn(
          "jar.missing",
          key()
              + " names "
              + chosen().className()
              + ", and whether a jar with it is on "
              + MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH
              + " of this machine cannot be told",
          "Set the variables in it as nodes have them, as a user who may read all of it. "
              + ELSEWHERE,
          key(),
          MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH);
    }
    return Finding.wrong(
        "jar.missing",
        key()
            + " names "
            + chosen().className()
            + ", and no jar with it is on "
            + MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH
            + " of this machine: an AppMaster does not start on such a node",
        "Copy the jar there, or let the node look for it as conf/mapred-site-appmaster.xml does. "
            + ELSEWHERE,
        key(),
        MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH);
  }

  /** Returns the jars with Drover in them, and tells of those that cannot be read. */
  private static List<DroverJar> drovers(ClassPathEntries classPath, Consumer<Finding> found)
      throws IOException {
    List<DroverJar> drovers = new ArrayList<>();
    for (Path file : classPath.jars()) {
      boolean isNamedSo = file.getFileName().toString().contains("drover");
      Optional<DroverJar> jar = Optional.empty();
      try {
        jar = Files.isReadable(file) ? DroverJar.read(file) : Optional.empty();
      } catch (ZipException e) { // any other jar is Hadoop's business
        if (isNamedSo) {
          found.accept(broken(file, e));
        }
      }
      jar.ifPresent(drovers::add);
      if (jar.isPresent() || isNamedSo) { // what others may read is Hadoop's business, too
        DroverJar.obstacle(file).ifPresent(closed -> found.accept(unreadable(file, closed)));
      }
    }
    return drovers;
  }

  private static Finding unreadable(Path jar, Path obstacle) {
    return Finding.wrong(
        "jar.unreadable",
        jar + " cannot be read by other users, because of the permissions of " + obstacle,
        "chmod o+r the jar, and o+x the directories above it: AppMasters run as those who submit"
            + " jobs");
  }

  private static Finding broken(Path jar, ZipException cause) {
    return Finding.wrong(
        "jar.broken",
        jar + " is no complete jar: " + cause.getMessage(),
        "Copy it anew, under another name, and rename it");
  }

  private void versions(List<DroverJar> jars, Consumer<Finding> found) {
    List<String> versions = jars.stream().map(DroverJar::version).distinct().toList();
    String all =
        jars.stream()
            .map(jar -> jar.file() + " (" + jar.version() + ")")
            .collect(Collectors.joining(", "));
    if (versions.size() > 1) {
      found.accept(
          Finding.wrong(
              "jar.two-versions",
              "the class path has several versions of Drover, of which the first is used: " + all,
              "Leave one of them there",
              MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH));
    } else if (versions.size() == 1
        && !ownVersion.startsWith("(")
        && !versions.contains(ownVersion)) {
      found.accept(
          Finding.warn(
              "jar.version",
              "this command is version "
                  + ownVersion
                  + ", and the cluster's jar is another: "
                  + all,
              "Use the command of the version that is installed"));
    } else if (!jars.isEmpty()) {
      found.accept(Finding.ok("jar.files", "This machine has " + all));
    }
  }
}
