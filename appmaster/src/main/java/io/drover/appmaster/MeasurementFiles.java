// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.replicate.ReplicaWorker;
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
import java.util.stream.Stream;
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
 * The files that tasks need to measure: a jar with the few classes that do it, and the job's
 * configuration with the names of these classes.
 *
 * <p>Stock Hadoop writes the configuration once, when the job is submitted, and all tasks of the
 * job read it. It has no fallback for a configured class that a node does not have: every task on
 * that node fails. So the classes are named in a second file, and only containers that also get the
 * jar from this AppMaster get that file. All other containers run Hadoop's classes. Both files are
 * in the job's staging directory and are removed with it.
 *
 * <p>If a node has any version of Drover's jar on the class path of tasks, its tasks use that jar,
 * which comes first and has all that its own classes need. (If this jar came first, a task's JVM
 * would discard a class archive that was made for the class path.) Tasks with another version send
 * only lines that both versions know.
 */
final class MeasurementFiles {
  /** The name of the jar in a task's working directory. */
  static final String JAR = "drover-tasks.jar";

  /** The classes of Drover that a task or a replica worker loads, each with its nested classes. */
  private static final List<Class<?>> CLASSES =
      Stream.concat(
              Stream.of(
                  DroverMapOutput.class,
                  MeasuredShuffle.class,
                  Fetches.class,
                  FetchesUnderWay.class,
                  PartitionSizes.class,
                  UmbilicalMessage.class),
              ReplicaWorker.CLASSES.stream())
          .toList();

  private static final int BUFFER = 4096;

  private final Map<String, LocalResource> files;

  private MeasurementFiles(Map<String, LocalResource> files) {
    this.files = files;
  }

  /**
   * Writes both files in the name of the current user. Takes some round trips to the file system.
   *
   * @param attempt number of the AppMaster's attempt; files of earlier attempts stay as they are
   * @param duties what tasks should do
   * @return empty if nothing is to be changed, for example because the job has chosen other classes
   */
  static Optional<MeasurementFiles> upload(
      Configuration conf, JobID job, int attempt, TaskDuties duties) throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    Path directory = new Path(MRApps.getStagingAreaDir(conf, user), job.toString());
    FileSystem fs = FileSystem.get(conf); // as Hadoop does for job.xml
    Configuration tasks = new Configuration(false);
    try (InputStream in = fs.open(new Path(directory, MRJobConfig.JOB_CONF_FILE))) {
      tasks.addResource(in, MRJobConfig.JOB_CONF_FILE);
      tasks.size(); // reads it
    }
    if (!UmbilicalMessage.ask(tasks, job, duties)) {
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

  /** Writes a file. Fails if its directory is gone because the job has ended. */
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
              throw new IOException(name + " cannot be found by the class loader that loaded it");
            }
            in.transferTo(jar);
          }
        }
      }
    }
    return bytes.toByteArray();
  }

  /** Adds both files to a task's container that is about to be launched. */
  void addTo(ContainerLaunchContext container) {
    StagingFiles.add(container, files);
  }
}
