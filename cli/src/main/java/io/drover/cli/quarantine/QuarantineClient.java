// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.quarantine;

import com.fasterxml.jackson.databind.JsonNode;
import io.drover.cli.web.ManagerPages;
import io.drover.cli.web.WebClient;
import io.drover.cli.web.WebClient.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Asks the active ResourceManager about quarantines. Where Kerberos is on, it knows the caller by a
 * ticket; elsewhere it is told the name of the user of this process, as Hadoop's clients do.
 */
final class QuarantineClient {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String DROVER = "/ws/v1/cluster/drover";

  private final ManagerPages pages;
  private final WebClient web;
  private final String user;

  private QuarantineClient(ManagerPages pages, WebClient web, String user) {
    this.pages = pages;
    this.web = web;
    this.user = user;
  }

  /** Creates a client of a configuration's cluster. */
  static QuarantineClient of(Configuration conf) {
    UserGroupInformation.setConfiguration(conf);
    String user = "";
    if (!UserGroupInformation.isSecurityEnabled()) {
      try {
        user = "user.name=" + encoded(UserGroupInformation.getCurrentUser().getShortUserName());
      } catch (IOException e) {
        throw new UncheckedIOException("the name of this user is not known", e);
      }
    }
    return new QuarantineClient(
        new ManagerPages(conf), new WebClient(PATIENCE, System::currentTimeMillis), user);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns the machines in quarantine. */
  JsonNode list() {
    return send("GET", DROVER + "?machines=0").path("quarantine");
  }

  /** Quarantines a machine, and returns those in quarantine. */
  JsonNode add(String machine, Optional<Duration> length, Optional<String> reason) {
    List<String> query = new ArrayList<>();
    length.ifPresent(time -> query.add("seconds=" + time.toSeconds()));
    reason.ifPresent(text -> query.add("reason=" + encoded(text)));
    return send("PUT", page(machine) + "?" + String.join("&", query));
  }

  /** Ends a machine's quarantine, and returns those in quarantine. */
  JsonNode lift(String machine) {
    return send("DELETE", page(machine) + "?");
  }

  private static String page(String machine) {
    return DROVER + "/quarantine/" + encoded(machine);
  }

  private JsonNode send(String method, String path) {
    String separator = path.endsWith("?") ? "" : "&";
    try {
      URI page = pages.page(active(), user.isEmpty() ? path : path + separator + user);
      Answer answer = web.send(method, page);
      if (answer.isOk()) {
        return answer.body();
      }
      String problem = problem(answer);
      throw new UncheckedIOException(problem, new IOException(problem));
    } catch (IOException e) {
      throw new UncheckedIOException("the ResourceManager does not answer: " + e.getMessage(), e);
    }
  }

  private static String problem(Answer answer) {
    String said = answer.body().path("RemoteException").path("message").asText("");
    if (!said.isEmpty()) {
      return "the ResourceManager refuses: " + said.lines().findFirst().orElseThrow();
    }
    return answer.status() == HttpURLConnection.HTTP_NOT_FOUND
        ? "the ResourceManager has no web services of Drover's: set"
            + " yarn.webapp.custom.webservice.class (docs/scheduler.md)"
        : "the ResourceManager answers with HTTP status " + answer.status();
  }

  /** Returns the address of the active ResourceManager. */
  private String active() throws IOException {
    List<String> silent = new ArrayList<>();
    for (String address : pages.addresses()) {
      try {
        Answer answer = web.get(pages.page(address, "/ws/v1/cluster/info"));
        JsonNode info = answer.body().path("clusterInfo");
        if (answer.isOk() && info.path("haState").asText("ACTIVE").equals("ACTIVE")) {
          return address;
        }
        silent.add(address + ": standby, or HTTP status " + answer.status());
      } catch (IOException e) {
        silent.add(address + ": " + e.getMessage());
      }
    }
    throw new IOException("none is active at " + String.join(", ", silent));
  }
}
