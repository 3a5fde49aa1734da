// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import io.drover.core.config.Mode;
import io.drover.core.config.PredictionSettings;
import io.drover.core.predict.FailureModel.TrainedOn;
import io.drover.core.predict.FailurePredictor;
import io.drover.core.predict.FailurePredictor.Judgement;
import io.drover.core.predict.FailurePredictor.Turned;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What has been predicted.
 *
 * @param mode the administrator's
 * @param known how many applications a model can be trained on
 * @param model what the model in use was made of; empty if there is none yet
 * @param failing the running applications that are called failing, the eldest first
 * @param turned how many calls have turned out how
 * @param secondAttempts whether jobs that are called failing have fewer second attempts
 * @param secondAttemptSeconds how long second attempts of applications ran whose calls have turned
 *     out how, seconds
 * @param misjudged the share of lately judged applications that are good and were or would have
 *     been ended; NaN if there were none
 * @param isStopped whether that share is too large: none is ended then, or would be
 * @param at seconds
 */
public record PredictionStatus(
    Mode mode,
    int known,
    Optional<TrainedOn> model,
    List<Judgement> failing,
    Map<Turned, Long> turned,
    Mode secondAttempts,
    Map<Turned, Double> secondAttemptSeconds,
    double misjudged,
    boolean isStopped,
    double at) {
  static final PredictionStatus NOTHING =
      new PredictionStatus(
          Mode.OFF,
          0,
          Optional.empty(),
          List.of(),
          Map.of(),
          Mode.OFF,
          Map.of(),
          Double.NaN,
          false,
          0);

  /** Returns whether none is ended because too many good ones would be. */
  public boolean isEndingStopped() {
    return isStopped && mode == Mode.ON;
  }

  static PredictionStatus of(
      FailurePredictor predictor,
      PredictionSettings settings,
      List<Judgement> failing,
      double now) {
    return new PredictionStatus(
        settings.mode(),
        predictor.known(),
        predictor.model().map(model -> model.trainedOn()),
        failing,
        predictor.turned(),
        settings.secondAttempts(),
        predictor.secondAttempts(),
        predictor.misjudged(),
        predictor.isStopped(),
        now);
  }
}
