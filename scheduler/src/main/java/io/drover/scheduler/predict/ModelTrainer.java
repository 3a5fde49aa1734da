// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import io.drover.core.containment.CircuitBreaker;
import io.drover.core.predict.FailureModel;
import io.drover.core.predict.FailurePredictor;
import io.drover.core.predict.FailurePredictor.PreparedTraining;
import io.drover.core.predict.TrainingSettings;
import io.drover.scheduler.containment.DaemonExecutors;
import io.drover.scheduler.containment.FatalErrors;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains models on a thread of its own, and gives them to the predictor on the predictor's thread.
 * That thread alone calls {@link #train}.
 */
final class ModelTrainer {
  private static final Logger LOG = LoggerFactory.getLogger(ModelTrainer.class);

  /** How often it is tried to train a model while the last try has given none, seconds. */
  private static final double PATIENCE_WITHOUT_A_MODEL = 600;

  private final FailurePredictor predictor;
  private final Executor own;
  private final CircuitBreaker breaker;
  private final DoubleSupplier now;
  private final ScheduledExecutorService thread = DaemonExecutors.single("Drover training");
  private double triedAt = Double.NEGATIVE_INFINITY;
  private double modelAt = Double.NEGATIVE_INFINITY;
  private int triedWith;
  private TrainingSettings triedFor;

  /** Whether the last try has given no model that is used, whatever the reason. */
  private boolean isMissing = true;

  private boolean isTraining;
  private boolean isStopped;

  /**
   * Creates a trainer.
   *
   * @param own the predictor's thread
   * @param breaker contains errors
   * @param now seconds, on the predictor's clock
   */
  ModelTrainer(
      FailurePredictor predictor, Executor own, CircuitBreaker breaker, DoubleSupplier now) {
    this.predictor = predictor;
    this.own = own;
    this.breaker = breaker;
    this.now = now;
  }

  /** Stops. A training that runs is interrupted, and what comes of it is ignored. */
  synchronized void stop() {
    isStopped = true;
    thread.shutdownNow();
  }

  private synchronized boolean isStopped() {
    return isStopped;
  }

  /** Lets a thread do something if this has not been stopped. */
  private synchronized void next(Executor executor, Runnable step) {
    if (!isStopped) {
      executor.execute(step);
    }
  }

  /**
   * Trains a model in time, and for new settings; without one, also whenever there are a quarter
   * more jobs. If that gives none, it is tried again soon.
   *
   * @param retrain how often, if all goes well
   */
  void train(Duration retrain) {
    double at = now.getAsDouble();
    boolean isFirst = predictor.model().isEmpty();
    double usual = retrain.toMillis() / 1e3;
    double period = isMissing ? Math.min(usual, PATIENCE_WITHOUT_A_MODEL) : usual;
    TrainingSettings wanted = predictor.settings();
    boolean isDue =
        at - triedAt >= period
            || !wanted.equals(triedFor)
            || (isFirst && 4 * predictor.known() > 5 * triedWith);
    if (isDue && !isTraining && predictor.known() > 0) {
      isTraining = true;
      isMissing = true;
      triedAt = at;
      triedFor = wanted;
      triedWith = predictor.known();
      PreparedTraining training = predictor.training(at);
      next(thread, FatalErrors.toHandler(() -> run(training)));
    }
  }

  /** Runs on the training thread. */
  private void run(PreparedTraining training) {
    Optional<FailureModel> trained = Optional.empty();
    try {
      trained = training.run();
    } catch (Throwable e) {
      if (!isStopped() || CircuitBreaker.isFatal(e)) {
        breaker.failed(e);
      }
    } finally {
      Optional<FailureModel> made = trained;
      next(own, () -> use(made));
    }
  }

  /** Uses a new model. Without one, the one in use is given up when all of its jobs are too old. */
  private void use(Optional<FailureModel> made) {
    isTraining = false;
    double window = predictor.settings().window().toMillis() / 1e3;
    boolean isOld = now.getAsDouble() - modelAt > window;
    if ((made.isPresent() || isOld) && breaker.run(() -> predictor.use(made))) {
      made.ifPresent(this::used);
    }
  }

  private void used(FailureModel model) {
    isMissing = false;
    modelAt = now.getAsDouble();
    LOG.info(
        "A model of {} applications, of which {} failed, calls those that arrive",
        model.trainedOn().jobs(),
        model.trainedOn().failures());
  }
}
