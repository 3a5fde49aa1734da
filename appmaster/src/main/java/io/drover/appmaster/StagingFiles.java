// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;

/**
 * Lets containers of a job find files of its staging directory in their working directory, so that
 * nodes need not have the jar.
 */
public final class StagingFiles {
  private StagingFiles() {}

  /** Returns the resource by which containers get a file, which must not change any more. */
  public static LocalResource resource(FileSystem fs, Path file) throws IOException {
    FileStatus status = fs.getFileStatus(file);
    return LocalResource.newInstance(
        URL.fromPath(fs.resolvePath(status.getPath())),
        LocalResourceType.FILE,
        LocalResourceVisibility.APPLICATION,
        status.getLen(),
        status.getModificationTime());
  }

  /**
   * Adds files to a container. Jars among them come last on its class path, as all jars in its
   * working directory do.
   *
   * @param files by their names in the working directory; they replace others of the same name
   */
  public static void add(ContainerLaunchContext to, Map<String, LocalResource> files) {
    Map<String, LocalResource> resources = new HashMap<>(to.getLocalResources());
    resources.putAll(files);
    to.setLocalResources(resources);
  }

  /** Puts a jar of the working directory first on a container's class path. */
  public static void first(ContainerLaunchContext of, String jar, Configuration conf) {
    Map<String, String> environment = new HashMap<>(of.getEnvironment());
    String classPath = Environment.CLASSPATH.name();
    String rest = environment.remove(classPath);
    String first = MRApps.crossPlatformifyMREnv(conf, Environment.PWD) + Path.SEPARATOR + jar;
    MRApps.addToEnvironment(environment, classPath, first, conf);
    if (rest != null) {
      MRApps.addToEnvironment(environment, classPath, rest, conf);
    }
    of.setEnvironment(environment);
  }
}
