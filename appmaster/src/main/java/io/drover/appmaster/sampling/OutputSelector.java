// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.core.sampling.FinishForecast;
import io.drover.core.sampling.FinishForecast.Finish;
import io.drover.core.sampling.FinishForecast.Running;
import io.drover.core.sampling.LogNormalDurations;
import io.drover.core.sampling.OutputChoice;
import io.drover.core.sampling.OutputChoice.ChosenOutputs;
import io.drover.core.sampling.OutputProblem;
import io.drover.core.sampling.SamplingSettings;
import io.drover.core.sampling.TaskDurations;
import io.drover.core.sampling.WaitRule;
import io.drover.core.sampling.WaitRule.WaitDecision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides when enough of M maps are done, and of which K the reduces read the outputs (KMN sections
 * 4.2 and 4.3).
 *
 * <p>The reduces are assumed to read in every rack in proportion to the number of hosts on which
 * maps of the job run or have run there. They have no containers yet when this is decided. Until
 * outputs may be told apart by size ({@code mapreduce.drover.sample.choose-by-size}), they all
 * count with the mean size: see {@link OutputProblem#withEqualSizes}.
 */
final class OutputSelector {
  private static final double LEAST_PROGRESS = 0.05;

  private final SamplingSettings settings;
  private final boolean bySize;
  private final Optional<TaskDurations> history;
  private final Function<List<String>, Bandwidths> bandwidths;

  /**
   * A map that has succeeded.
   *
   * @param bytes size of its output
   * @param seconds how long its attempt took
   */
  record Done(int map, String host, String rack, double bytes, double seconds) {}

  /**
   * A map that runs.
   *
   * @param startedAt seconds
   * @param progress in [0,1]
   */
  record Going(int map, String host, String rack, double startedAt, double progress) {}

  /**
   * What is known of a job's maps.
   *
   * @param startedAt when the job's first map started, seconds
   * @param now seconds
   * @param done the earliest first, at least K
   */
  record Maps(double startedAt, double now, List<Done> done, List<Going> going) {}

  /**
   * What was decided.
   *
   * @param delay whether to wait, and until when
   * @param chosen indices into the maps that are done; meaningless if the reduces are to wait
   * @param racks number of racks
   */
  record Selection(WaitDecision delay, ChosenOutputs chosen, int racks) {
    /** Returns its figures by name, for the decision log. */
    Map<String, Object> fields() {
      return Map.of(
          "racks", racks,
          "busiestLinkSeconds", chosen.seconds(),
          "lowerBoundSeconds", chosen.lowerBound(),
          "crossRackBytes", Math.round(chosen.crossRackBytes()),
          "reason", delay.reason().name().toLowerCase(Locale.ROOT));
    }
  }

  /**
   * Creates a selector.
   *
   * @param bySize whether outputs count with their own sizes
   * @param history how long the maps of an earlier run took, if that is known
   * @param bandwidths returns the bandwidths of racks' links; any thread calls it
   */
  OutputSelector(
      SamplingSettings settings,
      boolean bySize,
      Optional<TaskDurations> history,
      Function<List<String>, Bandwidths> bandwidths) {
    this.settings = settings;
    this.bySize = bySize;
    this.history = history;
    this.bandwidths = bandwidths;
  }

  /** Returns the decision for K of the maps. May take some milliseconds. */
  Selection select(Maps maps, int needed) {
    List<Finish> coming = forecast(maps);
    Map<Integer, Going> going = new LinkedHashMap<>();
    maps.going().forEach(map -> going.put(map.map(), map));
    Map<String, Set<String>> hosts = new LinkedHashMap<>();
    maps.done().forEach(map -> see(hosts, map.rack(), map.host()));
    maps.going().forEach(map -> see(hosts, map.rack(), map.host()));
    List<String> racks = new ArrayList<>(hosts.keySet());
    List<Integer> rackOf = new ArrayList<>();
    maps.done().forEach(map -> rackOf.add(racks.indexOf(map.rack())));
    coming.forEach(finish -> rackOf.add(racks.indexOf(going.get(finish.task()).rack())));
    OutputProblem all = problem(maps.done(), rackOf, racks, hosts, needed);
    OutputProblem problem = bySize ? all : all.withEqualSizes();
    WaitDecision wait =
        new WaitRule(settings)
            .decide(
                maps.startedAt(),
                Math.max(maps.startedAt(), maps.now()),
                needed,
                maps.done().size(),
                coming.stream().mapToDouble(Finish::at).toArray(),
                first -> OutputChoice.leastLoaded(problem.ofFirst(first)).seconds());
    ChosenOutputs chosen = OutputChoice.leastLoaded(problem.ofFirst(maps.done().size()));
    return new Selection(wait, chosen, racks.size());
  }

  private static void see(Map<String, Set<String>> hosts, String rack, String host) {
    hosts.computeIfAbsent(rack, unused -> new HashSet<>()).add(host);
  }

  private OutputProblem problem(
      List<Done> done,
      List<Integer> rackOf,
      List<String> racks,
      Map<String, Set<String>> hosts,
      int needed) {
    double mean = done.stream().mapToDouble(Done::bytes).average().orElse(0);
    double[] bytes = new double[rackOf.size()];
    Arrays.setAll(bytes, i -> i < done.size() ? done.get(i).bytes() : mean);
    double all = hosts.values().stream().mapToInt(Set::size).sum();
    double[] share = racks.stream().mapToDouble(rack -> hosts.get(rack).size() / all).toArray();
    Bandwidths links = bandwidths.apply(racks);
    int[] rack = rackOf.stream().mapToInt(Integer::intValue).toArray();
    return new OutputProblem(needed, rack, bytes, share, links.up(), links.down());
  }

  /**
   * Forecasts the ends of the running maps: from their progress, else from an earlier run, else
   * from those that are done.
   */
  private List<Finish> forecast(Maps maps) {
    double now = maps.now();
    List<Running> running = maps.going().stream().map(map -> running(map, now)).toList();
    Optional<TaskDurations> fitted = fitted(maps);
    return history
        .map(past -> fitted.map(past::or).orElse(past))
        .or(() -> fitted)
        .map(durations -> FinishForecast.of(running, durations, now))
        .orElseGet(() -> FinishForecast.byProgress(running, now));
  }

  private Optional<TaskDurations> fitted(Maps maps) {
    double now = maps.now();
    double[] done =
        maps.done().stream().mapToDouble(map -> Math.max(1e-3, map.seconds())).toArray();
    double[] elapsed =
        maps.going().stream().mapToDouble(map -> Math.max(1e-3, now - map.startedAt())).toArray();
    return LogNormalDurations.fit(done, elapsed, settings.leastFinished())
        .map(durations -> durations);
  }

  private static Running running(Going map, double now) {
    double elapsed = now - map.startedAt();
    return new Running(
        map.map(),
        map.startedAt(),
        map.progress() < LEAST_PROGRESS
            ? OptionalDouble.empty()
            : OptionalDouble.of(map.startedAt() + elapsed / map.progress()));
  }
}
