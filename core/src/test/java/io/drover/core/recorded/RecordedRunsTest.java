// SPDX-License-Identifier: Apache-2.0
package io.drover.core.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.recorded.RecordedRun.Act;
import io.drover.core.restart.MantriRestart;
import io.drover.core.restart.RestartSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the policy does on real reports. Each recording is of a demo job that nobody helped; its
 * name says what went wrong.
 */
class RecordedRunsTest {
  private static List<Act> acts(String name) throws IOException {
    return RecordedRun.read(name).acts(new MantriRestart(RestartSettings.DEFAULT));
  }

  private static String story(List<Act> acts) {
    return acts.stream()
        .map(
            act ->
                String.format(
                    Locale.ROOT,
                    "%n%.1f: %s %s on %s, ended %.1f: %s",
                    act.at(),
                    act.decision().action(),
                    act.attempt().task().index(),
                    act.attempt().machine().orElse("?"),
                    act.ended(),
                    act.decision().explain()))
        .collect(Collectors.joining());
  }

  /** The victims are those that end late or never; each is acted on soon after it could be. */
  @ParameterizedTest
  @CsvSource({"starved-host, 20"})
  void attemptsThatNeedHelpGetItSoon(String name, double within) throws IOException {
    List<Act> acts = acts(name);
    assertThat(acts).isNotEmpty();
    assertThat(acts.get(0).at()).as(() -> story(acts)).isLessThan(within);
  }

  @Test
  void fewerThanOneActInTenIsAFalseAlarm() throws IOException {
    List<Act> all = new ArrayList<>();
    for (String name : List.of("starved-host")) {
      all.addAll(acts(name));
    }
    List<Act> inVain = all.stream().filter(Act::isFalseAlarm).toList();
    assertThat(10 * inVain.size()).as(() -> story(inVain)).isLessThan(all.size());
  }
}
