// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.drover.cli.doctor.ClusterAnswers.Daemon;
import io.drover.cli.doctor.ClusterAnswers.HistoryJob;
import io.drover.cli.doctor.ClusterAnswers.Manager;
import io.drover.cli.doctor.ClusterAnswers.Node;
import io.drover.cli.web.ManagerPages;
import io.drover.cli.web.WebClient;
import io.drover.cli.web.WebClient.Answer;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Asks the web servers of the ResourceManagers, the NodeManagers and the JobHistoryServer. Whoever
 * does not answer within a few seconds is silent; nothing here throws because of it. Nor because of
 * an address that is none, which URI and HttpURLConnection refuse by a RuntimeException.
 */
final class ClusterProbe {
  private static final int THREADS = 32;
  private static final String JAVA = "/jmx?get=java.lang:type=Runtime::SpecVersion";
  private static final List<String> RUNNING = List.of("RUNNING", "UNHEALTHY", "DECOMMISSIONING");

  private final ManagerPages pages;
  private final WebClient web;
  private final Consumer<String> listener;
  private final Set<String> unanswered = ConcurrentHashMap.newKeySet();

  /**
   * Creates a probe.
   *
   * @param conf says where the daemons are
   * @param listener is told each daemon that has answered, or is silent, on any thread
   */
  ClusterProbe(Configuration conf, WebClient web, Consumer<String> listener) {
    pages = new ManagerPages(conf);
    this.web = web;
    this.listener = listener;
  }

  ClusterAnswers ask() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Callable<Manager>> questions = new ArrayList<>();
      pages.addresses().forEach(address -> questions.add(() -> manager(address)));
      List<Manager> managers = all(threads, questions);
      Future<Optional<HistoryJob>> largest = threads.submit(this::largestJob);
      Optional<String> active =
          managers.stream().filter(Manager::isActive).map(Manager::address).findFirst();
      Optional<List<Node>> nodes =
          active.isEmpty() ? Optional.empty() : nodes(active.get(), threads);
      return new ClusterAnswers(
          managers,
          nodes,
          active.map(this::memory).orElse(OptionalLong.empty()),
          active.flatMap(this::scheduler),
          active.flatMap(address -> readIfThere(address, "/ws/v1/cluster/drover")),
          all(largest),
          unanswered.stream().sorted().toList());
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T all(Future<T> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static <T> List<T> all(ExecutorService threads, List<Callable<T>> questions)
      throws InterruptedException {
    List<T> answers = new ArrayList<>();
    for (Future<T> answer : threads.invokeAll(questions)) {
      answers.add(all(answer));
    }
    return answers;
  }

  /** Returns the JSON of a page; empty if there is none, which is noted. */
  private Optional<JsonNode> read(String address, String path) {
    try {
      Answer answer = web.get(pages.page(address, path));
      if (answer.isOk()) {
        return Optional.of(answer.body());
      }
      unanswered.add(address + path + ": HTTP status " + answer.status());
    } catch (IOException | RuntimeException e) {
      unanswered.add(address + path + ": " + cause(e));
    }
    return Optional.empty();
  }

  /** Returns the JSON of a page that a daemon need not have. */
  private Optional<JsonNode> readIfThere(String address, String path) {
    try {
      Answer answer = web.get(pages.page(address, path));
      return answer.isOk() ? Optional.of(answer.body()) : Optional.empty();
    } catch (IOException | RuntimeException e) {
      unanswered.add(address + path + ": " + cause(e));
      return Optional.empty();
    }
  }

  // --- ResourceManagers

  private Manager manager(String address) {
    try {
      web.get(
          pages.page(address, "/ws/v1/cluster/info")); // the first answer of a server takes longer
      Answer answer = web.get(pages.page(address, "/ws/v1/cluster/info"));
      JsonNode info = answer.body().path("clusterInfo");
      if (!answer.isOk() || info.isMissingNode()) {
        return new Manager(
            address, false, Daemon.silent("it answers with HTTP status " + answer.status()));
      }
      return new Manager(
          address,
          info.path("haState").asText("ACTIVE").equals("ACTIVE"),
          new Daemon(text(info, "hadoopVersion"), java(address), answer.clock(), Optional.empty()));
    } catch (IOException | RuntimeException e) {
      return new Manager(address, false, Daemon.silent(cause(e)));
    } finally {
      listener.accept("ResourceManager " + address);
    }
  }

  private static String cause(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static Optional<String> text(JsonNode node, String field) {
    return Optional.of(node.path(field).asText("")).filter(text -> !text.isEmpty());
  }

  private Optional<String> java(String address) {
    return read(address, JAVA).flatMap(ClusterProbe::specVersion);
  }

  private static Optional<String> specVersion(JsonNode jmx) {
    return text(jmx.path("beans").path(0), "SpecVersion");
  }

  private OptionalLong memory(String active) {
    long mb =
        read(active, "/ws/v1/cluster/metrics")
            .map(metrics -> metrics.path("clusterMetrics").path("totalMB").asLong())
            .orElse(0L);
    return mb > 0 ? OptionalLong.of(mb) : OptionalLong.empty();
  }

  private Optional<String> scheduler(String active) {
    return read(active, "/conf?format=json&name=" + YarnConfiguration.RM_SCHEDULER)
        .flatMap(conf -> text(conf.path("property"), "value"));
  }

  // --- NodeManagers

  private Optional<List<Node>> nodes(String active, ExecutorService threads)
      throws InterruptedException {
    Optional<JsonNode> answer = read(active, "/ws/v1/cluster/nodes");
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    List<Callable<Node>> questions = new ArrayList<>();
    for (JsonNode node : elements(answer.get().path("nodes").path("node"))) {
      if (RUNNING.contains(node.path("state").asText())) {
        questions.add(() -> node(node));
      }
    }
    return Optional.of(
        all(threads, questions).stream().sorted(Comparator.comparing(Node::host)).toList());
  }

  private Node node(JsonNode node) {
    String host = node.path("nodeHostName").asText();
    Optional<String> hadoop = text(node, "version");
    String address = node.path("nodeHTTPAddress").asText();
    Daemon daemon;
    try {
      Answer answer = web.get(pages.page(address, JAVA));
      daemon = new Daemon(hadoop, specVersion(answer.body()), answer.clock(), Optional.empty());
    } catch (IOException | RuntimeException e) {
      daemon =
          new Daemon(
              hadoop,
              Optional.empty(),
              Optional.empty(),
              Optional.of(address + ": " + e.getMessage()));
    }
    listener.accept("NodeManager " + host);
    return new Node(host, node.path("rack").asText(), daemon);
  }

  // --- JobHistoryServer

  private Optional<HistoryJob> largestJob() {
    String server = pages.historyServer();
    if (server.contains("//0.0.0.0:")) {
      return Optional.empty();
    }
    try {
      URI page = URI.create(server + "/ws/v1/history/mapreduce/jobs");
      return elements(web.get(page).body().path("jobs").path("job")).stream()
          .map(ClusterProbe::historyJob)
          .max(Comparator.comparingInt(HistoryJob::tasks));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // it need not run
    }
  }

  private static HistoryJob historyJob(JsonNode job) {
    int tasks = job.path("mapsTotal").asInt() + job.path("reducesTotal").asInt();
    return new HistoryJob(job.path("id").asText(), tasks);
  }

  /** Returns the elements of a list. Hadoop 3.5 writes a list of one element as that element. */
  private static List<JsonNode> elements(JsonNode list) {
    List<JsonNode> elements = new ArrayList<>();
    if (list.isObject()) {
      elements.add(list);
    } else {
      list.forEach(elements::add);
    }
    return elements;
  }
}
