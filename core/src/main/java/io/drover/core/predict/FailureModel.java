// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import io.drover.core.predict.EndedJob.Features;
import io.drover.core.predict.model.Classifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Tells of a job that arrives whether it will fail. Immutable. */
public final class FailureModel {
  private final Classifier classifier;
  private final Set<FeatureSet> sets;
  private final double graceSeconds;
  private final int[] places;
  private final double threshold;
  private final TrainedOn trainedOn;
  private final Map<String, Double> importance;

  /**
   * What a model was made of.
   *
   * @param jobs the jobs that it was trained on
   * @param failures those of them that failed
   * @param checked the latest of them, on which the threshold was chosen
   * @param misjudged the share of the checked jobs that were good and would have been ended
   * @param saved the share of the machine time of failing checked jobs that would have been saved;
   *     NaN if none failed
   */
  public record TrainedOn(int jobs, int failures, int checked, double misjudged, double saved) {}

  /**
   * A call.
   *
   * @param score the log-odds that the job fails
   * @param failing whether it is called failing
   */
  public record Call(double score, boolean failing) {}

  /**
   * What a feature adds to a score.
   *
   * @param feature its name
   * @param value its value; NaN if it is not known
   * @param adds log-odds, compared with a job that is average in everything
   */
  public record Reason(String feature, double value, double adds) {}

  /**
   * Creates a model.
   *
   * @param checked the jobs by which the importance of features is told
   */
  FailureModel(
      Classifier classifier,
      TrainingSettings settings,
      double threshold,
      TrainedOn trainedOn,
      List<EndedJob> checked) {
    this.classifier = classifier;
    this.sets = settings.sets();
    this.graceSeconds = settings.graceSeconds();
    this.places = FeatureSet.places(sets);
    this.threshold = threshold;
    this.trainedOn = trainedOn;
    this.importance = importance(checked);
  }

  private Map<String, Double> importance(List<EndedJob> checked) {
    List<String> names = FeatureSet.names(sets);
    double[] sums = new double[names.size()];
    for (EndedJob job : checked) {
      double[] adds = classifier.contributions(job.features().at(places));
      for (int j = 0; j < sums.length; j++) {
        sums[j] += Math.abs(adds[j]) / checked.size();
      }
    }
    Map<String, Double> greatestFirst = new LinkedHashMap<>();
    IntStream.range(0, sums.length)
        .boxed()
        .sorted(Comparator.comparingDouble(j -> -sums[j]))
        .forEach(j -> greatestFirst.put(names.get(j), sums[j]));
    return Collections.unmodifiableMap(greatestFirst);
  }

  /** Returns the grace period for which the threshold was chosen, seconds. */
  double graceSeconds() {
    return graceSeconds;
  }

  /** Returns the score above which jobs are called failing; infinite if none are. */
  public double threshold() {
    return threshold;
  }

  /** Returns what the model was made of. */
  public TrainedOn trainedOn() {
    return trainedOn;
  }

  /** Returns the score of a job that is average in everything. */
  public double base() {
    return classifier.base();
  }

  /**
   * Returns how much each feature changes the score of a job, on average over the jobs that were
   * checked: the most important first.
   */
  public Map<String, Double> importance() {
    return importance;
  }

  /** Judges a job by its features. */
  public Call call(Features features) {
    double score = classifier.score(features.at(places));
    return new Call(score, score > threshold);
  }

  /** Returns why a job has its score: all features, the most important first. */
  public List<Reason> reasons(Features features) {
    double[] values = features.at(places);
    double[] adds = classifier.contributions(values);
    List<String> names = FeatureSet.names(sets);
    List<Reason> reasons = new ArrayList<>();
    for (int j = 0; j < adds.length; j++) {
      reasons.add(new Reason(names.get(j), values[j], adds[j]));
    }
    reasons.sort(Comparator.comparingDouble(reason -> -Math.abs(reason.adds())));
    return reasons;
  }
}
