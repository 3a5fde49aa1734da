// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** Reads the configuration of the cluster that the environment names. */
public final class HadoopConf {
  private static final String YARN = "yarn-site.xml";
  private static final List<String> FILES =
      List.of("core-site.xml", "hdfs-site.xml", YARN, "mapred-site.xml");

  private HadoopConf() {}

  /**
   * Returns the directory of the configuration, as Hadoop's own commands choose it: {@code
   * HADOOP_CONF_DIR}, else {@code etc/hadoop} below {@code HADOOP_HOME}.
   *
   * @return empty if neither is set; the directory need not be there
   */
  public static Optional<Path> directory(Map<String, String> environment) {
    return path(environment, "HADOOP_CONF_DIR")
        .or(() -> path(environment, "HADOOP_HOME").map(home -> home.resolve("etc/hadoop")));
  }

  private static Optional<Path> path(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(s -> !s.isBlank()).map(Path::of);
  }

  /**
   * Returns why an environment does not say where the ResourceManager is; empty if it does. Hadoop
   * would take 0.0.0.0 for its address then.
   */
  public static Optional<String> complaint(Map<String, String> environment) {
    String advice = "let it name the directory of the cluster's configuration";
    Optional<Path> directory = directory(environment);
    if (directory.isEmpty()) {
      return Optional.of("HADOOP_CONF_DIR is not set: " + advice);
    }
    boolean isThere = Files.isReadable(directory.get().resolve(YARN));
    return isThere
        ? Optional.empty()
        : Optional.of(
            "HADOOP_CONF_DIR has no " + YARN + " (in " + directory.get() + "): " + advice);
  }

  /**
   * Returns the cluster's configuration, or Hadoop's defaults without one. From then on this
   * process logs in as it says: with Kerberos if the cluster has it.
   */
  public static Configuration read() {
    Configuration conf = read(System.getenv());
    UserGroupInformation.setConfiguration(conf);
    return conf;
  }

  /** Returns the configuration that an environment names, or Hadoop's defaults without one. */
  public static Configuration read(Map<String, String> environment) {
    Configuration conf = new Configuration();
    directory(environment)
        .ifPresent(
            directory ->
                FILES.forEach(
                    file ->
                        conf.addResource(
                            new org.apache.hadoop.fs.Path(directory.resolve(file).toUri()))));
    return conf;
  }
}
