// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.job.AttemptRecord.TaskName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
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
 * @param bytesPerMap input of one map in the mean
 * @param spread by how much of that the inputs differ from it at most, in [0,1)
 * @param mapTime what a healthy map spends on an input of mean size
 * @param reduceTime what a healthy reduce spends on its records
 * @param slowdown by what the slow scenarios divide the rate
 * @param faultTask the task of the scenarios that fault one attempt, counted through the maps and
 *     then the reduces; for skew, which of the files is large (Hadoop sorts splits by size, so that
 *     it becomes task 0)
 * @param input a user's file or directory to take text from; else text found on this machine
 */
public record DemoJobSpec(
    DemoWorkload workload,
    Scenario scenario,
    int maps,
    int reduces,
    long bytesPerMap,
    double spread,
    Duration mapTime,
    Duration reduceTime,
    int slowdown,
    int faultTask,
    Optional<Path> input) {

  /** Checks that the numbers make a job. */
  public DemoJobSpec {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(scenario, "scenario");
    Objects.requireNonNull(input, "input");
    require(maps >= 1, "maps", maps);
    require(reduces >= 1, "reduces", reduces);
    require(bytesPerMap >= 1024, "bytesPerMap", bytesPerMap);
    require(spread >= 0 && spread < 1, "spread", spread);
    require(!mapTime.isNegative() && !mapTime.isZero(), "mapTime", mapTime);
    require(!reduceTime.isNegative() && !reduceTime.isZero(), "reduceTime", reduceTime);
    require(slowdown >= 1, "slowdown", slowdown);
    require(faultTask >= 0 && faultTask < maps + reduces, "faultTask", faultTask);
  }

  private static void require(boolean good, String name, Object value) {
    if (!good) {
      throw new IllegalArgumentException("bad " + name + ": " + value);
    }
  }

  /**
   * The demo's own: word count with 12 maps of 0.5 MB and about 8 s, 4 reduces of about 3 s; a
   * small job has 4 maps and 1 reduce of about 6 s each, which is longer than their processes take
   * to start.
   */
  public static DemoJobSpec of(Scenario scenario) {
    if (scenario == Scenario.PLACEMENT) {
      return placement();
    }
    boolean small = scenario == Scenario.SMALL_JOBS;
    return new DemoJobSpec(
        DemoWorkload.WORD_COUNT,
        scenario,
        small ? 4 : 12,
        small ? 1 : 4,
        500_000,
        0,
        Duration.ofSeconds(small ? 6 : 8),
        Duration.ofSeconds(small ? 6 : 3),
        8,
        small ? 0 : 5,
        Optional.empty());
  }

  /** A sort of 12 maps, 4 in each rack, and 10 reduces: what a map reads goes to the reduces. */
  private static DemoJobSpec placement() {
    return new DemoJobSpec(
        DemoWorkload.SORT,
        Scenario.PLACEMENT,
        12,
        10,
        2_000_000,
        0,
        Duration.ofSeconds(6),
        Duration.ofSeconds(3),
        1,
        0,
        Optional.empty());
  }

  /** A builder that begins with these values. */
  public Builder with() {
    return new Builder(this);
  }

  /** Changes some of a spec's values. */
  public static final class Builder {
    private DemoWorkload workload;
    private Scenario scenario;
    private int maps;
    private int reduces;
    private long bytesPerMap;
    private double spread;
    private Duration mapTime;
    private Duration reduceTime;
    private final int slowdown;
    private int faultTask;
    private Optional<Path> input;

    private Builder(DemoJobSpec spec) {
      workload = spec.workload;
      scenario = spec.scenario;
      maps = spec.maps;
      reduces = spec.reduces;
      bytesPerMap = spec.bytesPerMap;
      spread = spec.spread;
      mapTime = spec.mapTime;
      reduceTime = spec.reduceTime;
      slowdown = spec.slowdown;
      faultTask = spec.faultTask;
      input = spec.input;
    }

    /** Another workload. */
    public Builder workload(DemoWorkload other) {
      workload = other;
      return this;
    }

    /** Another fault. */
    public Builder scenario(Scenario other) {
      scenario = other;
      return this;
    }

    /** Other numbers of tasks. */
    public Builder tasks(int newMaps, int newReduces) {
      maps = newMaps;
      reduces = newReduces;
      return this;
    }

    /** Inputs of another mean size, which differ by up to {@code spread} times that. */
    public Builder bytesPerMap(long mean, double newSpread) {
      bytesPerMap = mean;
      spread = newSpread;
      return this;
    }

    /** Another pace. */
    public Builder pace(Duration newMapTime, Duration newReduceTime) {
      mapTime = newMapTime;
      reduceTime = newReduceTime;
      return this;
    }

    /** Another task for the faults that strike one: a map, or a reduce beyond the maps. */
    public Builder faultTask(int task) {
      faultTask = task;
      return this;
    }

    /** A user's text. */
    public Builder input(Path fileOrDirectory) {
      input = Optional.of(fileOrDirectory);
      return this;
    }

    /** The spec. */
    public DemoJobSpec build() {
      return new DemoJobSpec(
          workload,
          scenario,
          maps,
          reduces,
          bytesPerMap,
          spread,
          mapTime,
          reduceTime,
          slowdown,
          Math.min(faultTask, maps + reduces - 1),
          input);
    }
  }

  /** The faulty task as logs and pages name it: {@code m3}, {@code r0}. */
  public String faultTaskName() {
    return TaskName.of(!isReduceFaulty(), isReduceFaulty() ? faultTask - maps : faultTask);
  }

  /** Whether it is a reduce that is faulty. */
  public boolean isReduceFaulty() {
    return faultTask >= maps;
  }

  /** The input of map {@code i}, bytes; evenly spread between the smallest and the largest. */
  long bytesOf(int i) {
    double place = maps == 1 ? 0 : 2.0 * i / (maps - 1) - 1;
    return Math.round(bytesPerMap * (1 + spread * place));
  }

  /** What a demo job computes. */
  public enum DemoWorkload {
    /** Counts words, with a combiner: little to shuffle. */
    WORD_COUNT("word count"),
    /** Sorts lines: everything is shuffled. */
    SORT("sort");

    private final String title;

    DemoWorkload(String title) {
      this.title = title;
    }

    /** A name for people. */
    public String title() {
      return title;
    }

    /** The name as typed on a command line. */
    public String key() {
      return name().toLowerCase(Locale.ROOT).replace("_", "");
    }
  }
}
