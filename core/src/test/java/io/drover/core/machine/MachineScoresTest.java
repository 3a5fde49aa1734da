// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineScoresTest {
  private static Replay.Prediction of(int job, int machine, boolean outlier, double... p) {
    return new Replay.Prediction(job, machine, 0, outlier, false, p);
  }

  @Test
  void scoresAreThoseOfTheHand() {
    List<Replay.Prediction> predictions =
        List.of(of(0, 0, true, 0.5, 0.8), of(0, 1, false, 0.5, 0.2), of(0, 2, false, 0.5, 0.9));
    Score baseline = Score.of(predictions, 0, 0);
    assertThat(baseline.logLoss()).isCloseTo(Math.log(2), within(1e-12));
    assertThat(baseline.gain().value()).isZero();
    assertThat(baseline.withinJob().value()).as("ties").isEqualTo(0.5);
    Score score = Score.of(predictions, 1, 0);
    double loss = -(Math.log(0.8) + Math.log(0.8) + Math.log(0.1)) / 3;
    assertThat(score.logLoss()).isCloseTo(loss, within(1e-12));
    assertThat(score.gain().value()).isCloseTo(loss - Math.log(2), within(1e-12));
    assertThat(score.brier()).isCloseTo((0.04 + 0.04 + 0.81) / 3, within(1e-12));
    assertThat(score.withinJob().value()).as("above one of two").isEqualTo(0.5);
    assertThat(score.called()).as("the bad one, and one of two").isEqualTo(0.75);
  }

  @Test
  void bestTenthIsOfTheLowestProbability() {
    List<Replay.Prediction> predictions = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      predictions.add(of(0, i, i % 10 == 9, i / 100.0)); // 10 % outliers, one in the best tenth
    }
    Score score = Score.of(predictions, 0, 0);
    assertThat(score.bestTold()).isCloseTo(0.045, within(1e-12));
    assertThat(score.bestReal()).isEqualTo(0.1);
    assertThat(score.bestRatio().value()).isCloseTo(1, within(1e-12));
    assertThat(score.worstRatio().value()).as("the last is one").isCloseTo(10, within(1e-12));
  }

  /**
   * Creates jobs that run one after another, with an attempt on each of 20 machines. The first
   * machine is slower by {@code factor}.
   */
  private static GoogleDay day(double factor, long seed) {
    Random random = new Random(seed);
    List<GoogleDay.Attempt> attempts = new ArrayList<>();
    for (int job = 0; job < 60; job++) {
      for (int machine = 0; machine < 20; machine++) {
        double took = 100 + 20 * random.nextDouble();
        took *= machine == 0 ? factor : 1;
        double start = 1 + 300.0 * job + random.nextInt(50);
        attempts.add(new GoogleDay.Attempt(job, machine, start, start + took, machine == 0));
      }
    }
    return new GoogleDay(attempts);
  }

  private static List<Replay.Prediction> play(GoogleDay day) {
    return new Replay(day, 300)
        .play(
            List.of(
                EstimatorKind.CLUSTER.statistics(MachineSettings.DEFAULT),
                new MachineStatistics(MachineSettings.DEFAULT, 0)));
  }

  @Test
  void slowMachineIsFoundAndScored() {
    List<Replay.Prediction> predictions = play(day(4, 1));
    assertThat(predictions).hasSize(60 * 20).allMatch(x -> x.outlier() == x.slowed());
    Score score = Score.of(predictions, 1, 0);
    assertThat(score.withinJob().value()).isGreaterThan(0.95);
    assertThat(score.gain().value()).isLessThan(-0.05);
    assertThat(score.bestRatio().value()).isLessThan(0.3); // in the first windows nothing is known
  }

  @Test
  void whatIsPredictedIsNotKnownYet() {
    // The same day except for the last window. Predictions before it must not differ.
    GoogleDay usual = day(1, 2);
    List<GoogleDay.Attempt> changed = new ArrayList<>();
    double last = 300.0 * 59;
    for (GoogleDay.Attempt a : usual.attempts) {
      double end = a.start() > last && a.machine() < 9 ? a.end() + 5000 : a.end();
      changed.add(new GoogleDay.Attempt(a.job(), a.machine(), a.start(), end, false));
    }
    List<Replay.Prediction> before = play(usual);
    List<Replay.Prediction> after = play(new GoogleDay(changed));
    assertThat(after).anyMatch(Replay.Prediction::outlier);
    for (int i = 0; i < before.size(); i++) {
      assertThat(after.get(i).p()).isEqualTo(before.get(i).p());
    }
  }

  @Test
  void rowsThatDidNotFinishOrSayTooLittleAreLeftOut(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("day.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      String rows =
          """
          job,task,submit_s,sched_s,end_s,end,machine
          34,0,0.0,10.0,30.0,FINISH,5
          34,1,0.0,10.0,,OPEN,5
          34,2,0.0,10.0,20.0,KILL,5
          34,3,0.0,,20.0,FINISH,5
          34,4,0.0,10.0,20.0,FINISH,
          99,0,,11.5,12.0,FINISH,0
          """;
      out.write(rows.getBytes(StandardCharsets.UTF_8));
    }
    GoogleDay day = GoogleDay.read(file);
    assertThat(day.attempts)
        .containsExactly(
            new GoogleDay.Attempt(0, 5, 10, 30, false),
            new GoogleDay.Attempt(1, 0, 11.5, 12, false));
    assertThat(day.attempts).noneMatch(day::isJudged);
  }
}
