// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.appmaster.shuffle.ServedOutputs;
import io.drover.appmaster.shuffle.ShuffleClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies from a real ShuffleHandler to where another one serves. */
class OutputCopyTest {
  private static final double FAST = 1e12;

  @TempDir Path source;
  @TempDir Path target;
  private final JobConf conf = new JobConf();
  private ServedOutputs from;
  private ServedOutputs to;
  private ShuffleClient client;

  @BeforeEach
  void serve() throws IOException {
    serve(conf);
  }

  private void serve(JobConf job) throws IOException {
    from = new ServedOutputs(source, job);
    to = from.besides(target);
    client = new ShuffleClient(ServedOutputs.JOB, from.secret(), null);
    job.set(MRConfig.LOCAL_DIR, application().toString());
  }

  /** The directory that a NodeManager gives to containers of the application. */
  private Path application() {
    return target.resolve(
        "usercache/"
            + System.getProperty("user.name")
            + "/appcache/"
            + TypeConverter.toYarn(ServedOutputs.JOB).getAppId());
  }

  @AfterEach
  void stop() {
    from.close();
    to.close();
  }

  private OutputCopy copies() throws IOException {
    return new OutputCopy(conf, client, ServedOutputs.REDUCES, FAST);
  }

  private boolean isServed(ServedOutputs by, int reduce, TaskAttemptID output) throws IOException {
    try (ShuffleClient.Request request = client.ask(by.address(), reduce, List.of(output))) {
      return request.isGood();
    }
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.walk(target)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void copyIsTheSameAndIsServed() throws IOException {
    TaskAttemptID output = from.make(2).get(1);
    assertThat(isServed(to, 1, output)).isFalse();
    long bytes = copies().make(output, from.address());
    assertThat(to.data(output)).hasSameBinaryContentAs(from.data(output));
    assertThat(bytes).isEqualTo(Files.size(from.data(output)));
    assertThat(to.data(output).resolveSibling("file.out.index"))
        .hasSameBinaryContentAs(from.data(output).resolveSibling("file.out.index"));
    assertThat(isServed(to, 0, output) && isServed(to, 1, output)).isTrue();
    assertThat(left()).hasSize(2);
  }

  /** The NodeManager reads them as a member of their group. */
  @Test
  void othersCannotReadIt() throws IOException {
    TaskAttemptID output = from.make(1).get(0);
    copies().make(output, from.address());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to.data(output))))
        .isEqualTo("rw-r-----");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(to.data(output).getParent())))
        .isEqualTo("rwxr-x---");
  }

  @Test
  void damagedOutputIsNotCopied() throws IOException {
    TaskAttemptID output = from.make(1).get(0);
    byte[] bytes = Files.readAllBytes(from.data(output));
    bytes[400_000]++;
    Files.write(from.data(output), bytes);
    assertThatThrownBy(() -> copies().make(output, from.address()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Checksum");
    assertThat(left()).isEmpty();
  }

  @Test
  void truncatedOutputIsNotCopied() throws IOException {
    TaskAttemptID output = from.make(1).get(0);
    byte[] bytes = Files.readAllBytes(from.data(output));
    Files.write(from.data(output), Arrays.copyOf(bytes, 450_000));
    assertThatThrownBy(() -> copies().make(output, from.address())).isInstanceOf(IOException.class);
    assertThat(left()).isEmpty();
  }

  @Test
  void missingOutputIsNotCopied() throws IOException {
    TaskAttemptID output = from.make(1).get(0);
    from.delete(output);
    assertThatThrownBy(() -> copies().make(output, from.address())).isInstanceOf(IOException.class);
    from.close();
    assertThatThrownBy(() -> copies().make(output, from.address())).isInstanceOf(IOException.class);
    assertThat(left()).isEmpty();
  }

  /** Its AppMaster may have died before it heard of the copy. */
  @Test
  void copyThatIsThereIsCheckedInsteadOfMadeAgain() throws IOException {
    TaskAttemptID output = from.make(1).get(0);
    long bytes = copies().make(output, from.address());
    from.delete(output);
    assertThat(copies().make(output, from.address())).isEqualTo(bytes);
    assertThat(left()).hasSize(2);
    assertThat(isServed(to, 1, output)).isTrue();
  }

  /** It could be the output that the node itself has made. */
  @Test
  void damagedCopyThatIsThereDoesNotCountAndIsNotReplaced() throws IOException {
    TaskAttemptID output = from.make(1).get(0);
    copies().make(output, from.address());
    byte[] good = Files.readAllBytes(to.data(output));
    byte[] damaged = good.clone();
    damaged[400_000]++;
    for (byte[] bad :
        List.of(damaged, Arrays.copyOf(good, 450_000), Arrays.copyOf(good, good.length + 1))) {
      Files.write(to.data(output), bad);
      assertThatThrownBy(() -> copies().make(output, from.address()))
          .isInstanceOf(IOException.class);
      assertThat(to.data(output)).hasBinaryContent(bad);
    }
    assertThatThrownBy(
            () ->
                new OutputCopy(conf, client, ServedOutputs.REDUCES + 1, FAST)
                    .make(output, from.address()))
        .isInstanceOf(IOException.class);
    assertThat(left()).hasSize(2);
  }

  @Test
  void copyThatWasCutOffIsMadeAgain() throws IOException {
    TaskAttemptID output = from.make(1).get(0);
    long bytes = copies().make(output, from.address());
    Path data = to.data(output);
    Path index = data.resolveSibling("file.out.index");
    Files.move(index, index.resolveSibling("file.out.index.copying"));
    Files.write(data, new byte[] {1});
    assertThat(copies().make(output, from.address())).isEqualTo(bytes);
    assertThat(data).hasSameBinaryContentAs(from.data(output));
    assertThat(left()).hasSize(2);
  }

  @Test
  void handlerThatDoesNotKnowTheKeyIsNotBelieved() throws IOException {
    TaskAttemptID output = from.make(1).get(0);
    client =
        new ShuffleClient(
            ServedOutputs.JOB, JobTokenSecretManager.createSecretKey(new byte[20]), null);
    assertThatThrownBy(() -> copies().make(output, from.address())).isInstanceOf(IOException.class);
    assertThat(left()).isEmpty();
  }

  @Test
  void copyThatFailedCanBeMadeLater() throws IOException {
    TaskAttemptID output = from.make(1).get(0);
    byte[] good = Files.readAllBytes(from.data(output));
    byte[] bad = good.clone();
    bad[1]++;
    Files.write(from.data(output), bad);
    assertThatThrownBy(() -> copies().make(output, from.address())).isInstanceOf(IOException.class);
    Files.write(from.data(output), good);
    assertThat(copies().make(output, from.address())).isEqualTo(good.length);
  }

  @Test
  void encryptedOutputIsCheckedAndCopiedAsItIs() throws IOException {
    stop();
    conf.setBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, true);
    Credentials key = new Credentials();
    TokenCache.setEncryptedSpillKey(new byte[16], key);
    UserGroupInformation.getCurrentUser().addCredentials(key);
    serve(conf);
    List<TaskAttemptID> outputs = from.make(2);
    copies().make(outputs.get(0), from.address());
    assertThat(to.data(outputs.get(0))).hasSameBinaryContentAs(from.data(outputs.get(0)));
    byte[] bytes = Files.readAllBytes(from.data(outputs.get(1)));
    bytes[bytes.length / 3]++;
    Files.write(from.data(outputs.get(1)), bytes);
    assertThatThrownBy(() -> copies().make(outputs.get(1), from.address()))
        .isInstanceOf(IOException.class);
  }
}
