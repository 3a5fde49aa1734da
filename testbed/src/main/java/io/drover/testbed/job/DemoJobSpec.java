// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.core.model.TaskKind;
import io.drover.testbed.fault.FaultPlan;
import io.drover.testbed.history.TaskRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Describes a demo job: its work, its size, its pace and its fault. The pace is that of a healthy
 * task, without the start of processes and the shuffle.
 *
 * @param workload word count or sort
 * @param scenario what goes wrong
 * @param maps number of maps, one file each
 * @param reduces number of reduces
 * @param bytesPerMap mean input of a map
 * @param spread how much the inputs differ from the mean at most, as a part of it, in [0,1)
 * @param mapTime what a healthy map spends on an input of mean size
 * @param reduceTime what a healthy reduce spends on its records
 * @param slowdown by what the slow scenarios divide the rate
 * @param faultTask the task of the scenarios that fault one attempt; maps are counted first, then
 *     reduces. For skew, the file that is large (Hadoop sorts splits by size, so that it becomes
 *     task 0)
 * @param input a user's file or directory to take text from; if empty, text found on this machine
 * @param sample what the job needs of its input; if empty, all of it
 * @param jobs how many such jobs run as a stream, at least 1; more in {@link Scenario#FAILING_JOBS}
 *     only
 * @param faults what goes wrong with hosts and racks
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
    Optional<Path> input,
    Optional<SampleSpec> sample,
    int jobs,
    List<FaultPlan> faults) {

  /**
   * A job that needs a part of its input, on a busy cluster.
   *
   * @param needed K: how many of the input's files the job needs, whichever they are
   * @param load the share of the cluster's slots that another application holds, in [0,1)
   * @param draw number of the random draw that decides which slots those are, and which files a job
   *     in Hadoop's own AppMaster reads
   * @param uplink what the racks' uplinks carry while the job runs, in bits per second; empty for
   *     as much as the machine can do
   */
  public record SampleSpec(int needed, double load, int draw, OptionalLong uplink) {}

  /** Checks the ranges. */
  public DemoJobSpec {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(scenario, "scenario");
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(sample, "sample");
    require(maps >= 1, "maps", maps);
    require(reduces >= 1, "reduces", reduces);
    require(bytesPerMap >= 1024, "bytesPerMap", bytesPerMap);
    require(spread >= 0 && spread < 1, "spread", spread);
    require(!mapTime.isNegative() && !mapTime.isZero(), "mapTime", mapTime);
    require(!reduceTime.isNegative() && !reduceTime.isZero(), "reduceTime", reduceTime);
    require(slowdown >= 1, "slowdown", slowdown);
    require(faultTask >= 0 && faultTask < maps + reduces, "faultTask", faultTask);
    require(jobs >= 1, "jobs", jobs);
    faults = List.copyOf(faults);
    sample.ifPresent(
        asked -> {
          require(asked.needed() >= 1 && asked.needed() <= maps, "needed", asked.needed());
          require(asked.load() >= 0 && asked.load() < 1, "load", asked.load());
        });
  }

  private static void require(boolean good, String name, Object value) {
    if (!good) {
      throw new IllegalArgumentException("bad " + name + ": " + value);
    }
  }

  /**
   * Returns the demo's own job: word count with 12 maps of 0.5 MB and about 8 s, and 4 reduces of
   * about 3 s. A small job has 4 maps and 1 reduce of about 6 s each, which is longer than their
   * processes take to start.
   */
  public static DemoJobSpec of(Scenario scenario) {
    if (scenario == Scenario.PLACEMENT) {
      return placement();
    }
    if (scenario == Scenario.SAMPLING) {
      return sampling();
    }
    if (scenario == Scenario.FAILING_JOBS) {
      return streamed();
    }
    if (scenario == Scenario.LONG_TASK) {
      return withLongTask();
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
        small || scenario.isOfFlakyHost() ? 0 : 5, // far from the flaky host
        Optional.empty(),
        Optional.empty(),
        1,
        scenario.faults());
  }

  /**
   * Returns word counts of 2 maps and 1 reduce, as small jobs are. 40 are enough for a model, which
   * needs ten failures among the first four fifths of what has ended.
   */
  private static DemoJobSpec streamed() {
    return new DemoJobSpec(
        DemoWorkload.WORD_COUNT,
        Scenario.FAILING_JOBS,
        2,
        1,
        100_000,
        0,
        Duration.ofSeconds(6),
        Duration.ofSeconds(1),
        1,
        0,
        Optional.empty(),
        Optional.empty(),
        40,
        List.of());
  }

  /** Returns a word count of 36 maps, half as many again as there are slots. */
  private static DemoJobSpec withLongTask() {
    return new DemoJobSpec(
        DemoWorkload.WORD_COUNT,
        Scenario.LONG_TASK,
        36,
        4,
        200_000,
        0,
        Duration.ofSeconds(6),
        Duration.ofSeconds(2),
        12,
        5,
        Optional.empty(),
        Optional.empty(),
        1,
        List.of());
  }

  /** Returns a sort of 12 maps, 4 in each rack, and 10 reduces. All map input is shuffled. */
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
        Optional.empty(),
        Optional.empty(),
        1,
        List.of());
  }

  /**
   * Returns a word count of any 20 of 72 files, 12 on each of six hosts, while another application
   * holds half of the slots. 20 is the least of which the default ratio of 1.05 makes an extra map.
   */
  private static DemoJobSpec sampling() {
    return new DemoJobSpec(
        DemoWorkload.WORD_COUNT,
        Scenario.SAMPLING,
        72,
        4,
        200_000,
        0,
        Duration.ofSeconds(5),
        Duration.ofSeconds(2),
        1,
        0,
        Optional.empty(),
        Optional.of(new SampleSpec(20, 0.5, 1, OptionalLong.empty())),
        1,
        List.of());
  }

  /**
   * Returns a count of lines of any 12 of 60 files of 64 MB, 5 on each of twelve hosts of three
   * racks, whose uplinks take ten seconds for such a file. It needs hosts with links of their own.
   */
  public static DemoJobSpec samplingOverSlowUplinks() {
    return new DemoJobSpec(
        DemoWorkload.LINE_COUNT,
        Scenario.SAMPLING,
        60,
        1,
        64L << 20,
        0,
        Duration.ofSeconds(1),
        Duration.ofMillis(100),
        1,
        0,
        Optional.empty(),
        Optional.of(new SampleSpec(12, 0.5, 1, OptionalLong.of(50_000_000))),
        1,
        List.of());
  }

  /**
   * Returns a job that goes as fast as it can: a sort of two million rows by twelve maps and six
   * reduces, as in the TeraSort benchmark, or a count of the words of 288 MB.
   */
  public static DemoJobSpec atFullSpeed(DemoWorkload workload, Scenario scenario) {
    boolean sorts = workload == DemoWorkload.TERA_SORT;
    return of(scenario)
        .with()
        .workload(workload)
        .tasks(12, sorts ? 6 : 4)
        .bytesPerMap(sorts ? 16_666_700 : 24_000_000, 0)
        .pace(Duration.ofSeconds(10), Duration.ofSeconds(10)) // about; nothing keeps it
        .build();
  }

  /** Returns a builder that begins with these values. */
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
    private int slowdown;
    private int faultTask;
    private Optional<Path> input;
    private Optional<SampleSpec> sample;
    private int jobs;
    private List<FaultPlan> faults;

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
      sample = spec.sample;
      jobs = spec.jobs;
      faults = spec.faults;
    }

    /** Sets the workload. */
    public Builder workload(DemoWorkload other) {
      workload = other;
      return this;
    }

    /** Sets the fault. */
    public Builder scenario(Scenario other) {
      scenario = other;
      return this;
    }

    /** Sets the numbers of tasks. */
    public Builder tasks(int newMaps, int newReduces) {
      maps = newMaps;
      reduces = newReduces;
      return this;
    }

    /** Sets the mean size of inputs, and by which part of it they differ from it at most. */
    public Builder bytesPerMap(long mean, double newSpread) {
      bytesPerMap = mean;
      spread = newSpread;
      return this;
    }

    /** Sets the pace. */
    public Builder pace(Duration newMapTime, Duration newReduceTime) {
      mapTime = newMapTime;
      reduceTime = newReduceTime;
      return this;
    }

    /** Sets the task for the faults that affect one: a map, or a reduce beyond the maps. */
    public Builder faultTask(int task) {
      faultTask = task;
      return this;
    }

    /** Sets by what the slow scenarios divide the rate. */
    public Builder slowdown(int divisor) {
      slowdown = divisor;
      return this;
    }

    /** Takes the text from a user's file or directory. */
    public Builder input(Path fileOrDirectory) {
      input = Optional.of(fileOrDirectory);
      return this;
    }

    /** Sets the load beside a job that needs a sample, and the number of the random draw. */
    public Builder load(double load, int draw) {
      sample = sample.map(asked -> new SampleSpec(asked.needed(), load, draw, asked.uplink()));
      return this;
    }

    /** Sets how many jobs run as a stream. */
    public Builder jobs(int count) {
      jobs = count;
      return this;
    }

    /** Sets what goes wrong with hosts and racks. */
    public Builder faults(List<FaultPlan> plans) {
      faults = plans;
      return this;
    }

    /** Returns the spec. */
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
          input,
          sample,
          jobs,
          faults);
    }
  }

  /** Returns the name of the faulty task in logs and on pages, such as {@code m3} or {@code r0}. */
  public String faultTaskName() {
    return isReduceFaulty()
        ? TaskRecord.nameOf(TaskKind.REDUCE, faultTask - maps)
        : TaskRecord.nameOf(TaskKind.MAP, faultTask);
  }

  /** Returns whether the faulty task is a reduce. */
  public boolean isReduceFaulty() {
    return faultTask >= maps;
  }

  /** Returns the bytes of map {@code i}'s input, evenly spread from the smallest to the largest. */
  long bytesOf(int i) {
    double place = maps == 1 ? 0 : 2.0 * i / (maps - 1) - 1;
    return Math.round(bytesPerMap * (1 + spread * place));
  }

  /** What a demo job computes. */
  public enum DemoWorkload {
    /** Counts words, with a combiner: little to shuffle. */
    WORD_COUNT("word count"),
    /** Counts lines, in the maps: next to nothing to compute and to shuffle. */
    LINE_COUNT("line count"),
    /** Sorts lines: everything is shuffled. */
    SORT("sort"),
    /** Counts words, and does not wait: as fast as the processors are. */
    FAST_WORD_COUNT("word count at full speed"),
    /** Hadoop's own TeraSort: everything is shuffled, at full speed. */
    TERA_SORT("terasort");

    private final String title;

    DemoWorkload(String title) {
      this.title = title;
    }

    /** Returns whether its tasks wait so that they take as long as the spec says. */
    public boolean isPaced() {
      return this != FAST_WORD_COUNT && this != TERA_SORT;
    }

    /** Returns a name for people. */
    public String title() {
      return title;
    }

    /** Returns the name as typed on a command line. */
    public String key() {
      return name().toLowerCase(Locale.ROOT).replace("_", "");
    }
  }
}
