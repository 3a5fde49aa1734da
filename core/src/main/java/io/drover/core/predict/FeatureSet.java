// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A set of features. A job's features are those of all sets, in the order of the sets. */
public enum FeatureSet {
  /** What the job asks for (slides, "Feature Sets": 9 features). */
  STATIC(
      List.of(
          "tasks",
          "cpu mean",
          "cpu deviation",
          "ram mean",
          "ram deviation",
          "disk mean",
          "disk deviation",
          "priority mean",
          "priority deviation")),
  /** What the cluster does when the job arrives (slides, "System Features": 36 features). */
  SYSTEM(systemNames()),
  /**
   * How earlier jobs of the same user, queue and program ended (27 features). Not in the source; on
   * Google's trace these alone tell more than the others together.
   */
  HISTORY(historyNames());

  private final List<String> names;

  FeatureSet(List<String> names) {
    this.names = names;
  }

  private static List<String> systemNames() {
    List<String> now = new ArrayList<>();
    for (String which : List.of("same", "lower", "higher")) {
      for (String what :
          List.of(
              "jobs arriving",
              "tasks arriving",
              "jobs ending",
              "tasks ending",
              "tasks running",
              "tasks pending")) {
        now.add(what + ", " + which + " priority");
      }
    }
    return Stream.concat(now.stream(), now.stream().map(name -> "change of " + name)).toList();
  }

  private static List<String> historyNames() {
    List<String> names = new ArrayList<>();
    for (String key : List.of("user", "queue", "program")) {
      for (String what :
          List.of(
              "share of failed jobs",
              "share of killed jobs",
              "share of failed jobs lately",
              "number of jobs",
              "time since the last failure",
              "last job failed",
              "last job killed",
              "jobs running",
              "failures in a row")) {
        names.add(key + ": " + what);
      }
    }
    return names;
  }

  /** Returns the names of the features, for people. */
  public List<String> names() {
    return names;
  }

  /** Returns the number of features. */
  public int size() {
    return names.size();
  }

  /** Returns the place of the first of these features among all. */
  int from() {
    return Arrays.stream(values()).limit(ordinal()).mapToInt(FeatureSet::size).sum();
  }

  /** Returns the number of features of all sets. */
  static int total() {
    return Arrays.stream(values()).mapToInt(FeatureSet::size).sum();
  }

  /** Returns the places of the features of some sets, ascending. */
  static int[] places(Set<FeatureSet> sets) {
    return sorted(sets)
        .flatMapToInt(set -> IntStream.range(set.from(), set.from() + set.size()))
        .toArray();
  }

  /** Returns the names of the features of some sets, in the order of {@link #places}. */
  static List<String> names(Set<FeatureSet> sets) {
    return sorted(sets).map(FeatureSet::names).flatMap(Collection::stream).toList();
  }

  /** Returns the numbers of features of some sets. */
  static int[] sizes(Set<FeatureSet> sets) {
    return sorted(sets).mapToInt(FeatureSet::size).toArray();
  }

  private static Stream<FeatureSet> sorted(Set<FeatureSet> sets) {
    return sets.stream().sorted();
  }
}
