// SPDX-License-Identifier: Apache-2.0
package io.drover.core.bench;

import io.drover.core.predict.EndedJob;
import io.drover.core.predict.FailureModel;
import io.drover.core.predict.FeatureSet;
import io.drover.core.predict.PredictionData;
import io.drover.core.predict.Training;
import io.drover.core.predict.TrainingSettings;
import io.drover.core.predict.model.Method;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the training of a model of failing jobs, and a call by it. Targets: 500,000 jobs in less
 * than 60 s and 2 GB; a call in less than 100 microseconds.
 *
 * <p>{@code mvn -q -pl core -Pbench test -Dbench.args="PredictingFailures.call"}, and {@code
 * -Dbench.args="PredictingFailures.training -p jobs=500000"}
 */
@State(Scope.Thread)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
public class PredictingFailures {
  /** The kind of classifier. */
  @Param({"LDA", "ELDA", "QDA", "LR"})
  public Method method;

  /** What it sees: {@code shipped}, or {@code source} (static and system, as in the paper). */
  @Param({"shipped", "source"})
  public String features;

  /** The number of jobs. */
  @Param({"20000"})
  public int jobs;

  private List<EndedJob> ended;
  private Training training;
  private FailureModel model;
  private int next;

  @Setup
  public void setUp() {
    Set<FeatureSet> sets =
        features.equals("shipped")
            ? TrainingSettings.DEFAULT.sets()
            : EnumSet.of(FeatureSet.STATIC, FeatureSet.SYSTEM);
    training =
        new Training(
            new TrainingSettings(
                method, sets, Duration.ofDays(10), Duration.ofMinutes(20), 0.01, jobs));
    ended = PredictionData.jobs(jobs, 10, 50);
    model =
        training.train(ended.subList(jobs - 20_000, jobs), 10 * PredictionData.DAY).orElseThrow();
  }

  /** Calls one job. */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  @Warmup(iterations = 3, time = 1)
  @Measurement(iterations = 5, time = 1)
  public FailureModel.Call call() {
    next = (next + 1) % ended.size();
    return model.call(ended.get(next).features());
  }

  /** Trains a model of all jobs, with the choice of its threshold. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @OutputTimeUnit(TimeUnit.SECONDS)
  @Warmup(iterations = 0)
  @Measurement(iterations = 1)
  public Optional<FailureModel> training() {
    return training.train(ended, 10 * PredictionData.DAY);
  }
}
