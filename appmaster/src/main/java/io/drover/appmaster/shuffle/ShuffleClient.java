// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.shuffle;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;
import javax.net.ssl.HttpsURLConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Makes requests to the ShuffleHandlers of NodeManagers as Hadoop's Fetcher does: signed with the
 * key of a job, whose answers are signed too. It goes straight to the node, whatever proxy the JVM
 * has for what is outside of the cluster.
 *
 * <p>Calls wait for the network, at most {@value #CONNECT_MILLIS} + {@value #READ_MILLIS} ms until
 * an answer begins. Any thread may make them.
 */
public final class ShuffleClient {
  /** How long a connection may take. */
  static final int CONNECT_MILLIS = 2_000;

  /** How long an answer, or the next part of it, may take. */
  static final int READ_MILLIS = 3_000;

  /** The answer of a handler that serves too many others. */
  private static final int TOO_MANY_REQUESTS = 429;

  private final JobID job;
  private final SecretKey secret;
  private final SSLFactory ssl;

  /**
   * Creates a client for the outputs of one job.
   *
   * @param secret the key with which the job's reduces sign their requests
   * @param ssl makes the connections if the shuffle is encrypted; null if it is not
   */
  public ShuffleClient(JobID job, SecretKey secret, SSLFactory ssl) {
    this.job = job;
    this.secret = secret;
    this.ssl = ssl;
  }

  /**
   * Creates a client with the key that TaskAttemptImpl gives to NodeManagers and tasks. An
   * encrypted shuffle needs certificates from files, so this may wait.
   *
   * @param credentials those of the job or of one of its tasks
   */
  public static ShuffleClient of(Configuration conf, JobID job, Credentials credentials) {
    byte[] shuffle = TokenCache.getShuffleSecretKey(credentials);
    SecretKey secret =
        JobTokenSecretManager.createSecretKey(
            shuffle == null ? TokenCache.getJobToken(credentials).getPassword() : shuffle);
    return new ShuffleClient(job, secret, ssl(conf));
  }

  /** Returns whether the shuffle of a job is encrypted. */
  public static boolean isEncrypted(Configuration conf) {
    return conf.getBoolean(MRConfig.SHUFFLE_SSL_ENABLED_KEY, MRConfig.SHUFFLE_SSL_ENABLED_DEFAULT);
  }

  /**
   * Returns the address of a ShuffleHandler, such as {@code http://host:13562}, as TaskImpl tells
   * it to reduces.
   *
   * @param nodeHttpAddress that of its NodeManager's pages
   */
  public static String address(boolean isEncrypted, String nodeHttpAddress, int port) {
    String host = nodeHttpAddress.split(":")[0];
    return (isEncrypted ? "https://" : "http://") + host + ":" + port;
  }

  private static SSLFactory ssl(Configuration conf) {
    if (!isEncrypted(conf)) {
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

  /**
   * Opens a request that names no output, so that a handler refuses it without looking at a file.
   *
   * @param address such as {@code http://host:13562}
   */
  public HttpURLConnection openWithoutOutput(String address) throws IOException {
    return open(address + "/mapOutput");
  }

  /** A signed request that has been answered. Close it when the answer has been read. */
  public final class Request implements AutoCloseable {
    private final HttpURLConnection connection;
    private final String hash;

    private Request(HttpURLConnection connection) throws IOException {
      this.connection = connection;
      this.hash =
          SecureShuffleUtils.hashFromString(
              SecureShuffleUtils.buildMsgFrom(connection.getURL()), secret);
      connection.addRequestProperty(SecureShuffleUtils.HTTP_HEADER_URL_HASH, hash);
    }

    /** Returns the connection, from which the answer can be read. */
    public HttpURLConnection connection() {
      return connection;
    }

    /**
     * Returns whether the handler has found all outputs of the request.
     *
     * @throws IOException also if the answer does not come from a handler that knows the job's key
     */
    public boolean isGood() throws IOException {
      String reply = connection.getHeaderField(SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH);
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK || reply == null) {
        return false;
      }
      SecureShuffleUtils.verifyReply(reply, hash, secret);
      return true;
    }

    /**
     * Returns whether a handler has said that it does not serve the request, and not only that it
     * serves too many others. What another program says in its place, such as a proxy, is not its
     * word.
     *
     * @throws IOException if no answer comes
     */
    public boolean isRefused() throws IOException {
      int code = connection.getResponseCode();
      return code != HttpURLConnection.HTTP_OK
          && code != TOO_MANY_REQUESTS
          && ShuffleHeader.DEFAULT_HTTP_HEADER_NAME.equals(
              connection.getHeaderField(ShuffleHeader.HTTP_HEADER_NAME))
          && ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION.equals(
              connection.getHeaderField(ShuffleHeader.HTTP_HEADER_VERSION));
    }

    @Override
    public void close() {
      connection.disconnect();
    }
  }

  /**
   * Asks for the parts of some outputs that one reduce reads.
   *
   * @param address such as {@code http://host:13562}
   * @param reduce number of the reduce
   */
  public Request ask(String address, int reduce, List<TaskAttemptID> outputs) throws IOException {
    String maps = outputs.stream().map(TaskAttemptID::toString).collect(Collectors.joining(","));
    return new Request(
        open(address + "/mapOutput?job=" + job + "&reduce=" + reduce + "&map=" + maps));
  }

  private HttpURLConnection open(String address) throws IOException {
    URL url = URI.create(address).toURL();
    HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
    if (connection instanceof HttpsURLConnection https) {
      if (ssl == null) {
        throw new IOException("the shuffle of this job is not encrypted: " + address);
      }
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
