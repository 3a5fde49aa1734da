// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drover.core.predict.JobRequests.Spread;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobFeaturesTest {
  private static final int[] ALL = FeatureSet.places(EnumSet.allOf(FeatureSet.class));
  private final JobFeatures features = new JobFeatures();

  private static JobArrival job(String id, double at) {
    return new JobArrival(id, at, "ann", "etl", "load-#", 0);
  }

  private double feature(String id, String name) {
    int place = FeatureSet.names(EnumSet.allOf(FeatureSet.class)).indexOf(name);
    return features.features(id).orElseThrow().at(ALL)[place];
  }

  @Test
  void thereAreAsManyFeaturesAsTheSourceHas() {
    assertThat(FeatureSet.STATIC.size()).isEqualTo(9);
    assertThat(FeatureSet.SYSTEM.size()).isEqualTo(36);
    assertThat(FeatureSet.HISTORY.size()).isEqualTo(27);
    List<String> names = FeatureSet.names(EnumSet.allOf(FeatureSet.class));
    assertThat(new HashSet<>(names)).hasSize(72);
    assertThat(FeatureSet.places(Set.of(FeatureSet.HISTORY, FeatureSet.STATIC)))
        .hasSize(36)
        .startsWith(0, 1, 2)
        .contains(45, 71);
  }

  @Test
  void featuresAreThoseOfTheArrival() {
    features.submitted(job("j1", 0), JobRequests.UNKNOWN);
    features.started("j1", 1);
    features.submitted(job("j2", 5), JobRequests.UNKNOWN);
    assertThat(feature("j2", "user: jobs running")).isEqualTo((float) Math.log(2));
    assertThat(feature("j2", "program: last job failed")).isZero();
    features.ended("j1", 10, Optional.of(JobOutcome.FAILED));
    assertThat(feature("j2", "program: last job failed")).isZero();
    features.submitted(job("j3", 11), JobRequests.UNKNOWN);
    assertThat(feature("j3", "program: last job failed")).isEqualTo(1);
    assertThat(feature("j3", "queue: last job failed")).isEqualTo(1);
  }

  @Test
  void requestsMayBeKnownLater() {
    features.submitted(job("j", 0), JobRequests.UNKNOWN);
    assertThat(feature("j", "tasks")).isNaN();
    Spread ram = Spread.of(1024, 3, 2048, 1);
    features.described(
        "j", new JobRequests(4, Spread.same(1), ram, Spread.UNKNOWN, Spread.same(7)));
    assertThat(feature("j", "tasks")).isEqualTo((float) Math.log(4));
    assertThat(feature("j", "ram mean")).isEqualTo((float) Math.log1p(1280));
    assertThat(feature("j", "ram deviation"))
        .isEqualTo((float) Math.log1p(1024 * Math.sqrt(3) / 4));
    assertThat(feature("j", "disk mean")).isNaN();
    assertThat(feature("j", "priority mean")).isEqualTo((float) Math.log1p(7));
    EndedJob ended = features.ended("j", 100, Optional.of(JobOutcome.SUCCEEDED)).orElseThrow();
    assertThat(ended.tasks()).isEqualTo(4);
    assertThat(ended.seconds()).isZero(); // it never started
  }

  @Test
  void endThatTellsNothingIsNoExample() {
    features.submitted(job("j1", 0), JobRequests.UNKNOWN);
    features.started("j1", 1);
    assertThat(features.ended("j1", 9, Optional.empty())).isEmpty();
    features.submitted(job("j2", 10), JobRequests.UNKNOWN);
    assertThat(feature("j2", "user: number of jobs")).isZero();
    assertThat(feature("j2", "user: jobs running")).isZero();
  }

  @Test
  void unknownAndRepeatedJobsAreIgnored() {
    assertThat(features.ended("?", 1, Optional.of(JobOutcome.FAILED))).isEmpty();
    features.started("?", 1);
    features.described("?", JobRequests.UNKNOWN);
    features.submitted(job("j", 0), JobRequests.UNKNOWN);
    features.submitted(job("j", 1), JobRequests.UNKNOWN);
    assertThat(features.live()).isEqualTo(1);
  }

  @Test
  void timesOfEventsMayGoBack() {
    features.submitted(job("j", 100), JobRequests.UNKNOWN);
    features.started("j", 50);
    EndedJob ended = features.ended("j", 20, Optional.of(JobOutcome.FAILED)).orElseThrow();
    assertThat(ended.seconds()).isZero();
    assertThat(ended.hasFailed()).isTrue();
  }

  @Test
  void impossibleRequestsAreRefused() {
    Spread any = Spread.same(1);
    assertThatIllegalArgumentException().isThrownBy(() -> new JobRequests(0, any, any, any, any));
    assertThatIllegalArgumentException().isThrownBy(() -> Spread.same(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> job("j", Double.NaN));
  }

  @Test
  void numbersOfNamesAreMasked() {
    assertThat(MaskedName.of("load-2026-11-27 run 3")).isEqualTo("load-#-#-# run #");
    assertThat(MaskedName.of("x".repeat(500))).hasSize(100);
    assertThat(MaskedName.of("x".repeat(99) + "\ud83d\udc11")).isEqualTo("x".repeat(99));
  }
}
