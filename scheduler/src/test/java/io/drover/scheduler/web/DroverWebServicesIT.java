// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.channel.ChannelClient;
import io.drover.channel.RackBandwidth;
import io.drover.scheduler.MockCluster;
import io.drover.scheduler.MonitoringTest;
import io.drover.scheduler.Reports;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.junit.jupiter.api.Test;

class DroverWebServicesIT {
  private final HttpClient client = HttpClient.newHttpClient();

  /** With a web server, on a port that was free a moment ago. */
  static Configuration configuration() throws Exception {
    Configuration conf = MockCluster.configuration();
    try (ServerSocket socket = new ServerSocket(0)) {
      conf.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "127.0.0.1:" + socket.getLocalPort());
    }
    conf.setBoolean("mockrm.webapp.enabled", true);
    conf.setClass(
        YarnConfiguration.YARN_WEBAPP_CUSTOM_WEBSERVICE_CLASS,
        DroverWebServices.class,
        Object.class);
    return conf;
  }

  /** The address of the ResourceManager's web services. */
  static URI services(Configuration conf) {
    return URI.create(
        "http://" + conf.get(YarnConfiguration.RM_WEBAPP_ADDRESS) + "/ws/v1/cluster/");
  }

  private HttpResponse<String> get(Configuration conf, String path) throws Exception {
    return get(conf, path, "application/json");
  }

  private HttpResponse<String> get(Configuration conf, String path, String accepted)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(services(conf).resolve(path)).header("Accept", accepted).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode figures(Configuration conf, String query) throws Exception {
    HttpResponse<String> response = get(conf, "drover" + query);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Content-Type")).isEqualTo("application/json;charset=utf-8");
    return new ObjectMapper().readTree(response.body());
  }

  private static String header(HttpResponse<String> response, String name) {
    return String.join(" | ", response.headers().allValues(name));
  }

  @Test
  void tellsWhatClonesDo() throws Exception {
    Configuration conf = configuration();
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App small = cluster.submit("MAPREDUCE", "default", "u");
      small.ask(MockCluster.CLONE, 1, 20);
      small.awaitClones(10);
      small.ask(MockCluster.ORDINARY, 1, 5);
      cluster.heartbeat();
      cluster.clones().round();

      JsonNode root = figures(conf, "");
      assertThat(root.at("/settings/maxUtilisation").asDouble()).isEqualTo(0.7);
      assertThat(root.at("/clones/off").asBoolean(true)).isFalse();
      assertThat(root.at("/errors")).hasSize(10);
      assertThat(root.at("/errors/0/part").asText()).isEqualTo("clones");
      assertThat(root.at("/errors/0/failures").asInt(-1)).isZero();
      assertThat(root.has("badSettings")).isFalse();
      assertThat(root.at("/actions/copies/launched").asInt(-1)).isZero();
      assertThat(root.at("/actions/replicas/secondsSaved").asDouble(-1)).isZero();
      assertThat(root.at("/clones/started").asInt()).isEqualTo(10);
      assertThat(root.at("/clones/aboveCeiling").asInt()).isEqualTo(5);
      assertThat(root.at("/clones/running").asInt()).isEqualTo(5);
      assertThat(root.at("/partitions/0/utilisation").asDouble()).isEqualTo(11.0 / 16);
      assertThat(root.at("/partitions/0/cloned").asDouble()).isEqualTo(5.0 / 16);
      assertThat(root.at("/partitions/0/running").asInt()).isEqualTo(5);
      assertThat(root.at("/partitions/0/admitting").asBoolean()).isFalse();
      assertThat(root.at("/killedLately")).hasSize(5);
      assertThat(root.at("/killedLately/0/why").asText()).contains("above the ceiling");
      assertThat(get(conf, "info").statusCode()).as("Hadoop's own are there").isEqualTo(200);
    }
  }

  @Test
  void tellsWhatIsInForceWhereNothingHasHappened() throws Exception {
    Configuration conf = configuration();
    try (MockCluster cluster = new MockCluster(conf, 1, 4)) {
      JsonNode root = figures(conf, "");
      assertThat(root.at("/settings/mode").asText()).isEqualTo("on");
      assertThat(root.at("/settings/statisticsMode").asText()).isEqualTo("on");
      assertThat(root.at("/settings/roundSeconds").asDouble()).isEqualTo(5);
      assertThat(root.at("/channel/on").asBoolean(true)).isFalse();
      assertThat(root.at("/statistics/windowSeconds").asDouble()).isEqualTo(300);
      assertThat(root.at("/statistics/kept").asBoolean(true)).isFalse();
      assertThat(root.at("/statistics/reporting").asInt(-1)).isZero();
      assertThat(root.at("/statistics/machines")).isEmpty();
      assertThat(root.at("/statistics/links").isArray()).isTrue();
      assertThat(root.at("/partitions/0/partition").asText("none")).isEmpty();
      assertThat(root.at("/partitions/0/admitting").asBoolean()).isTrue();
      assertThat(root.at("/killedLately").isArray()).isTrue();
    }
  }

  @Test
  void publishesEachFigureForPrometheus() throws Exception {
    Configuration conf = configuration();
    conf.setBoolean("hadoop.prometheus.endpoint.enabled", true);
    List<String> expected =
        MonitoringTest.names().stream().map(MonitoringTest::prometheusName).toList();
    try (MockCluster cluster = new MockCluster(conf, 1, 4)) {
      assertThat(cluster.size()).isEqualTo(1);
      await().untilAsserted(() -> assertThat(published(conf)).containsAll(expected));
      assertThat(published(conf)).as("no kind of error is among them").hasSameSizeAs(expected);
    }
  }

  /** Returns the names that Prometheus would read. */
  private List<String> published(Configuration conf) throws Exception {
    return get(conf, "/prom", "text/plain")
        .body()
        .lines()
        .filter(line -> line.startsWith("drover_scheduler_"))
        .map(line -> line.replaceFirst("[{ ].*", ""))
        .toList();
  }

  /** Three jobs have said what the only rack's links bear, and one made outliers on a machine. */
  static List<ChannelClient> report(MockCluster cluster) throws Exception {
    List<ChannelClient> clients = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      ChannelClient speaking = Reports.client(cluster, app);
      speaking.bandwidth(
          new RackBandwidth(
              NetworkTopology.DEFAULT_RACK, OptionalDouble.of(118e6), OptionalDouble.of(64e6)));
      clients.add(speaking);
      if (i == 0) {
        Reports.run(cluster, app, speaking);
      }
    }
    return clients;
  }

  @Test
  void tellsWhatWasLearntOfMachinesAndLinks() throws Exception {
    Configuration conf = configuration();
    Reports.configure(conf);
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      List<ChannelClient> clients = report(cluster);
      await()
          .untilAsserted(
              () -> {
                JsonNode root = figures(conf, "?machines=2");
                assertThat(root.at("/channel/on").asBoolean()).isTrue();
                JsonNode statistics = root.path("statistics");
                assertThat(statistics.path("reporting").asInt()).isEqualTo(3);
                assertThat(statistics.path("windowSeconds").asDouble()).isEqualTo(1);
                assertThat(statistics.path("machinesKnown").asInt()).isEqualTo(4);
                assertThat(statistics.path("machinesSlow").asInt()).isEqualTo(1);
                assertThat(statistics.path("machines")).hasSize(2);
                assertThat(statistics.at("/machines/0/machine").asText())
                    .isEqualTo(cluster.host(3));
                assertThat(statistics.at("/machines/0/slow").asBoolean()).isTrue();
                assertThat(statistics.at("/machines/1/slow").asBoolean(true)).isFalse();
                assertThat(statistics.at("/links/0/upBytesPerSecond").asDouble()).isEqualTo(118e6);
                assertThat(statistics.at("/links/0/downBytesPerSecond").asDouble()).isEqualTo(64e6);
              });
      assertThat(figures(conf, "").at("/statistics/machines")).hasSize(4);
      assertThat(get(conf, "drover?machines=many").statusCode()).isEqualTo(400);
      clients.forEach(ChannelClient::close);
    }
  }

  /** What AppMasters say of their actions and programs is taken all the same. */
  @Test
  void countsTheJobsThatReportThoughNothingIsLearntOfMachines() throws Exception {
    Configuration conf = configuration();
    Reports.configure(conf);
    conf.set("yarn.drover.statistics.mode", "off");
    try (MockCluster cluster = new MockCluster(conf, 2, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      try (ChannelClient client = Reports.client(cluster, app)) {
        await().until(() -> client.latestState().isPresent());
        assertThat(figures(conf, "").at("/statistics/reporting").asInt()).isEqualTo(1);
      }
    }
  }

  private record Answer(int status, String type, String body) {}

  /** Sends a request without a body, as the command line does. */
  private static Answer order(Configuration conf, String method, String path) throws Exception {
    URI page = services(conf).resolve("drover/quarantine/" + path);
    HttpURLConnection connection = (HttpURLConnection) page.toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setRequestProperty("Accept", "application/json");
    int status = connection.getResponseCode();
    try (InputStream in =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      String body = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new Answer(status, connection.getContentType(), body);
    }
  }

  @Test
  void administratorsBeginAndEndQuarantines() throws Exception {
    Configuration conf = configuration();
    conf.set(YarnConfiguration.YARN_ADMIN_ACL, "operator");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      String host = cluster.host(1);
      String path = host + "?user.name=operator&seconds=60&reason=bad%20disk";
      Answer added = order(conf, "PUT", path);
      assertThat(added.status()).isEqualTo(200);
      assertThat(added.type()).isEqualTo("application/json;charset=utf-8");
      JsonNode quarantine = figures(conf, "").path("quarantine");
      assertThat(quarantine.path("mode").asText()).isEqualTo("observe");
      assertThat(quarantine.path("closed").asInt()).isEqualTo(1);
      JsonNode machine = quarantine.at("/machines/0");
      assertThat(machine.path("machine").asText()).isEqualTo(host);
      assertThat(machine.path("cause").asText()).isEqualTo("operator");
      assertThat(machine.path("closed").asBoolean()).isTrue();
      assertThat(machine.path("leftSeconds").asDouble()).isBetween(1.0, 60.0);
      assertThat(machine.path("why").asText()).isEqualTo("ordered by operator: bad disk");
      assertThat(order(conf, "DELETE", host + "?user.name=operator").status()).isEqualTo(200);
      assertThat(figures(conf, "").at("/quarantine/machines")).isEmpty();
      assertThat(order(conf, "DELETE", host + "?user.name=operator").status()).isEqualTo(404);
    }
  }

  @Test
  void nobodyElseBeginsOrEndsQuarantines() throws Exception {
    Configuration conf = configuration();
    conf.set(YarnConfiguration.YARN_ADMIN_ACL, "operator");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      String host = cluster.host(1);
      for (String user : List.of("?user.name=somebody", "")) {
        assertThat(order(conf, "PUT", host + user).status()).isEqualTo(403);
        assertThat(order(conf, "DELETE", host + user).status()).isEqualTo(403);
      }
      assertThat(figures(conf, "").at("/quarantine/closed").asInt(-1)).isZero();
    }
  }

  @Test
  void ordersThatCannotBeCarriedOutAreRefused() throws Exception {
    Configuration conf = configuration();
    conf.set(YarnConfiguration.YARN_ADMIN_ACL, "operator");
    try (MockCluster cluster = new MockCluster(conf, 2, 4)) {
      String host = cluster.host(1);
      assertThat(order(conf, "PUT", "other?user.name=operator").body())
          .contains("the cluster has no machine");
      for (String wrong :
          List.of("seconds=0", "seconds=-1", "seconds=99999999", "seconds=x", "reason=a%0Ab")) {
        assertThat(order(conf, "PUT", host + "?user.name=operator&" + wrong).status())
            .as(wrong)
            .isEqualTo(400);
      }
      assertThat(order(conf, "PUT", host + "?user.name=operator").status()).isEqualTo(200);
      assertThat(order(conf, "PUT", cluster.host(0) + "?user.name=operator").body())
          .contains("more than half of the machines");
    }
  }

  /** Everybody is an administrator, as by default, and says who he is. */
  @Test
  void nameOfAnOperatorIsOneLineOfTheLog() throws Exception {
    Configuration conf = configuration();
    conf.set(YarnConfiguration.YARN_ADMIN_ACL, "*");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      String host = cluster.host(1);
      assertThat(order(conf, "PUT", host + "?user.name=ann").status()).isEqualTo(200);
      for (String forged : List.of("ann%0Abob", "ann%0Dbob", "ann%1B[2J", "ann%E2%80%A8bob")) {
        for (String method : List.of("PUT", "DELETE")) {
          Answer answer = order(conf, method, host + "?user.name=" + forged);
          assertThat(answer.status()).as("%s by %s", method, forged).isEqualTo(400);
        }
      }
      assertThat(figures(conf, "").at("/quarantine/machines/0/why").asText())
          .isEqualTo("ordered by ann");
    }
  }

  @Test
  void whereListsAreFilteredOnlyAdministratorsSeeTheNamesOfOtherUsers() throws Exception {
    Configuration conf = configuration();
    Reports.configure(conf);
    conf.unset("yarn.drover.statistics.trusted-users");
    conf.set(YarnConfiguration.YARN_ADMIN_ACL, "operator");
    conf.setBoolean(YarnConfiguration.FILTER_ENTITY_LIST_BY_USER, true);
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      List<ChannelClient> clients = report(cluster); // all of them the user u's
      for (String caller : List.of("operator", "u")) {
        await()
            .untilAsserted(
                () ->
                    assertThat(
                            figures(conf, "?user.name=" + caller)
                                .at("/statistics/ownLinks/0/user")
                                .asText())
                        .isEqualTo("u"));
      }
      assertThat(figures(conf, "?user.name=other").at("/statistics/ownLinks")).isEmpty();
      await() // links are known before machines
          .untilAsserted(
              () ->
                  assertThat(
                          figures(conf, "?user.name=other").at("/statistics/machinesKnown").asInt())
                      .isPositive());
      clients.forEach(ChannelClient::close);
    }
  }

  @Test
  void thePageLoadsNothingButFigures() throws Exception {
    Configuration conf = configuration();
    try (MockCluster cluster = new MockCluster(conf, 1, 4)) {
      HttpResponse<String> response = get(conf, "drover/page", "text/html,*/*;q=0.8");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(header(response, "Content-Type")).isEqualTo("text/html;charset=utf-8");
      assertThat(header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(header(response, "Content-Security-Policy"))
          .startsWith("default-src 'none'; style-src 'sha256-")
          .contains("script-src 'sha256-", "connect-src 'self'", "base-uri 'none'")
          .doesNotContain("unsafe");
      assertThat(response.body())
          .contains("<title>Drover</title>")
          .doesNotContain("{{", "http-equiv", "onclick=", "style=\"")
          .doesNotContainPattern("(src|href)=\"(https?:)?//");
    }
  }

  @Test
  void isNotThereWithAnotherScheduler() throws Exception {
    Configuration conf = configuration();
    conf.setClass(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    try (MockCluster cluster = new MockCluster(conf, 1, 4)) {
      for (String path : List.of("drover", "drover/page")) {
        HttpResponse<String> response = get(conf, path, "*/*");
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("The scheduler is not Drover's.");
      }
    }
  }

  @Test
  void aStandbyAnswersAsItDoesElsewhere() throws Exception {
    Configuration conf = configuration();
    conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
    conf.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
    conf.set(YarnConfiguration.RM_HA_ID, "rm1");
    conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
    for (String key : YarnConfiguration.getServiceAddressConfKeys(conf)) {
      conf.set(key + ".rm1", "127.0.0.1:0");
      conf.set(key + ".rm2", "127.0.0.1:0");
    }
    conf.set(
        YarnConfiguration.RM_WEBAPP_ADDRESS + ".rm1",
        conf.get(YarnConfiguration.RM_WEBAPP_ADDRESS));
    try (MockRM standby = new MockRM(conf)) {
      standby.start();
      for (String path : List.of("metrics", "drover", "drover/page")) {
        HttpResponse<String> response = get(conf, path);
        assertThat(response.statusCode()).as(path).isEqualTo(307);
        assertThat(response.body()).as(path).startsWith("Can not find any active RM.");
      }
    }
  }
}
