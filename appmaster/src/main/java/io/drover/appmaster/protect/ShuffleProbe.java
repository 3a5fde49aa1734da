// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;
import javax.net.ssl.HttpsURLConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Asks the ShuffleHandler of a NodeManager whether it serves at all, and which outputs it can read.
 * It speaks the protocol of Hadoop's Fetcher and closes the connection before any output is sent.
 *
 * <p>Calls wait for the network, at most {@value #CONNECT_MILLIS} + {@value #READ_MILLIS} ms each.
 * Any thread may make them.
 */
public final class ShuffleProbe {
  /** How long a connection may take. */
  static final int CONNECT_MILLIS = 2_000;

  /** How long an answer may take. */
  static final int READ_MILLIS = 3_000;

  /** The most outputs in one request, as in ShuffleSchedulerImpl: the line must not be too long. */
  private static final int MOST_OUTPUTS = 20;

  private static final int TOO_MANY_REQUESTS = 429;

  private final JobID job;
  private final SecretKey secret;
  private final SSLFactory ssl;

  /**
   * Makes the probe of a job when it is first asked for: by then, the job has its token. That is on
   * a thread that may wait, because an encrypted shuffle needs certificates from files.
   */
  public static final class Factory implements Supplier<ShuffleProbe> {
    private final Configuration conf;
    private final Supplier<JobId> job;
    private final Supplier<Credentials> credentials;
    private ShuffleProbe probe;

    /**
     * Creates a factory.
     *
     * @param credentials returns those of the job
     */
    public Factory(Configuration conf, Supplier<JobId> job, Supplier<Credentials> credentials) {
      this.conf = conf;
      this.job = job;
      this.credentials = credentials;
    }

    @Override
    public synchronized ShuffleProbe get() {
      if (probe == null) {
        probe = new ShuffleProbe(TypeConverter.fromYarn(job.get()), secret(), ssl());
      }
      return probe;
    }

    /** Returns the key that TaskAttemptImpl gives to NodeManagers and reduces. */
    private SecretKey secret() {
      Credentials tokens = credentials.get();
      byte[] shuffle = TokenCache.getShuffleSecretKey(tokens);
      return JobTokenSecretManager.createSecretKey(
          shuffle == null ? TokenCache.getJobToken(tokens).getPassword() : shuffle);
    }

    private SSLFactory ssl() {
      if (!conf.getBoolean(
          MRConfig.SHUFFLE_SSL_ENABLED_KEY, MRConfig.SHUFFLE_SSL_ENABLED_DEFAULT)) {
        return null;
      }
      SSLFactory factory = new SSLFactory(SSLFactory.Mode.CLIENT, conf);
      try {
        factory.init();
      } catch (IOException | GeneralSecurityException e) {
        throw new IllegalStateException("the certificates of the shuffle cannot be read", e);
      }
      return factory;
    }
  }

  /**
   * Creates a probe for the outputs of one job.
   *
   * @param secret the key with which the job's reduces sign their requests
   * @param ssl makes the connections if the shuffle is encrypted; null if it is not
   */
  ShuffleProbe(JobID job, SecretKey secret, SSLFactory ssl) {
    this.job = job;
    this.secret = secret;
    this.ssl = ssl;
  }

  /**
   * Returns whether a ShuffleHandler answers. The request names no output, so that the handler
   * refuses it without looking at a file. The refusal comes from the handler itself: a connection
   * alone could have been accepted for a process that no longer works.
   *
   * @param address such as {@code http://host:13562}
   */
  public boolean answers(String address) {
    try {
      HttpURLConnection connection = open(address + "/mapOutput");
      try {
        connection.getResponseCode();
        return true;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns those of a node's outputs that its ShuffleHandler cannot read for a reduce. If no
   * answer comes, or the handler is too busy, nothing is known and none is returned.
   *
   * @param address such as {@code http://host:13562}
   * @param reduce number of the reduce
   */
  public List<TaskAttemptID> unreadable(String address, int reduce, List<TaskAttemptID> outputs) {
    List<TaskAttemptID> unreadable = new ArrayList<>();
    for (int from = 0; from < outputs.size(); from += MOST_OUTPUTS) {
      List<TaskAttemptID> some =
          outputs.subList(from, Math.min(from + MOST_OUTPUTS, outputs.size()));
      if (!areReadable(address, reduce, some)) {
        some.stream()
            .filter(one -> some.size() == 1 || !areReadable(address, reduce, List.of(one)))
            .forEach(unreadable::add);
      }
    }
    return unreadable;
  }

  /** Returns whether the handler can read all of some outputs, or has not said that it cannot. */
  private boolean areReadable(String address, int reduce, List<TaskAttemptID> outputs) {
    String maps = outputs.stream().map(TaskAttemptID::toString).collect(Collectors.joining(","));
    String query = "/mapOutput?job=" + job + "&reduce=" + reduce + "&map=" + maps;
    try {
      HttpURLConnection connection = open(address + query);
      try {
        String hash =
            SecureShuffleUtils.hashFromString(
                SecureShuffleUtils.buildMsgFrom(connection.getURL()), secret);
        connection.addRequestProperty(SecureShuffleUtils.HTTP_HEADER_URL_HASH, hash);
        return isGood(connection, hash);
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return true; // whether the node serves at all is asked elsewhere
    }
  }

  private boolean isGood(HttpURLConnection connection, String hash) throws IOException {
    int code = connection.getResponseCode();
    if (code == TOO_MANY_REQUESTS) {
      return true;
    }
    String reply = connection.getHeaderField(SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH);
    if (code != HttpURLConnection.HTTP_OK || reply == null) {
      return false;
    }
    SecureShuffleUtils.verifyReply(reply, hash, secret);
    return true;
  }

  private HttpURLConnection open(String address) throws IOException {
    URL url = URI.create(address).toURL();
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    if (connection instanceof HttpsURLConnection https) {
      ssl.configure(https);
    }
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(READ_MILLIS);
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.addRequestProperty(
        ShuffleHeader.HTTP_HEADER_NAME, ShuffleHeader.DEFAULT_HTTP_HEADER_NAME);
    connection.addRequestProperty(
        ShuffleHeader.HTTP_HEADER_VERSION, ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION);
    return connection;
  }
}
