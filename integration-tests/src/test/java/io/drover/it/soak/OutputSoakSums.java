// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import io.drover.cli.report.ProtectionFigures;
import io.drover.it.soak.DyingAppMaster.Moment;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the jobs of a soak of outputs have come to, in all. */
final class OutputSoakSums {
  private final Map<Moment, Integer> deaths = new EnumMap<>(Moment.class);
  private int good;
  private int all;
  private long made;
  private long used;
  private long remade;
  private long replicatedBytes;
  private long ioBytes;

  /** Counts a mix. */
  void add(boolean isGood) {
    all++;
    good += isGood ? 1 : 0;
  }

  /** Counts an AppMaster that was killed. */
  void add(Moment death) {
    deaths.merge(death, 1, Integer::sum);
  }

  /** Counts the bytes of a job. */
  void add(ProtectionFigures figures) {
    replicatedBytes += figures.replicatedBytes();
    ioBytes += figures.ioBytes();
  }

  /** Counts what stands in the decision logs of all AppMasters of a job. */
  void add(List<String> decisions) {
    made += count(decisions, "replicaMade");
    used += count(decisions, "replicaUsed");
    remade += count(decisions, "outputMadeAgain");
  }

  private static long count(List<String> decisions, String type) {
    return decisions.stream().filter(line -> line.contains("\"type\":\"" + type + '"')).count();
  }

  /** Returns all of it in one line. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%d of %d mixes were good; replicas made %d, used %d (%.1f MB, %.2f %% of what was read and"
            + " written in the jobs that Drover counted in); outputs made again %d; AppMasters"
            + " killed %s",
        good,
        all,
        made,
        used,
        replicatedBytes / 1e6,
        ioBytes == 0 ? 0 : 100.0 * replicatedBytes / ioBytes,
        remade,
        deaths);
  }
}
