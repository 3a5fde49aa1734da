// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import io.drover.core.predict.FailureModel.TrainedOn;
import io.drover.core.predict.model.Classifier;
import io.drover.core.predict.model.Examples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Trains a model on the jobs of a window.
 *
 * <p>Source: slides, "Methodology": a new model every day, of the jobs in a sliding window. The
 * source does not say how jobs are called by their scores. Here the threshold is chosen by what it
 * costs: a classifier of the older jobs scores the newest fifth, and the lowest threshold is taken
 * at which few enough of these would have been good and ended. Then a classifier is trained on all
 * of them. The threshold must be found on jobs that the classifier has not seen, because it is too
 * sure of those that it has.
 */
public final class Training {
  /** The share of the jobs on which the threshold is chosen. */
  private static final double CHECKED = 0.2;

  /**
   * The part of the allowed share of misjudged jobs for which the threshold is chosen. Some days
   * are worse than the checked ones: on days 3 to 9 of Google's trace 0.8 gave 0.97 %, 1 gave 1.17
   * %.
   */
  private static final double MARGIN = 0.8;

  private static final int SHOWN = 1_000;

  /** With fewer failing or good jobs nothing is trained. */
  static final int LEAST = 10;

  private final TrainingSettings settings;

  /** Creates a training. */
  public Training(TrainingSettings settings) {
    this.settings = settings;
  }

  /**
   * Trains a model. The same jobs give the same model.
   *
   * @param jobs in the order of their submission
   * @param now seconds; later jobs are left out, and those from before the window
   * @return empty if there are too few jobs of a kind
   */
  public Optional<FailureModel> train(List<EndedJob> jobs, double now) {
    List<EndedJob> window = window(jobs, now);
    int older = (int) Math.ceil(window.size() * (1 - CHECKED));
    List<EndedJob> first = window.subList(0, older);
    List<EndedJob> checked = window.subList(older, window.size());
    Optional<Classifier> early = fit(first);
    if (early.isEmpty()) {
      return Optional.empty();
    }
    Chosen chosen = choose(early.get(), checked);
    long failures = window.stream().filter(EndedJob::hasFailed).count();
    TrainedOn trainedOn =
        new TrainedOn(
            window.size(), (int) failures, checked.size(), chosen.misjudged, chosen.saved);
    return fit(window)
        .map(all -> new FailureModel(all, settings, chosen.threshold, trainedOn, some(checked)));
  }

  /** Returns the jobs that were submitted in the window and have ended by now. */
  List<EndedJob> window(List<EndedJob> jobs, double now) {
    double from = now - settings.window().toMillis() / 1e3;
    List<EndedJob> window =
        jobs.stream().filter(job -> job.submittedAt() >= from && job.endedAt() <= now).toList();
    return window.subList(Math.max(0, window.size() - settings.mostJobs()), window.size());
  }

  /** Returns enough jobs to tell by which features matter. */
  private static List<EndedJob> some(List<EndedJob> checked) {
    return checked.subList(Math.max(0, checked.size() - SHOWN), checked.size());
  }

  private Optional<Classifier> fit(List<EndedJob> jobs) {
    int[] places = FeatureSet.places(settings.sets());
    List<double[]> features = new ArrayList<>();
    List<Boolean> outcomes = new ArrayList<>();
    for (EndedJob job : jobs) {
      double[] row = job.features().at(places);
      for (int copy = 0; copy < job.standsFor(); copy++) {
        features.add(row);
        outcomes.add(job.hasFailed());
      }
    }
    double[][] rows = features.toArray(double[][]::new);
    boolean[] failed = new boolean[rows.length];
    for (int i = 0; i < rows.length; i++) {
      failed[i] = outcomes.get(i);
    }
    Examples examples = new Examples(rows, failed);
    int good = examples.size() - examples.positives();
    return Math.min(good, examples.positives()) < LEAST
        ? Optional.empty()
        : Optional.of(settings.method().train(examples, FeatureSet.sizes(settings.sets())));
  }

  private record Chosen(double threshold, double misjudged, double saved) {}

  private record Scored(double score, EndedJob job) {}

  /**
   * Chooses a threshold that saves as much as the allowed share of misjudged jobs lets it, and
   * calls no more jobs than that needs: the last one above it is a failing job that would be ended.
   * One more job than was seen counts as misjudged, so that nothing is called while too few jobs
   * were checked to tell.
   */
  private Chosen choose(Classifier classifier, List<EndedJob> checked) {
    int[] places = FeatureSet.places(settings.sets());
    List<Scored> highestFirst =
        checked.stream()
            .map(job -> new Scored(classifier.score(job.features().at(places)), job))
            .sorted(Comparator.comparingDouble(scored -> -scored.score))
            .toList();
    int all = checked.stream().mapToInt(EndedJob::standsFor).sum();
    double most = settings.mostMisjudged() * MARGIN * (all + 1) - 1;
    int called = 0;
    int misjudged = 0;
    for (int i = 0; i < highestFirst.size(); i++) {
      EndedJob job = highestFirst.get(i).job;
      boolean isEnded = job.seconds() > settings.graceSeconds();
      misjudged += !job.hasFailed() && isEnded ? job.standsFor() : 0;
      if (misjudged > most) {
        break;
      }
      called = job.hasFailed() && isEnded ? i + 1 : called;
    }
    return chosen(highestFirst, called);
  }

  /** Returns a threshold below the scores of the first jobs; in the middle of the gap there. */
  private static double threshold(List<Scored> highestFirst, int most) {
    if (most == 0) {
      return Double.POSITIVE_INFINITY;
    }
    double last = highestFirst.get(most - 1).score;
    return most < highestFirst.size() ? (last + highestFirst.get(most).score) / 2 : last - 1;
  }

  /** Returns the threshold that calls at most the first jobs, and what they have come to. */
  private Chosen chosen(List<Scored> highestFirst, int most) {
    double threshold = threshold(highestFirst, most);
    double grace = settings.graceSeconds();
    double all = 0;
    double misjudged = 0;
    double saved = 0;
    double wasted = 0;
    for (Scored scored : highestFirst) {
      EndedJob job = scored.job;
      double weight = job.standsFor();
      boolean isEnded = scored.score > threshold && job.seconds() > grace;
      all += weight;
      wasted += job.hasFailed() ? weight * job.taskSeconds() : 0;
      saved += isEnded && job.hasFailed() ? weight * (job.seconds() - grace) * job.tasks() : 0;
      misjudged += isEnded && !job.hasFailed() ? weight : 0;
    }
    return new Chosen(threshold, misjudged / all, saved / wasted);
  }

  /** Sorts jobs as {@link #train} expects them. */
  public static void sort(List<EndedJob> jobs) {
    Collections.sort(jobs, Comparator.comparingDouble(EndedJob::submittedAt));
  }
}
