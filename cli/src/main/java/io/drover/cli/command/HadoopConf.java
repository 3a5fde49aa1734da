// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Reads the configuration of the cluster that {@code HADOOP_CONF_DIR} names. */
public final class HadoopConf {
  private static final List<String> FILES =
      List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml");

  private HadoopConf() {}

  /** Returns the cluster's configuration, or Hadoop's defaults if the variable is not set. */
  public static Configuration read() {
    Configuration conf = new Configuration();
    String directory = System.getenv("HADOOP_CONF_DIR");
    if (directory != null) {
      FILES.forEach(file -> conf.addResource(new Path(directory, file)));
    }
    return conf;
  }
}
