// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.job;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What a demo job shall be: its work, its size, its pace and its fault. The pace holds for a
 * healthy task; start-up of processes and the shuffle come on top.
 *
 * @param workload word count or sort
 * @param scenario what goes wrong
 * @param maps number of maps, one file each
 * @param reduces number of reduces
 * @param bytesPerMap input of one map
 * @param mapTime what a healthy map spends on its input
 * @param reduceTime what a healthy reduce spends on its records
 * @param slowdown by what the slow scenarios divide the rate
 * @param faultTask the map task of the scenarios that fault one attempt; for skew, which of the
 *     files is large (Hadoop sorts splits by size, so that it becomes task 0)
 * @param input a user's file or directory to take text from; else text found on this machine
 */
public record JobSpec(
    Workload workload,
    Scenario scenario,
    int maps,
    int reduces,
    long bytesPerMap,
    Duration mapTime,
    Duration reduceTime,
    int slowdown,
    int faultTask,
    Optional<Path> input) {

  /** Checks that the numbers make a job. */
  public JobSpec {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(scenario, "scenario");
    Objects.requireNonNull(input, "input");
    require(maps >= 1, "maps", maps);
    require(reduces >= 1, "reduces", reduces);
    require(bytesPerMap >= 1024, "bytesPerMap", bytesPerMap);
    require(!mapTime.isNegative() && !mapTime.isZero(), "mapTime", mapTime);
    require(!reduceTime.isNegative() && !reduceTime.isZero(), "reduceTime", reduceTime);
    require(slowdown >= 1, "slowdown", slowdown);
    require(faultTask >= 0 && faultTask < maps, "faultTask", faultTask);
  }

  private static void require(boolean good, String name, Object value) {
    if (!good) {
      throw new IllegalArgumentException("bad " + name + ": " + value);
    }
  }

  /** The demo's own: 12 maps of 1 MB and about 8 s, 4 reduces of about 3 s, word count. */
  public static JobSpec of(Scenario scenario) {
    return new JobSpec(
        Workload.WORD_COUNT,
        scenario,
        12,
        4,
        1_000_000,
        Duration.ofSeconds(8),
        Duration.ofSeconds(3),
        8,
        5,
        Optional.empty());
  }

  /** The same with another workload. */
  public JobSpec withWorkload(Workload other) {
    return new JobSpec(
        other,
        scenario,
        maps,
        reduces,
        bytesPerMap,
        mapTime,
        reduceTime,
        slowdown,
        faultTask,
        input);
  }

  /** The same with another fault. */
  public JobSpec withScenario(Scenario other) {
    return new JobSpec(
        workload,
        other,
        maps,
        reduces,
        bytesPerMap,
        mapTime,
        reduceTime,
        slowdown,
        faultTask,
        input);
  }

  /** The same with other numbers of tasks. */
  public JobSpec withTasks(int newMaps, int newReduces) {
    return new JobSpec(
        workload,
        scenario,
        newMaps,
        newReduces,
        bytesPerMap,
        mapTime,
        reduceTime,
        slowdown,
        Math.min(faultTask, newMaps - 1),
        input);
  }

  /** The same at another pace. */
  public JobSpec withPace(Duration newMapTime, Duration newReduceTime) {
    return new JobSpec(
        workload,
        scenario,
        maps,
        reduces,
        bytesPerMap,
        newMapTime,
        newReduceTime,
        slowdown,
        faultTask,
        input);
  }

  /** The same on a user's text. */
  public JobSpec withInput(Path fileOrDirectory) {
    return new JobSpec(
        workload,
        scenario,
        maps,
        reduces,
        bytesPerMap,
        mapTime,
        reduceTime,
        slowdown,
        faultTask,
        Optional.of(fileOrDirectory));
  }
}
