// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Asks for JSON from the web servers of Hadoop's daemons. A server that wants a login gets the
 * Kerberos ticket of this user, if there is one, as {@code curl --negotiate} would do it.
 */
public final class WebClient {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final int timeoutMillis;
  private final Optional<Duration> whole;
  private final LongSupplier clock;

  /**
   * Creates a client that waits as long as a server goes on to send.
   *
   * @param timeout how long it waits to be connected, and for each part of an answer
   * @param clock this machine's clock, in milliseconds
   */
  public WebClient(Duration timeout, LongSupplier clock) {
    this(timeout, Optional.empty(), clock);
  }

  /**
   * Creates a client.
   *
   * @param timeout how long it waits to be connected, and for each part of an answer
   * @param whole how long it waits for all parts of an answer together, logins included
   * @param clock this machine's clock, in milliseconds
   */
  public WebClient(Duration timeout, Duration whole, LongSupplier clock) {
    this(timeout, Optional.of(whole), clock);
  }

  private WebClient(Duration timeout, Optional<Duration> whole, LongSupplier clock) {
    timeoutMillis = Math.toIntExact(timeout.toMillis());
    this.whole = whole;
    this.clock = clock;
  }

  /**
   * An answer.
   *
   * @param status the HTTP status
   * @param body the JSON; missing if it is none
   * @param clock what the answer says of the server's clock, if it says anything
   */
  public record Answer(int status, JsonNode body, Optional<ClockReading> clock) {
    /** Returns whether the status says that all is well. */
    public boolean isOk() {
      return status == HttpURLConnection.HTTP_OK;
    }
  }

  /**
   * Reads a page.
   *
   * @throws IOException if there is no answer, or no login where one is wanted; names the cause
   */
  public Answer get(URI page) throws IOException {
    return send("GET", page);
  }

  /**
   * Sends a request without a body.
   *
   * @param method GET, PUT or DELETE
   * @throws IOException if there is no answer, or no login where one is wanted; names the cause
   */
  public Answer send(String method, URI page) throws IOException {
    return whole.isEmpty() ? exchange(method, page) : within(whole.get(), method, page);
  }

  /**
   * Gives an exchange up after some time. Nothing else ends a read of a server that sends a little
   * now and then, so the thread that reads is left to itself.
   */
  private Answer within(Duration limit, String method, URI page) throws IOException {
    FutureTask<Answer> exchange = new FutureTask<>(() -> exchange(method, page));
    Thread thread = new Thread(exchange, "answer of " + page.getAuthority());
    thread.setDaemon(true);
    thread.start();
    try {
      return exchange.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new SocketTimeoutException("no whole answer within " + limit.toMillis() / 1e3 + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + page + " was asked");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
    }
  }

  private Answer exchange(String method, URI page) throws IOException {
    long sent = clock.getAsLong();
    HttpURLConnection connection = prepared((HttpURLConnection) page.toURL().openConnection());
    connection.setRequestMethod(method);
    int status = connection.getResponseCode();
    if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
      sent = clock.getAsLong();
      connection = loggedIn(page);
      connection.setRequestMethod(method);
      status = connection.getResponseCode();
    }
    long date = connection.getHeaderFieldDate("Date", 0);
    Optional<ClockReading> reading =
        date == 0 ? Optional.empty() : Optional.of(ClockReading.of(date, sent, clock.getAsLong()));
    return new Answer(status, body(connection), reading);
  }

  /**
   * Returns the JSON of a page.
   *
   * @throws IOException if there is no answer, no login where one is wanted, another status than
   *     200 or no JSON; names the page
   */
  public JsonNode json(URI page) throws IOException {
    Answer answer;
    try {
      answer = get(page);
    } catch (IOException e) {
      throw new IOException(page + " does not answer: " + e.getMessage(), e);
    }
    if (!answer.isOk()) {
      throw new IOException(page + " answers with status " + answer.status());
    }
    if (answer.body().isMissingNode()) {
      throw new IOException(page + " answers without JSON");
    }
    return answer.body();
  }

  private HttpURLConnection prepared(HttpURLConnection connection) {
    connection.setConnectTimeout(timeoutMillis);
    connection.setReadTimeout(timeoutMillis);
    connection.setUseCaches(false);
    connection.setRequestProperty("Accept", "application/json");
    return connection;
  }

  private HttpURLConnection loggedIn(URI page) throws IOException {
    try {
      return new AuthenticatedURL(null, this::prepared)
          .openConnection(page.toURL(), new AuthenticatedURL.Token());
    } catch (AuthenticationException e) {
      throw new IOException("it wants a login (kinit): " + e.getMessage(), e);
    }
  }

  private static InputStream stream(HttpURLConnection connection) throws IOException {
    if (connection.getResponseCode() < HttpURLConnection.HTTP_BAD_REQUEST) {
      return connection.getInputStream();
    }
    InputStream error = connection.getErrorStream();
    return error != null ? error : InputStream.nullInputStream();
  }

  private static JsonNode body(HttpURLConnection connection) throws IOException {
    try (InputStream in = stream(connection)) {
      JsonNode body = JSON.readTree(in);
      return body == null ? MissingNode.getInstance() : body;
    } catch (JsonProcessingException e) { // an error page, or a server that is none of Hadoop's
      return MissingNode.getInstance();
    }
  }
}
