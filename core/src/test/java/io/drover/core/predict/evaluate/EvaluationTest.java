// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.predict.EndedJob;
import io.drover.core.predict.FeatureSet;
import io.drover.core.predict.JobArrival;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.JobRequests;
import io.drover.core.predict.JobRequests.Spread;
import io.drover.core.predict.TrainingSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EvaluationTest {
  private static final double DAY = 86_400;
  private static final double GRACE = 100;

  private static JudgedJob judged(
      double day, double score, boolean failing, double seconds, boolean failed) {
    double[] features = new double[72];
    Arrays.fill(features, Double.NaN);
    features[FeatureSet.STATIC.names().indexOf("cpu mean")] = Math.log1p(2);
    features[FeatureSet.STATIC.names().indexOf("ram mean")] = Math.log1p(3);
    EndedJob job =
        new EndedJob(
            new EndedJob.Features(features),
            day * DAY,
            day * DAY + seconds,
            seconds,
            5,
            failed ? JobOutcome.FAILED : JobOutcome.SUCCEEDED);
    return new JudgedJob(job, score, failing);
  }

  private static Evaluation of(List<JudgedJob> jobs) {
    return new Evaluation(jobs, GRACE, new SplittableRandom(1));
  }

  @Test
  void figuresAreTheirDefinitions() {
    Evaluation of =
        of(
            List.of(
                judged(0, 9, true, 500, true), // ended, 400 s saved
                judged(0, 8, true, 50, true), // fails before
                judged(0, 7, true, 300, false), // good, and ended
                judged(0, 6, true, 60, false), // good, and ends before
                judged(0, 5, false, 450, true), // missed
                judged(0, 4, false, 640, false)));
    assertThat(of.jobs()).isEqualTo(6);
    assertThat(of.failures()).isEqualTo(3);
    assertThat(of.fn().value()).isEqualTo(2 / 6.0);
    assertThat(of.mr().value()).isEqualTo(3 / 6.0);
    assertThat(of.mfn().value()).isEqualTo(1 / 6.0);
    assertThat(of.precision().value()).isEqualTo(0.5);
    assertThat(of.recall().value()).isEqualTo(2 / 3.0);
    assertThat(of.savedOfFailing().value()).isEqualTo(400 / 1000.0);
    assertThat(of.savedTaskTimeOfFailing().value()).isEqualTo(400 / 1000.0);
    assertThat(of.rrw().get("time").value()).isEqualTo(600 / 2000.0);
    assertThat(of.rrw().get("cpu").value()).isCloseTo(600 / 2000.0, within(1e-6));
    assertThat(of.rrw().get("disk").value()).isNaN();
    assertThat(of.auc().value()).isCloseTo(7 / 9.0, within(1e-12));
    assertThat(of.known()).isEqualTo(1);
    assertThat(of.auc().low()).isNaN(); // one day tells nothing of others
  }

  @Test
  void aucIsTheShareOfPairsInOrder() {
    SplittableRandom random = new SplittableRandom(7);
    List<JudgedJob> jobs =
        IntStream.range(0, 300)
            .mapToObj(
                i ->
                    judged(
                        i % 5,
                        Math.rint(4 * random.nextGaussian()) + (i % 7 == 0 ? 3 : 0),
                        false,
                        1,
                        i % 7 == 0))
            .toList();
    double pairs = 0;
    double ordered = 0;
    for (JudgedJob bad : jobs) {
      for (JudgedJob good : jobs) {
        if (bad.job().hasFailed() && !good.job().hasFailed()) {
          pairs++;
          ordered += bad.score() > good.score() ? 1 : bad.score() == good.score() ? 0.5 : 0;
        }
      }
    }
    Interval auc = of(jobs).auc();
    assertThat(auc.value()).isCloseTo(ordered / pairs, within(1e-12));
    assertThat(auc.low()).isLessThan(auc.value());
    assertThat(auc.high()).isGreaterThan(auc.value());
  }

  @Test
  void curvesRiseFromNothingToAll() {
    List<JudgedJob> jobs = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      jobs.add(judged(i / 100, i % 10 == 0 ? 500 + i : i, false, 400, i % 10 == 0));
    }
    Evaluation of = of(jobs);
    List<Evaluation.Point> roc = of.roc();
    assertThat(roc.get(0)).isEqualTo(new Evaluation.Point(0, 0));
    assertThat(roc.get(roc.size() - 1)).isEqualTo(new Evaluation.Point(1, 1));
    List<Evaluation.Point> savings = of.savings(GRACE, 0.05);
    assertThat(savings).isSortedAccordingTo((a, b) -> Double.compare(a.y(), b.y()));
    assertThat(savings.get(savings.size() - 1).x()).isBetween(0.04, 0.06);
    assertThat(savings.get(savings.size() - 1).y()).isLessThanOrEqualTo(0.75); // 300 of 400 s
  }

  private static TraceJob trace(int i) {
    boolean fails = i % 10 == 0;
    double at = i * 100.0;
    JobArrival arrival =
        new JobArrival("j" + i, at, fails ? "bob" : "ann", "q", fails ? "bad" : "good", 0);
    Spread one = Spread.same(1);
    return new TraceJob(
        arrival,
        new JobRequests(2, one, one, Spread.UNKNOWN, one),
        OptionalDouble.of(at + 1),
        OptionalDouble.of(at + (fails ? 2000 : 10)),
        Optional.of(fails ? JobOutcome.FAILED : JobOutcome.SUCCEEDED));
  }

  @Test
  void walkLearnsFromThePastWhatComes() {
    List<TraceJob> trace = IntStream.range(0, 5000).mapToObj(EvaluationTest::trace).toList();
    List<EndedJob> ended = TraceReplay.of(trace);
    assertThat(ended).hasSize(5000);
    WalkForward walk = new WalkForward(TrainingSettings.DEFAULT, Duration.ofDays(1), () -> {});
    assertThat(walk.periods(ended)).isEqualTo(6);
    List<JudgedJob> judged = walk.judge(ended);
    assertThat(judged).hasSize(5000 - 864); // those of the first day have no model
    Evaluation of = new Evaluation(judged, 1200, new SplittableRandom(1));
    assertThat(of.auc().value()).isGreaterThan(0.999);
    assertThat(of.mfn().value()).isZero();
    assertThat(of.savedOfFailing().value()).isCloseTo(799 / 1999.0, within(1e-6));
  }

  @Test
  void whatAJobIsJudgedByDoesNotDependOnWhatComesLater() {
    List<TraceJob> trace = IntStream.range(0, 3000).mapToObj(EvaluationTest::trace).toList();
    List<EndedJob> ended = TraceReplay.of(trace);
    TraceReplay.Arrived arrived = TraceReplay.until(trace, "j2000").orElseThrow();
    int[] places = IntStream.range(0, 72).toArray();
    assertThat(arrived.features().at(places)).isEqualTo(ended.get(2000).features().at(places));
    assertThat(arrived.before()).allMatch(job -> job.endedAt() <= 200_000);
    assertThat(TraceReplay.until(trace, "?")).isEmpty();
  }

  @Test
  void jobsThatEndAtOnceOrNeverStartAreReplayed() {
    JobArrival arrival = new JobArrival("j", 5, "", "", "", 0);
    TraceJob instant =
        new TraceJob(
            arrival,
            JobRequests.UNKNOWN,
            OptionalDouble.empty(),
            OptionalDouble.of(5),
            Optional.of(JobOutcome.FAILED));
    assertThat(TraceReplay.of(List.of(instant)))
        .singleElement()
        .satisfies(job -> assertThat(job.seconds()).isZero());
  }
}
