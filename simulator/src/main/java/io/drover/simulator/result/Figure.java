// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/** One number that says how well a scheme did: its place in the JSON, and where it comes from. */
public enum Figure {
  PHASE_P25("phaseReduction", "p25", of -> of.phaseTime().at(0.25)),
  PHASE_P50("phaseReduction", "p50", of -> of.phaseTime().at(0.5)),
  PHASE_P75("phaseReduction", "p75", of -> of.phaseTime().at(0.75)),
  PHASE_P90("phaseReduction", "p90", of -> of.phaseTime().at(0.9)),
  RESOURCE_P25("resourceReduction", "p25", of -> of.phaseSlots().at(0.25)),
  RESOURCE_P50("resourceReduction", "p50", of -> of.phaseSlots().at(0.5)),
  RESOURCE_P75("resourceReduction", "p75", of -> of.phaseSlots().at(0.75)),
  RESOURCE_P90("resourceReduction", "p90", of -> of.phaseSlots().at(0.9)),
  RESOURCE_TOTAL("resourceReduction", "total", Comparison::slots),
  JOB_MEAN("jobReduction", "mean", Comparison::meanJobTime),
  JOB_SMALL("jobReduction", "small", Comparison::meanSmallJobTime),
  JOB_P50("jobReduction", "p50", of -> of.jobTime().at(0.5)),
  UTILISATION("", "utilisation", of -> OptionalDouble.of(of.utilisation())),
  RESTARTS_PER_TASK("", "restartsPerTask", of -> OptionalDouble.of(of.restartsPerTask())),
  RESTART_SUCCESS("", "restartSuccess", Comparison::restartSuccess),
  CLONES_PER_TASK("", "clonesPerTask", of -> OptionalDouble.of(of.clonesPerTask())),
  RECOMPUTATIONS_PER_TASK(
      "", "recomputationsPerTask", of -> OptionalDouble.of(of.recomputationsPerTask()));

  private final String group;
  private final String key;
  private final Function<Comparison, OptionalDouble> source;

  Figure(String group, String key, Function<Comparison, OptionalDouble> source) {
    this.group = group;
    this.key = key;
    this.source = source;
  }

  /** The JSON object that it stands in; empty for the scheme's own. */
  public String group() {
    return group;
  }

  /** Its key in that object. */
  public String key() {
    return key;
  }

  /** All that are known. */
  public static Map<Figure, Double> of(Comparison comparison) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    for (Figure figure : values()) {
      figure.in(comparison).ifPresent(value -> figures.put(figure, value));
    }
    return Collections.unmodifiableMap(figures);
  }

  /** Its value; empty where there was nothing to be measured. */
  public OptionalDouble in(Comparison comparison) {
    return source.apply(comparison);
  }
}
