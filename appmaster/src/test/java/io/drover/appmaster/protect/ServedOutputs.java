// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.SecretKey;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;

/** Hadoop's own ShuffleHandler with outputs of a job to serve, in this process. */
final class ServedOutputs implements AutoCloseable {
  static final JobID JOB = new JobID("1400000000000", 1);
  private static final int REDUCES = 2;
  private static final byte[] PART = new byte[300_000];

  private final ShuffleHandler handler = new ShuffleHandler();
  private final JobConf conf = new JobConf();
  private final Path outputs;
  private final int port;
  private final SecretKey secret;

  ServedOutputs(Path directory) throws IOException {
    String user = System.getProperty("user.name");
    String application = TypeConverter.toYarn(JOB).getAppId().toString();
    outputs =
        Files.createDirectories(
            directory.resolve("usercache/" + user + "/appcache/" + application + "/output"));
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, directory.toString());
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
    handler.setAuxiliaryLocalPathHandler(new OneDirectory(directory));
    handler.init(conf);
    handler.start();
    JobTokenSecretManager tokens = new JobTokenSecretManager();
    Token<JobTokenIdentifier> token =
        new Token<>(new JobTokenIdentifier(new Text(JOB.toString())), tokens);
    secret = JobTokenSecretManager.createSecretKey(token.getPassword());
    handler.initializeApplication(
        new ApplicationInitializationContext(
            user,
            TypeConverter.toYarn(JOB).getAppId(),
            ShuffleHandler.serializeServiceData(token)));
    ByteBuffer meta = handler.getMetaData();
    port = ShuffleHandler.deserializeMetaData(meta);
  }

  /** The local directories of a NodeManager that has only one. */
  private record OneDirectory(Path directory) implements AuxiliaryLocalPathHandler {
    private org.apache.hadoop.fs.Path of(String path) throws IOException {
      Path file = directory.resolve(path);
      if (!Files.exists(file)) {
        throw new IOException("Could not find " + path);
      }
      return new org.apache.hadoop.fs.Path(file.toString());
    }

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForRead(String path) throws IOException {
      return of(path);
    }

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForWrite(String path) throws IOException {
      return of(path);
    }

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForWrite(String path, long size)
        throws IOException {
      return of(path);
    }

    @Override
    public Iterable<org.apache.hadoop.fs.Path> getAllLocalPathsForRead(String path)
        throws IOException {
      return List.of(of(path));
    }
  }

  SecretKey secret() {
    return secret;
  }

  String address() {
    return "http://localhost:" + port;
  }

  /** Makes outputs of maps, and returns the attempts that have made them. */
  List<TaskAttemptID> make(int maps) throws IOException {
    List<TaskAttemptID> made = new ArrayList<>();
    for (int i = 0; i < maps; i++) {
      TaskAttemptID attempt =
          new TaskAttemptID(JOB.getJtIdentifier(), JOB.getId(), TaskType.MAP, i, 0);
      Path there = Files.createDirectories(outputs.resolve(attempt.toString()));
      SpillRecord index = new SpillRecord(REDUCES);
      for (int r = 0; r < REDUCES; r++) {
        index.putIndex(new IndexRecord((long) r * PART.length, PART.length, PART.length), r);
        Files.write(
            there.resolve("file.out"),
            PART,
            java.nio.file.StandardOpenOption.CREATE,
            java.nio.file.StandardOpenOption.APPEND);
      }
      index.writeToFile(
          new org.apache.hadoop.fs.Path(there.resolve("file.out.index").toString()), conf);
      made.add(attempt);
    }
    return made;
  }

  /** Deletes the file of an output; its index stays. */
  void delete(TaskAttemptID attempt) throws IOException {
    Files.delete(outputs.resolve(attempt + "/file.out"));
  }

  @Override
  public void close() {
    handler.stop();
  }
}
