// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A ResourceManager, two NodeManagers and a JobHistoryServer that give the answers recorded from
 * Hadoop 3.5.0 with Drover's scheduler. Each may be changed.
 */
final class RecordedCluster implements AutoCloseable {
  static final List<String> NODES = List.of("127.0.0.11", "127.0.0.12");

  private final HttpServer manager = server("127.0.0.1");
  private final HttpServer history = server("127.0.0.1");
  private final Map<String, HttpServer> nodes = new HashMap<>();
  private final Map<String, String> answers = new ConcurrentHashMap<>();

  RecordedCluster() throws IOException {
    for (String node : NODES) {
      nodes.put(node, server(node));
    }
    String known = recorded("nodes.json");
    for (String node : NODES) {
      known = known.replaceAll("\"" + node + ":\\d+\"", "\"" + address(nodes.get(node)) + "\"");
    }
    answer("/ws/v1/cluster/info", recorded("info.json"));
    answer("/ws/v1/cluster/nodes", known);
    answer("/ws/v1/cluster/metrics", recorded("metrics.json"));
    answer("/ws/v1/cluster/drover", recorded("drover.json"));
    answer("/conf", recorded("scheduler-class.json"));
    answer("/ws/v1/history/mapreduce/jobs", recorded("history-jobs.json"));
    answer(manager, "/jmx", recorded("runtime.json"));
    NODES.forEach(node -> answer(nodes.get(node), "/jmx", recordedRuntime()));
    start(manager);
    start(history);
    nodes.values().forEach(this::start);
  }

  private static HttpServer server(String host) {
    try {
      return HttpServer.create(new InetSocketAddress(host, 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String address(HttpServer server) {
    return server.getAddress().getAddress().getHostAddress() + ":" + server.getAddress().getPort();
  }

  private static String recorded(String name) throws IOException {
    try (InputStream in = RecordedCluster.class.getResourceAsStream("recorded/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String recordedRuntime() {
    try {
      return recorded("runtime.json");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void start(HttpServer server) {
    server.createContext("/", exchange -> handle(server, exchange));
    server.start();
  }

  private void handle(HttpServer server, HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String own = answers.get(address(server) + path);
    String answer = own != null ? own : answers.get(path);
    byte[] body = (answer == null ? "{}" : answer).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json;charset=utf-8");
    exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** Sets the answer of all servers that have none of their own. */
  void answer(String path, String json) {
    answers.put(path, json);
  }

  private void answer(HttpServer server, String path, String json) {
    answers.put(address(server) + path, json);
  }

  /** Returns the answer that all servers give. */
  String answered(String path) {
    return answers.get(path);
  }

  /** Changes a recorded answer of the ResourceManager. */
  void change(String path, String from, String to) {
    String before = answers.get(path);
    if (!before.contains(from)) {
      throw new IllegalArgumentException(path + " has no " + from);
    }
    answer(path, before.replace(from, to));
  }

  /** Changes the version of Java of a node. */
  void java(String node, String version) {
    answer(nodes.get(node), "/jmx", recordedRuntime().replace("\"17\"", "\"" + version + "\""));
  }

  void refuse(String path) {
    answers.remove(path);
  }

  void stop(String node) {
    nodes.get(node).stop(0);
  }

  void stopManager() {
    manager.stop(0);
  }

  String managerAddress() {
    return address(manager);
  }

  /** Writes where the daemons are into a configuration. */
  void configure(DoctorHome home) throws IOException {
    home.script("racks-live", "for n; do echo /rack${n##*.}; done");
    home.set("yarn-site.xml", "yarn.resourcemanager.webapp.address", address(manager))
        .set("mapred-site.xml", "mapreduce.jobhistory.webapp.address", address(history))
        .set("core-site.xml", "net.topology.script.file.name", "${doctor.home}/racks-live");
  }

  @Override
  public void close() {
    manager.stop(0);
    history.stop(0);
    nodes.values().forEach(server -> server.stop(0));
  }
}
