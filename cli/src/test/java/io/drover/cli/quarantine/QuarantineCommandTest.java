// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class QuarantineCommandTest {
  private static final String MACHINES =
      """
      {"mode":"observe","machines":[
      {"machine":"n1","cause":"operator","closed":true,"leftSeconds":1700,"times":2,
       "why":"ordered by ann"},
      {"machine":"n2","cause":"statistics","closed":false,"leftSeconds":10800,"times":1,
       "why":"outliers"},
      {"machine":"n3","cause":"operator","closed":false,"leftSeconds":60,"times":1,
       "why":"ordered by bob"}]}""";

  @TempDir Path directory;
  private final List<String> asked = new ArrayList<>();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private HttpServer server;
  private String state = "ACTIVE";
  private int status = 200;
  private String answer = MACHINES;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/ws/v1/cluster/info", this::info);
    server.createContext("/ws/v1/cluster/drover", this::drover);
    server.start();
    Configuration conf = new Configuration(false);
    conf.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "127.0.0.1:" + server.getAddress().getPort());
    try (OutputStream file = Files.newOutputStream(directory.resolve("yarn-site.xml"))) {
      conf.writeXml(file);
    }
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void info(HttpExchange exchange) throws IOException {
    send(exchange, 200, "{\"clusterInfo\":{\"haState\":\"" + state + "\"}}");
  }

  private void drover(HttpExchange exchange) throws IOException {
    asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    boolean isAll = exchange.getRequestMethod().equals("GET");
    send(exchange, status, isAll ? "{\"quarantine\":" + answer + "}" : answer);
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private int run(String... arguments) {
    return run(Map.of("HADOOP_CONF_DIR", directory.toString()), arguments);
  }

  private int run(Map<String, String> environment, String... arguments) {
    CommandLine command =
        QuarantineCommand.commandLine(
            new PrintStream(printed, true, StandardCharsets.UTF_8), environment);
    command.setParameterExceptionHandler(
        (wrong, typed) -> {
          printed.writeBytes(wrong.getMessage().getBytes(StandardCharsets.UTF_8));
          return CommandLine.ExitCode.USAGE;
        });
    command.setExecutionExceptionHandler(
        (failure, failed, parsed) -> {
          printed.writeBytes(failure.getMessage().getBytes(StandardCharsets.UTF_8));
          return 1;
        });
    return command.execute(arguments);
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static String user() throws IOException {
    return "user.name=" + UserGroupInformation.getCurrentUser().getShortUserName();
  }

  @Test
  void listsTheMachines() throws IOException {
    assertThat(run("list")).isZero();
    assertThat(asked).containsExactly("GET /ws/v1/cluster/drover?machines=0&" + user());
    assertThat(text())
        .isEqualToNormalizingNewlines(
            """
            n1  closed  28 min left  number 2  ordered by ann
            n2  observed  3 h left  number 1  outliers
            n3  waived  1 min left  number 1  ordered by bob
            """);
  }

  @Test
  void saysThatErrorsHaveOpenedAllMachines() {
    answer =
        MACHINES
            .replace("\"machines\"", "\"off\":true,\"machines\"")
            .replace("true,\"left", "false,\"left");
    assertThat(run("list")).isZero();
    assertThat(text().lines().toList())
        .hasSize(4)
        .first()
        .asString()
        .startsWith("Errors have switched the quarantine off, and all machines get containers.");
    assertThat(text())
        .contains("n1  open  ", "n2  open  ", "n3  open  ")
        .doesNotContain("waived", "observed", "closed");
  }

  @Test
  void saysThatThereIsNone() {
    answer = "{\"mode\":\"on\",\"machines\":[]}";
    assertThat(run("list")).isZero();
    assertThat(text()).contains("No machine is in quarantine (yarn.drover.quarantine.mode is on).");
  }

  @Test
  void ordersAndLiftsAQuarantine() throws IOException {
    assertThat(run("add", "n1", "--for", "90m", "--reason", "bad disk & fan")).isZero();
    assertThat(run("add", "n1")).isZero();
    assertThat(run("lift", "n1/..")).isZero();
    assertThat(asked)
        .containsExactly(
            "PUT /ws/v1/cluster/drover/quarantine/n1?seconds=5400&reason=bad%20disk%20%26%20fan&"
                + user(),
            "PUT /ws/v1/cluster/drover/quarantine/n1?" + user(),
            "DELETE /ws/v1/cluster/drover/quarantine/n1%2F..?" + user());
  }

  @Test
  void tellsWhyTheResourceManagerRefuses() {
    status = 403;
    answer = "{\"RemoteException\":{\"message\":\"only administrators may do this\"}}";
    assertThat(run("lift", "n1")).isEqualTo(1);
    assertThat(text()).isEqualTo("the ResourceManager refuses: only administrators may do this");
  }

  @Test
  void tellsThatDroverIsNotThere() {
    status = 404;
    answer = "{}";
    assertThat(run("list")).isEqualTo(1);
    assertThat(text()).contains("yarn.webapp.custom.webservice.class");
  }

  @Test
  void standbyIsNotAsked() {
    state = "STANDBY";
    assertThat(run("lift", "n1")).isEqualTo(1);
    assertThat(text()).contains("none is active");
    assertThat(asked).isEmpty();
  }

  @Test
  void withoutAConfigurationNobodyIsAsked() {
    assertThat(run(Map.of(), "list")).isEqualTo(2);
    assertThat(text()).startsWith("HADOOP_CONF_DIR is not set: ");
    printed.reset();
    Map<String, String> gone = Map.of("HADOOP_CONF_DIR", directory.resolve("gone").toString());
    assertThat(run(gone, "add", "n1")).isEqualTo(2);
    assertThat(text()).startsWith("HADOOP_CONF_DIR has no yarn-site.xml (in " + directory);
    printed.reset();
    assertThat(run(gone, "lift", "n1")).isEqualTo(2);
    assertThat(asked).isEmpty();
  }

  @Test
  void aWrongTimeIsRefused() {
    for (String wrong : List.of("long", "500ms", "1500ms", "0s")) {
      assertThat(run("add", "n1", "--for", wrong)).as(wrong).isEqualTo(2);
    }
    assertThat(asked).isEmpty();
  }
}
