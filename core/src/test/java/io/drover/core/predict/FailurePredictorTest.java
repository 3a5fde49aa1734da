// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.predict.FailurePredictor.Judgement;
import io.drover.core.predict.FailurePredictor.Turned;
import io.drover.core.predict.JobRequests.Spread;
import io.drover.core.predict.model.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailurePredictorTest {
  private static final double GRACE = 1200;
  private static final JobRequests REQUESTS =
      new JobRequests(3, Spread.same(1), Spread.same(1024), Spread.UNKNOWN, Spread.same(0));

  private final FailurePredictor predictor = predictor();

  private double now;
  private int number;

  private static FailurePredictor predictor() {
    return new FailurePredictor(settings(GRACE, 0.02), 0.1);
  }

  private static TrainingSettings settings(double grace, double mostMisjudged) {
    return new TrainingSettings(
        Method.LR,
        Set.of(FeatureSet.HISTORY),
        Duration.ofDays(10),
        Duration.ofSeconds((long) grace),
        mostMisjudged,
        10_000);
  }

  private String submit(String program, boolean mayEnd) {
    String id = "application_" + now + "_" + number++;
    predictor.submitted(new JobArrival(id, now, "u-" + program, "q", program, 0), mayEnd, true);
    return id;
  }

  private void run(String program, double seconds, JobOutcome outcome) {
    String id = submit(program, true);
    predictor.described(id, REQUESTS, now);
    predictor.started(id, now);
    now += seconds;
    predictor.ended(id, now, outcome);
  }

  /** Lets two programs run, of which one always fails, and trains a model. */
  @BeforeEach
  void learn() {
    for (int i = 0; i < 100; i++) {
      run("bad", 1500, JobOutcome.FAILED);
      for (int k = 0; k < 4; k++) {
        run("good", 60, JobOutcome.SUCCEEDED);
      }
    }
    predictor.use(predictor.training(now).run());
    assertThat(predictor.model()).isPresent();
  }

  /** Submits jobs of the bad program until one is, or is not, a control. */
  private String bad(boolean isControl, boolean mayEnd) {
    while (true) {
      String id = submit("bad", mayEnd);
      predictor.described(id, REQUESTS, now);
      Judgement judgement =
          predictor.calledFailing().stream()
              .filter(called -> called.job().id().equals(id))
              .findFirst()
              .orElseThrow();
      if (judgement.isControl() == isControl) {
        return id;
      }
      predictor.ended(id, now, JobOutcome.KILLED);
    }
  }

  @Test
  void jobOfAProgramThatFailsIsCalledFailingWithReasons() {
    String bad = bad(false, true);
    assertThat(predictor.isCalledFailing(bad)).isTrue();
    assertThat(predictor.calledFailing()).anySatisfy(j -> assertThat(j.reasons()).hasSize(5));
    String good = submit("good", true);
    predictor.described(good, REQUESTS, now);
    assertThat(predictor.isCalledFailing(good)).isFalse();
  }

  @Test
  void itMayRunForTheGracePeriodFromItsStart() {
    predictor.ends(true);
    String id = bad(false, true);
    now += 500; // waits
    assertThat(predictor.order(id, true, now)).hasValue(GRACE);
    predictor.started(id, now);
    assertThat(predictor.order(id, true, now + 200)).hasValue(GRACE - 200);
    assertThat(predictor.order(id, true, now + 5000)).hasValue(0);
  }

  @Test
  void longerGraceHoldsAtOnceAndAShorterOneWithTheNextModel() {
    predictor.ends(true);
    String id = bad(false, true);
    predictor.started(id, now);
    predictor.configure(settings(2 * GRACE, 0.02), 0.1);
    assertThat(predictor.order(id, true, now)).hasValue(2 * GRACE);
    predictor.configure(settings(GRACE / 2, 0.02), 0.1);
    assertThat(predictor.order(id, true, now)).hasValue(GRACE);
    predictor.use(predictor.training(now).run());
    assertThat(predictor.model()).isPresent();
    assertThat(predictor.order(id, true, now)).hasValue(GRACE / 2);
  }

  @Test
  void moreControlsHoldAtOnce() {
    predictor.ends(true);
    String id = bad(false, true);
    predictor.configure(settings(GRACE, 0.02), 1);
    assertThat(predictor.order(id, true, now)).isEmpty();
  }

  @Test
  void withFewerControlsThoseThatAreCalledStayControlsAndStandForAsMany() {
    predictor.ends(true);
    predictor.configure(settings(GRACE, 0.02), 0.5);
    List<String> controls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      controls.add(bad(true, true));
    }
    predictor.configure(settings(GRACE, 0.02), 0.1);
    assertThat(controls).allSatisfy(id -> assertThat(predictor.order(id, true, now)).isEmpty());
    assertThat(endOf(controls.get(0))).isEqualTo(2);
    predictor.configure(settings(GRACE, 0.02), 1);
    predictor.configure(settings(GRACE, 0.02), 0.1);
    assertThat(endOf(controls.get(1))).as("all were let go on meanwhile").isEqualTo(1);
  }

  /** Returns for how many jobs one stands that ends after its grace period. */
  private int endOf(String id) {
    predictor.started(id, now);
    return predictor.ended(id, now + 2000, JobOutcome.FAILED).orElseThrow().ended().standsFor();
  }

  @Test
  void nothingEndsInObserveNorControlsNorExemptJobs() {
    String id = bad(false, true);
    predictor.started(id, now);
    assertThat(predictor.order(id, true, now)).isEmpty(); // observe
    predictor.ends(true);
    assertThat(predictor.order(id, true, now)).isPresent();
    assertThat(predictor.order(bad(true, true), true, now)).isEmpty();
    assertThat(predictor.order(bad(false, false), true, now)).isEmpty();
    assertThat(predictor.order("?", true, now)).isEmpty();
  }

  @Test
  void jobThatWasEndedTeachesNothing() {
    predictor.ends(true);
    int known = predictor.known();
    String id = bad(false, true);
    predictor.started(id, now);
    int withLeft = predictor.known();
    assertThat(predictor.order(id, true, now + GRACE + 1))
        .hasValue(0); // which its AppMaster is told
    assertThat(predictor.ended(id, now + GRACE + 1, JobOutcome.KILLED)).isEmpty();
    assertThat(predictor.known()).isEqualTo(withLeft).isGreaterThanOrEqualTo(known);
    assertThat(predictor.turned()).containsEntry(Turned.ENDED, 1L);
  }

  @Test
  void jobThatItsUserEndsIsLearntFrom() {
    predictor.ends(true);
    String id = bad(false, true);
    predictor.started(id, now);
    assertThat(predictor.order(id, true, now + 10)).isPresent(); // and is not due
    assertThat(predictor.ended(id, now + 20, JobOutcome.KILLED)).isPresent();
  }

  @Test
  void jobWhoseOrderWasWithdrawnIsLearntFrom() {
    predictor.ends(true);
    String exempt = bad(false, true);
    predictor.started(exempt, now);
    assertThat(predictor.order(exempt, true, now + GRACE + 1)).hasValue(0);
    assertThat(predictor.order(exempt, false, now + GRACE + 2)).isEmpty();
    assertThat(predictor.ended(exempt, now + GRACE + 62, JobOutcome.KILLED)).isPresent();
    String observed = bad(false, true);
    predictor.started(observed, now);
    assertThat(predictor.order(observed, true, now + GRACE + 1)).hasValue(0);
    predictor.ends(false);
    assertThat(predictor.order(observed, true, now + GRACE + 2)).isEmpty();
    assertThat(predictor.ended(observed, now + GRACE + 62, JobOutcome.KILLED)).isPresent();
    assertThat(predictor.turned()).doesNotContainKey(Turned.ENDED);
  }

  @Test
  void jobThatEndsJustAfterItsOrderWasWithdrawnWasEndedByIt() {
    predictor.ends(true);
    String ending = bad(false, true);
    predictor.started(ending, now);
    assertThat(predictor.order(ending, true, now + GRACE + 1)).hasValue(0);
    predictor.ends(false);
    assertThat(predictor.order(ending, true, now + GRACE + 2)).isEmpty();
    predictor.ended(ending, now + GRACE + 50, JobOutcome.KILLED);
    assertThat(predictor.turned()).containsEntry(Turned.ENDED, 1L);
  }

  @Test
  void onlyJobsThatWouldBeEndedAreWorthLess() {
    assertThat(predictor.successProbability(bad(false, true)).getAsDouble()).isBetween(0.05, 0.5);
    assertThat(predictor.successProbability(bad(true, true))).isEmpty(); // a control
    assertThat(predictor.successProbability(bad(false, false))).isEmpty(); // exempt
    String good = submit("good", true);
    predictor.described(good, REQUESTS, now);
    assertThat(predictor.successProbability(good)).isEmpty();
    assertThat(predictor.successProbability("?")).isEmpty();
  }

  @Test
  void secondAttemptsAreCountedByHowTheirJobsTurnOut() {
    String bad = bad(false, true);
    predictor.started(bad, now);
    predictor.secondAttempt(bad, 30, 100);
    predictor.secondAttempt(bad, 12, 100);
    predictor.secondAttempt("?", 1000, 1e6);
    predictor.ended(bad, now + 2000, JobOutcome.FAILED);
    String wrong = bad(false, true);
    predictor.secondAttempt(wrong, 1e9, 5); // more than its containers ran
    predictor.ended(wrong, now + 2000, JobOutcome.SUCCEEDED);
    for (String spared : List.of(bad(true, true), bad(false, false))) { // a control, an exempt one
      predictor.secondAttempt(spared, 7, 100);
      predictor.ended(spared, now + 2000, JobOutcome.FAILED);
    }
    assertThat(predictor.secondAttempts())
        .containsEntry(Turned.FAILED_AS_CALLED, 42.0)
        .hasEntrySatisfying(Turned.CALLED_WRONGLY, s -> assertThat(s).isEqualTo(5));
  }

  @Test
  void controlStandsForThoseThatWereEnded() {
    predictor.ends(true);
    String control = bad(true, true);
    predictor.started(control, now);
    KeptJob kept = predictor.ended(control, now + 2000, JobOutcome.SUCCEEDED).orElseThrow();
    assertThat(kept.ended().standsFor()).isEqualTo(10);
    assertThat(kept.isMisjudged()).isTrue();
    predictor.ends(false); // then all go on
    String other = bad(true, true);
    predictor.started(other, now);
    assertThat(predictor.ended(other, now + 2000, JobOutcome.FAILED).orElseThrow().ended())
        .satisfies(job -> assertThat(job.standsFor()).isEqualTo(1));
  }

  @Test
  void jobsThatWereThereBeforeOrAreDescribedLateAreNotCalled() {
    JobArrival before = new JobArrival("before", now - 9000, "u-bad", "q", "bad", 0);
    predictor.submitted(before, true, false);
    predictor.started("before", now - 9000);
    predictor.described("before", REQUESTS, now);
    assertThat(predictor.isCalledFailing("before")).isFalse();
    assertThat(predictor.ended("before", now, JobOutcome.FAILED)).isEmpty();
    String late = submit("bad", true);
    predictor.started(late, now);
    predictor.described(late, REQUESTS, now + 3600);
    assertThat(predictor.isCalledFailing(late)).isFalse();
  }

  @Test
  void graceBeginsWithTheCall() {
    predictor.ends(true);
    String id;
    do {
      id = submit("bad", true);
      predictor.started(id, now);
      predictor.described(id, REQUESTS, now + 300);
    } while (predictor.order(id, true, now).isEmpty()); // a control
    assertThat(predictor.order(id, true, now + 300)).hasValue(GRACE);
    assertThat(predictor.order(id, true, now + 400)).hasValue(GRACE - 100);
  }

  @Test
  void whatWasKeptRestoresTheGuardAsWell() {
    FailurePredictor next = predictor();
    List<KeptJob> kept = new ArrayList<>();
    while (!predictor.isStopped()) {
      String control = bad(false, true);
      predictor.started(control, now);
      now += 2000;
      predictor.ended(control, now, JobOutcome.SUCCEEDED).ifPresent(kept::add);
    }
    next.restore(kept);
    assertThat(next.known()).isEqualTo(kept.size()).isPositive();
    assertThat(next.isStopped()).isTrue();
  }

  @Test
  void callsAreComparedWithHowJobsTurnOut() {
    String bad = bad(false, true);
    predictor.started(bad, now);
    predictor.ended(bad, now + 2000, JobOutcome.FAILED);
    String good = submit("good", true);
    predictor.described(good, REQUESTS, now);
    predictor.ended(good, now + 10, JobOutcome.SUCCEEDED);
    assertThat(predictor.turned())
        .containsEntry(Turned.FAILED_AS_CALLED, 1L)
        .containsEntry(Turned.GOOD_AS_CALLED, 1L);
  }

  @Test
  void predictorThatMisjudgesTooManyStopsToEnd() {
    predictor.ends(true);
    String waiting = bad(false, true);
    assertThat(predictor.order(waiting, true, now)).isPresent();
    for (int i = 0; i < 30; i++) {
      String control = bad(true, true);
      predictor.started(control, now);
      now += 2000;
      predictor.ended(control, now, JobOutcome.SUCCEEDED); // the program has been mended
    }
    assertThat(predictor.isStopped()).isTrue();
    assertThat(predictor.order(waiting, true, now)).isEmpty();
  }

  @Test
  void guardGoesByTheShareThatIsAllowedNow() {
    predictor.ends(true);
    predictor.configure(settings(GRACE, 0.5), 0.1);
    for (int i = 0; i < 5; i++) {
      String control = bad(true, true);
      predictor.started(control, now);
      now += 2000;
      predictor.ended(control, now, JobOutcome.SUCCEEDED); // stands for ten
      for (int k = 0; k < 20; k++) {
        run("good", 60, JobOutcome.SUCCEEDED);
      }
    }
    assertThat(predictor.isStopped()).isFalse();
    predictor.configure(settings(GRACE, 0.02), 0.1);
    run("good", 60, JobOutcome.SUCCEEDED);
    assertThat(predictor.isStopped()).isTrue();
  }

  @Test
  void aboutAsManyJobsAreControlsAsAsked() {
    int controls = 0;
    for (int i = 0; i < 2000; i++) {
      String id = submit("bad", true);
      predictor.described(id, REQUESTS, now);
    }
    for (Judgement judgement : predictor.calledFailing()) {
      controls += judgement.isControl() ? 1 : 0;
    }
    assertThat(controls).isBetween(150, 250);
  }
}
