// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.it.soak.DyingAppMaster.Moment;
import io.drover.testbed.fault.FaultKind;
import io.drover.testbed.fault.FaultPlan;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.job.Scenario;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutputMixTest {
  private static final int MANY = 1000;

  private static List<OutputMix> mixes(HostKind hosts) {
    return IntStream.range(0, MANY).mapToObj(i -> OutputMix.draw(7, i, hosts)).toList();
  }

  private static Stream<FaultPlan> faults(HostKind hosts) {
    return mixes(hosts).stream().flatMap(mix -> mix.spec().faults().stream());
  }

  private static long count(OutputMix mix, FaultKind... kinds) {
    Set<FaultKind> wanted = EnumSet.copyOf(List.of(kinds));
    return mix.spec().faults().stream().filter(fault -> wanted.contains(fault.kind())).count();
  }

  @ParameterizedTest
  @EnumSource
  void seedAndNumberSayAll(HostKind hosts) {
    assertThat(mixes(hosts)).isEqualTo(mixes(hosts)).doesNotHaveDuplicates();
    assertThat(OutputMix.draw(8, 3, hosts)).isNotEqualTo(OutputMix.draw(7, 3, hosts));
  }

  @ParameterizedTest
  @EnumSource
  void allFaultsAreDrawnThatTheHostsCanDo(HostKind hosts) {
    List<FaultKind> can =
        Arrays.stream(FaultKind.values())
            .filter(kind -> hosts == HostKind.NAMESPACES || !kind.needsNamespaces())
            .filter(kind -> kind != FaultKind.WRONG_CLOCK)
            .toList();

    assertThat(faults(hosts)).extracting(FaultPlan::kind).containsOnlyElementsOf(can);
    assertThat(mixes(hosts)).noneMatch(mix -> mix.spec().faults().isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void hostWithTheReplicasDiesToo(HostKind hosts) {
    assertThat(faults(hosts))
        .filteredOn(fault -> fault.kind() == FaultKind.NM_DEATH && fault.maps() > 0.9)
        .filteredOn(fault -> fault.victim().orElseThrow().equals("n6"))
        .hasSizeGreaterThan(MANY / 200);
  }

  @ParameterizedTest
  @EnumSource
  void noMixIsMoreThanAJobCanSurvive(HostKind hosts) {
    assertThat(mixes(hosts))
        .allSatisfy(
            mix -> {
              long lost =
                  count(
                      mix,
                      FaultKind.NM_DEATH,
                      FaultKind.HOST_DEATH,
                      FaultKind.CUT_HOST,
                      FaultKind.CUT_RACK);
              assertThat(lost).isLessThan(2).isEqualTo(mix.losesHost() ? 1 : 0);
              assertThat(count(mix, FaultKind.FULL_DISK)).isLessThan(2);
              if (mix.losesHost()) {
                assertThat(mix.spec().scenario()).as("two copies").isEqualTo(Scenario.SKEW);
              }
            });
    assertThat(faults(hosts))
        .extracting(fault -> fault.victim().orElseThrow())
        .containsOnly("n3", "n4", "n5", "n6");
  }

  @ParameterizedTest
  @EnumSource
  void nothingElseStrikesAHostThatIsLost(HostKind hosts) {
    assertThat(mixes(hosts))
        .filteredOn(OutputMix::losesHost)
        .isNotEmpty()
        .allSatisfy(
            mix -> {
              List<FaultPlan> faults = mix.spec().faults();
              assertThat(faults.subList(1, faults.size()))
                  .extracting(FaultPlan::victim)
                  .doesNotContain(faults.get(0).victim());
            });
  }

  @ParameterizedTest
  @EnumSource
  void halfOfTheAppMastersThatDieDoSoWhileReplicasAreMade(HostKind hosts) {
    List<Moment> deaths = mixes(hosts).stream().flatMap(mix -> mix.death().stream()).toList();

    assertThat(deaths).hasSizeBetween(MANY / 8, MANY / 3).contains(Moment.values());
    assertThat(deaths.stream().filter(moment -> moment != Moment.MAPS).count())
        .isBetween(deaths.size() * 2L / 5, deaths.size() * 3L / 5);
  }

  @ParameterizedTest
  @EnumSource
  void onlyAppMasterOfAnEncryptedJobIsSpared(HostKind hosts) {
    assertThat(mixes(hosts))
        .filteredOn(
            mix -> mix.conf().get("mapreduce.job.encrypted-intermediate-data").equals("true"))
        .isNotEmpty()
        .allMatch(mix -> mix.death().isEmpty());
  }

  @Test
  void titleIsWhatTheDemoTakes() {
    OutputMix mix =
        mixes(HostKind.NAMESPACES).stream()
            .filter(one -> one.cutsHost() && one.spec().faults().get(0).length().isPresent())
            .findFirst()
            .orElseThrow();
    FaultPlan drawn = mix.spec().faults().get(0);

    String typed = mix.toString().split(" ")[2];
    assertThat(FaultPlan.parse(typed)).isEqualTo(drawn);
    assertThat(mix.mayFailAttempts()).isTrue();
  }
}
