// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.channel.RackBandwidth;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.machine.MachineStatistics.MachineFigures;
import io.drover.core.predict.FailureModel.Reason;
import io.drover.core.predict.FailurePredictor.Judgement;
import io.drover.core.predict.FailurePredictor.Turned;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.SchedulerMetrics;
import io.drover.scheduler.clone.CloneEvent;
import io.drover.scheduler.clone.CloneManager;
import io.drover.scheduler.predict.PredictionStatus;
import io.drover.scheduler.quarantine.NodeQuarantine;
import io.drover.scheduler.quarantine.NodeQuarantine.Quarantined;
import io.drover.scheduler.statistics.MachineView;
import io.drover.scheduler.statistics.Statistics;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Writes the status of Drover's scheduler as JSON. */
final class SchedulerStatus {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Comparator<MachineFigures> WORST_FIRST =
      Comparator.<MachineFigures>comparingDouble(machine -> -machine.probability().orElse(0))
          .thenComparingInt(machine -> -machine.outliers())
          .thenComparing(MachineFigures::machine);

  /** Puts machines that are slow for all users first, then those slow for single users. */
  private static Comparator<MachineFigures> worstFirst(MachineView view) {
    Set<MachineFigures> forSome = new HashSet<>();
    view.machines().stream().filter(m -> !view.slowForOnly(m).isEmpty()).forEach(forSome::add);
    return Comparator.<MachineFigures, Boolean>comparing(m -> !view.isSlow(m))
        .thenComparing(m -> !forSome.contains(m))
        .thenComparing(WORST_FIRST);
  }

  private SchedulerStatus() {}

  /**
   * Returns the status as JSON.
   *
   * @param killedLately the killed clones that the caller may see
   * @param failing the applications called failing that the caller may see
   * @param users tells which users the caller may see
   * @param machines how many machines to return at most, the worst first
   */
  static String of(
      DroverCapacityScheduler scheduler,
      List<CloneEvent> killedLately,
      List<Judgement> failing,
      Predicate<String> users,
      int machines) {
    CloneManager clones = scheduler.clones();
    ObjectNode root = JSON.createObjectNode();
    root.put("at", System.currentTimeMillis());
    root.set("settings", settings(clones.settings()));
    scheduler.complaint().ifPresent(wrong -> root.put("badSettings", wrong));
    root.set("errors", errors(scheduler.breakers()));
    root.set("channel", channel(scheduler));
    root.set("clones", clones(clones));
    root.set("actions", actions(scheduler.statistics()));
    root.set("statistics", statistics(scheduler, users, machines));
    root.set("quarantine", quarantine(scheduler.statistics().quarantine()));
    root.set("prediction", prediction(scheduler.prediction().status(), failing));
    root.set("partitions", JSON.valueToTree(clones.partitions()));
    root.set("killedLately", JSON.valueToTree(killedLately));
    return root.toString();
  }

  private static ObjectNode settings(ClusterSettings settings) {
    return JSON.createObjectNode()
        .put("mode", word(settings.cloneMode()))
        .put("maxUtilisation", settings.maxUtilisation())
        .put("hysteresis", settings.hysteresis())
        .put("roundSeconds", settings.round().toMillis() / 1e3)
        .put("patienceSeconds", settings.patience().toMillis() / 1e3)
        .put("statisticsMode", word(settings.statisticsMode()))
        .put("slowNodeOffers", word(settings.slowNodes().offers()))
        .put("upstreamRatio", settings.upstreamRatio());
  }

  /** Returns for each part whether errors have switched it off, and what has failed so far. */
  private static ArrayNode errors(Map<String, CircuitBreaker> breakers) {
    ArrayNode parts = JSON.createArrayNode();
    breakers.forEach(
        (part, breaker) -> {
          ObjectNode one = parts.addObject();
          one.put("part", part.toLowerCase(Locale.ROOT));
          one.put("off", breaker.isOpen());
          one.put("failures", breaker.failures());
          ObjectNode kinds = one.putObject("kinds");
          new TreeMap<>(breaker.failuresByKind()).forEach(kinds::put);
        });
    return parts;
  }

  private static String word(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode channel(DroverCapacityScheduler scheduler) {
    ObjectNode channel = JSON.createObjectNode();
    channel.put("on", scheduler.channelAddress().isPresent());
    scheduler.channelAddress().ifPresent(address -> channel.put("port", address.getPort()));
    return channel;
  }

  private static ObjectNode prediction(PredictionStatus status, List<Judgement> failing) {
    ObjectNode prediction =
        JSON.createObjectNode()
            .put("mode", word(status.mode()))
            .put("known", status.known())
            .put("stopped", status.isStopped())
            .put("calledFailing", status.failing().size());
    if (!Double.isNaN(status.misjudged())) {
      prediction.put("misjudged", status.misjudged());
    }
    status
        .model()
        .ifPresent(
            of ->
                prediction
                    .putObject("model")
                    .put("applications", of.jobs())
                    .put("failures", of.failures())
                    .put("misjudgedWhenChecked", of.misjudged()));
    ObjectNode turned = prediction.putObject("turned");
    for (Turned how : Turned.values()) {
      turned.put(camelCase(how), status.turned().getOrDefault(how, 0L));
    }
    prediction.put("secondAttempts", word(status.secondAttempts()));
    ObjectNode seconds = prediction.putObject("secondAttemptSeconds");
    for (Turned how : Turned.values()) {
      seconds.put(camelCase(how), status.secondAttemptSeconds().getOrDefault(how, 0.0));
    }
    ArrayNode applications = prediction.putArray("failing");
    failing.forEach(called -> applications.add(failing(called, status.at())));
    return prediction;
  }

  private static String camelCase(Enum<?> value) {
    String[] words = value.name().toLowerCase(Locale.ROOT).split("_");
    StringBuilder text = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      text.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
    }
    return text.toString();
  }

  private static ObjectNode failing(Judgement called, double now) {
    ObjectNode application =
        JSON.createObjectNode()
            .put("application", called.job().id())
            .put("user", called.job().user())
            .put("queue", called.job().queue())
            .put("program", called.job().program())
            .put("logOdds", called.call().score())
            .put("control", called.isControl());
    called.startedAt().ifPresent(at -> application.put("ranSeconds", Math.max(0, now - at)));
    ArrayNode reasons = application.putArray("reasons");
    for (Reason reason : called.reasons()) {
      reasons.addObject().put("feature", reason.feature()).put("adds", reason.adds());
    }
    return application;
  }

  private static ObjectNode clones(CloneManager clones) {
    return JSON.createObjectNode()
        .put("off", clones.isOff())
        .put("running", clones.running())
        .put("wanted", clones.wanted())
        .put("memoryMB", clones.held().getMemorySize())
        .put("vCores", clones.held().getVirtualCores())
        .put("started", clones.started())
        .put("gaveWay", clones.gaveWay())
        .put("aboveCeiling", clones.aboveCeiling())
        .put("refused", clones.refused())
        .put("wouldBeKilled", clones.wouldBeKilled());
  }

  private static ObjectNode actions(Statistics statistics) {
    ObjectNode actions = JSON.createObjectNode();
    for (ActionKind kind : ActionKind.values()) {
      ActionTotals totals = statistics.actions(kind);
      actions
          .putObject(SchedulerMetrics.prefix(kind).toLowerCase(Locale.ROOT))
          .put("launched", totals.launched())
          .put("won", totals.won())
          .put("lost", totals.lost())
          .put("secondsWasted", totals.wastedMillis() / 1e3)
          .put("secondsSaved", totals.savedMillis() / 1e3);
    }
    return actions;
  }

  private static ObjectNode statistics(
      DroverCapacityScheduler scheduler, Predicate<String> visible, int most) {
    Statistics statistics = scheduler.statistics();
    MachineView view = statistics.view();
    OptionalDouble p = view.outlierProbability();
    ObjectNode known =
        JSON.createObjectNode()
            .put("off", statistics.breaker().isOpen())
            .put("windowSeconds", statistics.window().toMillis() / 1e3)
            .put("kept", statistics.isKept())
            .put("reporting", scheduler.reporting())
            .put("dropped", statistics.dropped())
            .put("machinesKnown", view.machines().size())
            .put("machinesSlow", view.slowMachines());
    p.ifPresent(probability -> known.put("outlierProbability", probability));
    ArrayNode machines = known.putArray("machines");
    view.machines().stream()
        .sorted(worstFirst(view))
        .limit(most)
        .forEach(machine -> machines.add(machine(machine, view, visible)));
    ArrayNode called = known.putArray("calledSlow");
    statistics
        .calledSlow()
        .forEach(
            (name, why) ->
                called
                    .addObject()
                    .put("machine", name)
                    .put("why", why)
                    .put("told", view.called().containsKey(name)));
    ArrayNode links = known.putArray("links");
    view.links().forEach(link -> links.add(link(link)));
    ArrayNode ownLinks = known.putArray("ownLinks");
    Map<String, MachineView.Own> own = new TreeMap<>(view.own());
    own.keySet().removeIf(visible.negate());
    own.forEach(
        (user, told) -> told.links().forEach(link -> ownLinks.add(link(link).put("user", user))));
    return known;
  }

  private static ObjectNode machine(
      MachineFigures figures, MachineView view, Predicate<String> visible) {
    ObjectNode machine =
        JSON.createObjectNode()
            .put("machine", figures.machine())
            .put("attempts", figures.attempts())
            .put("outliers", figures.outliers())
            .put("slow", view.isSlow(figures));
    List<String> users = view.slowForOnly(figures).stream().filter(visible).toList();
    if (!users.isEmpty()) {
      machine.set("slowFor", JSON.valueToTree(users));
    }
    figures.probability().ifPresent(p -> machine.put("outlierProbability", p));
    figures.lossProbability().ifPresent(p -> machine.put("lossProbability", p));
    return machine;
  }

  /** Returns the machines that are in quarantine, or would be. */
  static ObjectNode quarantine(NodeQuarantine quarantine) {
    ObjectNode known =
        JSON.createObjectNode()
            .put("mode", word(quarantine.mode()))
            .put("off", quarantine.breaker().isOpen())
            .put("closed", quarantine.closed())
            .put("found", quarantine.begun());
    ArrayNode machines = known.putArray("machines");
    for (Quarantined one : quarantine.machines()) {
      machines
          .addObject()
          .put("machine", one.machine())
          .put("cause", one.cause().name().toLowerCase(Locale.ROOT))
          .put("closed", one.closed())
          .put("ranSeconds", one.ranSeconds())
          .put("leftSeconds", one.leftSeconds())
          .put("times", one.times())
          .put("why", one.why());
    }
    return known;
  }

  private static ObjectNode link(RackBandwidth bandwidth) {
    ObjectNode link = JSON.createObjectNode().put("rack", bandwidth.rack());
    bandwidth.up().ifPresent(up -> link.put("upBytesPerSecond", up));
    bandwidth.down().ifPresent(down -> link.put("downBytesPerSecond", down));
    return link;
  }
}
