// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.containment.CircuitBreaker;
import io.drover.core.predict.FailureModel;
import io.drover.core.predict.FailurePredictor;
import io.drover.core.predict.JobArrival;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.JobRequests;
import io.drover.core.predict.TrainingSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModelTrainerTest {
  private static final Duration RETRAIN = Duration.ofDays(1);

  private final FailurePredictor predictor = new FailurePredictor(TrainingSettings.DEFAULT, 0.1);
  private final CircuitBreaker breaker =
      new CircuitBreaker("Predicting", System::nanoTime, () -> {});
  private final BlockingQueue<Runnable> own = new LinkedBlockingQueue<>();
  private final ModelTrainer trainer =
      new ModelTrainer(predictor, own::add, breaker, () -> this.now);
  private double now;

  @BeforeEach
  void see() {
    for (int i = 0; i < 500; i++) {
      String id = "j" + i;
      String program = i % 5 == 0 ? "bad" : "good";
      predictor.submitted(new JobArrival(id, now, "u", "q", program, 0), true, true);
      predictor.described(id, JobRequests.UNKNOWN, now);
      predictor.started(id, now);
      now += i % 5 == 0 ? 1500 : 60;
      predictor.ended(id, now, i % 5 == 0 ? JobOutcome.FAILED : JobOutcome.SUCCEEDED);
    }
  }

  @AfterEach
  void stop() {
    trainer.stop();
  }

  /** Trains if that is due, and returns the model that is in use then. */
  private Optional<FailureModel> trainDue() throws InterruptedException {
    trainer.train(RETRAIN);
    Runnable use = own.poll(2, TimeUnit.MINUTES);
    assertThat(use).as("it is due").isNotNull();
    use.run();
    return predictor.model();
  }

  private void assertThatNoneIsDue() throws InterruptedException {
    trainer.train(RETRAIN);
    assertThat(own.poll(300, TimeUnit.MILLISECONDS)).isNull();
  }

  @Test
  void modelThatIsInUseIsGoodForItsTime() throws Exception {
    Optional<FailureModel> first = trainDue();
    assertThat(first).isPresent();
    now += RETRAIN.toSeconds() - 1;
    assertThatNoneIsDue();
    now += 1;
    assertThat(trainDue()).isPresent().isNotEqualTo(first);
  }

  @Test
  void modelThatCouldNotBeUsedIsTriedAgainSoon() throws Exception {
    Optional<FailureModel> first = trainDue();
    predictor.configure(TrainingSettings.DEFAULT.of(400), 0.1);
    for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
      breaker.failed(new IllegalStateException("another part"));
    }
    assertThat(trainDue()).isEqualTo(first);
    breaker.reset();
    now += 599;
    assertThatNoneIsDue();
    now += 1;
    assertThat(trainDue()).isPresent().isNotEqualTo(first);
  }

  @Test
  void newSettingsThatGiveNoModelYetAreTriedAgainSoon() throws Exception {
    Optional<FailureModel> first = trainDue();
    predictor.configure(TrainingSettings.DEFAULT.of(5), 0.1);
    assertThat(trainDue()).as("too few jobs").isPresent().isEqualTo(first);
    now += 600;
    trainDue();
  }

  @Test
  void trainingThatAStopInterruptsCountsAsNoFailure() throws Exception {
    trainer.train(RETRAIN);
    trainer.stop();
    assertThat(own.poll(2, TimeUnit.SECONDS)).as("what is not used").isNull();
    now += RETRAIN.toSeconds();
    trainer.train(RETRAIN); // a round that runs on
    assertThat(breaker.failures()).isZero();
  }
}
