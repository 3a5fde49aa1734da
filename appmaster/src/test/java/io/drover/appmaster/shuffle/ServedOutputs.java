// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.crypto.SecretKey;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.IFileOutputStream;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.CryptoUtils;
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
public final class ServedOutputs implements AutoCloseable {
  public static final JobID JOB = new JobID("1400000000000", 1);

  /** How many parts each output has. */
  public static final int REDUCES = 2;

  private static final int PART_BYTES = 300_000;

  private final ShuffleHandler handler = new ShuffleHandler();
  private final JobConf conf;
  private final Path outputs;
  private final int port;
  private final Token<JobTokenIdentifier> token;
  private final SecretKey secret;

  /** Serves what is under a local directory, with a key of its own. */
  public ServedOutputs(Path directory) throws IOException {
    this(directory, new JobConf());
  }

  /** Serves outputs of a job with a configuration. */
  public ServedOutputs(Path directory, JobConf conf) throws IOException {
    this(
        directory,
        conf,
        new Token<>(new JobTokenIdentifier(new Text(JOB.toString())), new JobTokenSecretManager()));
  }

  /** Serves what is under another local directory with the same key. */
  public ServedOutputs besides(Path directory) throws IOException {
    return new ServedOutputs(directory, conf, token);
  }

  private ServedOutputs(Path directory, JobConf base, Token<JobTokenIdentifier> token)
      throws IOException {
    String user = System.getProperty("user.name");
    String application = TypeConverter.toYarn(JOB).getAppId().toString();
    outputs =
        Files.createDirectories(
            directory.resolve("usercache/" + user + "/appcache/" + application + "/output"));
    conf = new JobConf(base);
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, directory.toString());
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
    handler.setAuxiliaryLocalPathHandler(new OneDirectory(directory));
    handler.init(conf);
    handler.start();
    this.token = token;
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

  public SecretKey secret() {
    return secret;
  }

  public String address() {
    return "http://localhost:" + port;
  }

  /** Makes outputs of maps, and returns the attempts that have made them. */
  public List<TaskAttemptID> make(int maps) throws IOException {
    List<TaskAttemptID> made = new ArrayList<>();
    for (int i = 0; i < maps; i++) {
      TaskAttemptID attempt =
          new TaskAttemptID(JOB.getJtIdentifier(), JOB.getId(), TaskType.MAP, i, 0);
      SpillRecord index = new SpillRecord(REDUCES);
      org.apache.hadoop.fs.Path data = new org.apache.hadoop.fs.Path(data(attempt).toString());
      try (FSDataOutputStream out = FileSystem.getLocal(conf).getRaw().create(data)) {
        for (int r = 0; r < REDUCES; r++) {
          long start = out.getPos();
          writePart(out, i, r);
          long length = out.getPos() - start;
          index.putIndex(new IndexRecord(start, length, length), r);
        }
      }
      index.writeToFile(data.suffix(".index"), conf);
      made.add(attempt);
    }
    return made;
  }

  /** Writes bytes as IFile does: encrypted if the job encrypts, and with their checksum. */
  private void writePart(FSDataOutputStream out, int map, int reduce) throws IOException {
    byte[] bytes = new byte[PART_BYTES];
    new Random(map * 100L + reduce).nextBytes(bytes);
    FSDataOutputStream part = CryptoUtils.wrapIfNecessary(conf, out, false);
    IFileOutputStream checked = new IFileOutputStream(part);
    checked.write(bytes);
    checked.finish();
    part.flush();
  }

  /** Returns the file of an output, which may be damaged. */
  public Path data(TaskAttemptID attempt) {
    return outputs.resolve(attempt + "/file.out");
  }

  /** Deletes the file of an output; its index stays. */
  public void delete(TaskAttemptID attempt) throws IOException {
    Files.delete(data(attempt));
  }

  @Override
  public void close() {
    handler.stop();
  }
}
