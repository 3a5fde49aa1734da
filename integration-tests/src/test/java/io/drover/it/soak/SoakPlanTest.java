// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SoakPlanTest {
  private static List<SoakPair> pairs(long seed, int number) {
    return new SoakPlan(seed, number).groups().stream().flatMap(List::stream).toList();
  }

  @Test
  void seedSaysAllAndAShortSoakIsTheBeginningOfALongOne() {
    assertThat(pairs(7, 60)).isEqualTo(pairs(7, 60)).isNotEqualTo(pairs(8, 60));
    assertThat(pairs(7, 13)).isEqualTo(pairs(7, 60).subList(0, 13));
  }

  @Test
  void nearSeedsDrawOtherPairs() {
    List<String> ofOne = pairs(7, 60).stream().map(SoakPair::title).toList();
    assertThat(pairs(8, 60).stream().map(SoakPair::title).filter(ofOne::contains))
        .hasSizeLessThan(6);
  }

  @Test
  void tenPairsShareACluster() {
    List<List<SoakPair>> groups = new SoakPlan(7, 25).groups();
    assertThat(groups).extracting(List::size).containsExactly(10, 10, 5);
    assertThat(groups)
        .allSatisfy(
            group ->
                assertThat(group)
                    .extracting(SoakPair::cluster)
                    .containsOnly(group.get(0).cluster()));
  }

  @Test
  void nodeThatDiesIsTheLastThingOfItsCluster() {
    List<SoakPair> deaths =
        pairs(7, 1000).stream().filter(p -> p.fault() == SoakFault.NODE_DEATH).toList();
    assertThat(deaths).hasSizeBetween(20, 80).allMatch(p -> p.number() % 10 == 9);
  }

  @Test
  void rivalsComeOnlyWhereTheyMayTakeTheirShare() {
    List<SoakPair> rivals =
        pairs(7, 1000).stream().filter(p -> p.fault() == SoakFault.RIVAL).toList();
    assertThat(rivals)
        .isNotEmpty()
        .allMatch(p -> p.cluster().preemption())
        .allMatch(p -> p.spec().maps() == 12, "asks for more than its share");
  }

  @Test
  void sixtyPairsHaveAllKindsOfSettingsAndFaults() {
    for (long seed = 1; seed <= 20; seed++) {
      List<SoakPair> pairs = pairs(seed, 60);
      Set<String> keys =
          pairs.stream().flatMap(p -> p.conf().keySet().stream()).collect(Collectors.toSet());
      assertThat(keys)
          .as("seed %d", seed)
          .contains(
              "mapreduce.job.running.map.limit",
              "mapreduce.job.running.reduce.limit",
              "mapreduce.map.maxattempts",
              "mapreduce.reduce.maxattempts",
              "mapreduce.job.encrypted-intermediate-data");
      assertThat(pairs).extracting(SoakPair::fault).contains(SoakFault.KILLED_JOB);
      assertThat(pairs).extracting(SoakPair::stockFirst).contains(true, false);
    }
    List<SoakPair> many = pairs(7, 3000);
    assertThat(many)
        .extracting(p -> p.conf().getOrDefault("mapreduce.map.maxattempts", "4"))
        .contains("1", "2", "3", "4");
    assertThat(many)
        .extracting(p -> p.cluster().tau())
        .contains(0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
        .allMatch(tau -> tau >= 0.3 && tau <= 0.9);
    assertThat(many).extracting(SoakPair::fault).contains(SoakFault.values());
  }
}
