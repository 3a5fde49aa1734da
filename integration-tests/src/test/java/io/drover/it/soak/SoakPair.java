// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import io.drover.testbed.job.DemoJobSpec;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * One job that is run twice, by Hadoop's AppMaster and by Drover's.
 *
 * @param number from 0
 * @param cluster where
 * @param spec the job
 * @param conf its settings, which differ from the defaults
 * @param fault what goes wrong in both
 * @param stockFirst which comes first, so that neither has the warm cluster always
 */
record SoakPair(
    int number,
    SoakCluster cluster,
    DemoJobSpec spec,
    SortedMap<String, String> conf,
    SoakFault fault,
    boolean stockFirst) {

  /** All that was drawn, in words; the same pair has the same. */
  String title() {
    String settings =
        conf.entrySet().stream()
            .map(entry -> shortName(entry.getKey()) + '=' + entry.getValue())
            .collect(Collectors.joining(" "));
    return String.format(
        "%s %d+%d %d/%ds %s",
        spec.workload().key(),
        spec.maps(),
        spec.reduces(),
        spec.mapTime().toSeconds(),
        spec.reduceTime().toSeconds(),
        settings.isEmpty() ? "defaults" : settings);
  }

  private static String shortName(String key) {
    return key.replace("yarn.app.mapreduce.am.", "am.")
        .replace("mapreduce.job.", "")
        .replace("mapreduce.", "");
  }
}
