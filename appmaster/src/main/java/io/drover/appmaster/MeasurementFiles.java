// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.DroverMapOutput;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobSubmissionFiles;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;

/**
 * The files that tasks need to measure: a jar with the few classes that do, and the job's
 * configuration with their names in it.
 *
 * <p>Stock writes the configuration once, where the job is submitted, and all tasks of the job read
 * it. Hadoop has no fallback for a class in it that a node does not have: every task fails there.
 * So the classes are named in a second file that only such containers get as also get the jar, from
 * this AppMaster; a container that gets neither runs Hadoop's classes. Both files are in the job's
 * staging directory, with which they are removed.
 *
 * <p>A node that has Drover's jar, of whatever version, on the class path of tasks uses that one:
 * it comes first, and has all that its own classes need. (To put this one first would make a task's
 * JVM throw away an archive of classes that was made for the class path.) If it is of another
 * version, its tasks say such lines as both know.
 */
final class MeasurementFiles {
  /** The jar's name in the working directory of a task. */
  static final String JAR = "drover-tasks.jar";

  /** All that a task loads of Drover, each with the classes in it. */
  private static final List<Class<?>> CLASSES =
      List.of(
          DroverMapOutput.class,
          MeasuredShuffle.class,
          Fetches.class,
          PartitionSizes.class,
          UmbilicalMessage.class);

  private static final int BUFFER = 4096;

  private final Map<String, LocalResource> files;

  private MeasurementFiles(Map<String, LocalResource> files) {
    this.files = files;
  }

  /**
   * Writes both files, in the name of the current user. Takes some round trips to the file system.
   *
   * @param attempt number of the AppMaster's attempt: files of an earlier one stay as they are
   * @param sizes whether maps are to tell the sizes of their parts
   * @param fetches whether reduces are to tell of their fetches
   * @return empty if the job has chosen other classes, so that there is nothing to measure
   */
  static Optional<MeasurementFiles> upload(
      Configuration conf, JobID job, int attempt, boolean sizes, boolean fetches)
      throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    Path directory = new Path(MRApps.getStagingAreaDir(conf, user), job.toString());
    FileSystem fs = FileSystem.get(conf); // as Hadoop does for job.xml
    Configuration tasks = new Configuration(false);
    try (InputStream in = fs.open(new Path(directory, MRJobConfig.JOB_CONF_FILE))) {
      tasks.addResource(in, MRJobConfig.JOB_CONF_FILE);
      tasks.size(); // reads it
    }
    if (!UmbilicalMessage.ask(tasks, job, sizes, fetches)) {
      return Optional.empty();
    }
    ByteArrayOutputStream xml = new ByteArrayOutputStream();
    tasks.writeXml(xml);
    short copies = (short) conf.getInt(Job.SUBMIT_REPLICATION, 10);
    Path jobFile = new Path(directory, "drover-job-" + attempt + ".xml");
    Path jarFile = new Path(directory, "drover-tasks-" + attempt + ".jar");
    return Optional.of(
        new MeasurementFiles(
            Map.of(
                MRJobConfig.JOB_CONF_FILE,
                write(fs, jobFile, xml.toByteArray(), copies),
                JAR,
                write(fs, jarFile, jar(), copies))));
  }

  /** If the directory is gone, since the job has ended, it is not made again. */
  static LocalResource write(FileSystem fs, Path file, byte[] bytes, short copies)
      throws IOException {
    try (OutputStream out =
        fs.createNonRecursive(
            file,
            JobSubmissionFiles.JOB_FILE_PERMISSION,
            EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
            BUFFER,
            copies,
            fs.getDefaultBlockSize(file),
            null)) {
      out.write(bytes);
    }
    return StagingFiles.resource(fs, file);
  }

  private static byte[] jar() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes)) {
      for (Class<?> nest : CLASSES) {
        TreeSet<String> names = new TreeSet<>();
        for (Class<?> member : nest.getNestMembers()) {
          names.add(member.getName().replace('.', '/') + ".class");
        }
        for (String name : names) {
          jar.putNextEntry(new JarEntry(name));
          try (InputStream in = nest.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
              throw new IOException(name + " is not where it was loaded from");
            }
            in.transferTo(jar);
          }
        }
      }
    }
    return bytes.toByteArray();
  }

  /** Adds both to a task's container that is about to be launched. */
  void addTo(ContainerLaunchContext container) {
    StagingFiles.add(container, files);
  }
}
