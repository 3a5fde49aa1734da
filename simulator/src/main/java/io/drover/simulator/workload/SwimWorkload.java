// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import io.drover.simulator.world.Draws;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Jobs in the format of SWIM (Chen, Ganapathi, Griffith, Katz: "The Case for Evaluating MapReduce
 * Performance Using Workload Suites", MASCOTS 2011), such as the samples of Facebook's clusters of
 * 2009 and 2010. A line is a job: its name, its submission time, and the bytes of its map input,
 * its shuffle and its output.
 *
 * <p>The format has no tasks. They follow from SWIM's own mapping:
 *
 * <pre>
 *   maps    = ceil(max(input, 1) / block), each of one block, the last of what remains
 *   reduces = none if nothing was shuffled, else
 *             clamp(round((shuffle + output) / bytesPerReduce), 1, max(1, machines / 5))
 * </pre>
 *
 * <p>Departures from SWIM: an input below 64 MB is not raised to 64 MB, and bytes are not scaled by
 * the ratio of the cluster sizes, because a replay should have the real sizes. The shuffle is
 * divided over the reduces with the skew that Mantri observed; SWIM's generator divides it evenly.
 *
 * <p>The 24 one-hour samples of a file are independent of each other and are laid end to end. Their
 * borders are artificial, so the load may jump there. Each job keeps its time in the file, and so
 * its offset within its hour. Jobs that still wait at a border compete with the next hour's jobs.
 * Replay a single hour to avoid this.
 */
public final class SwimWorkload implements Workload {
  private static final String FORMAT =
      "6 fields separated by tabs (job, submit time, gap, map input, shuffle and output bytes), or"
          + " up to 9 with paths";

  /** A petabyte: 47 times the largest input of the Facebook traces. */
  private static final long MOST_BYTES = 1_000_000_000_000_000L;

  /** Thirty years. */
  private static final long MOST_SECONDS = 1_000_000_000L;

  /** 63 times the largest job of the Facebook traces. The sizes of so many maps take 80 MB. */
  private static final long MOST_MAPS = 10_000_000;

  private static final int OF_MAP_RATE = 1;
  private static final int OF_REDUCE_RATE = 2;
  private static final int OF_SKEW = 3;
  private static final int OF_SIZES = 4;

  /** A line of the file. */
  private record TraceLine(String id, long submit, long input, long shuffle, long output) {}

  private final String name;
  private final SwimSettings settings;
  private final List<TraceLine> lines;
  private final BadRecords bad;

  private SwimWorkload(String name, SwimSettings settings, List<TraceLine> lines, BadRecords bad) {
    this.name = name;
    this.settings = settings;
    this.lines = lines;
    this.bad = bad;
  }

  /**
   * Reads a file, plain or gzipped, with or without paths.
   *
   * @param skipBad whether lines that are malformed are left out and counted; if not, the first one
   *     is an error
   * @throws TraceException if the file is malformed, even in an hour that is not replayed
   */
  public static SwimWorkload read(Path file, SwimSettings settings, boolean skipBad)
      throws TraceException {
    BadRecords bad = new BadRecords(skipBad);
    List<TraceLine> lines = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    new TraceTable(file, '\t', "jobs of " + FORMAT)
        .read(
            row -> {
              TraceLine line =
                  parse(row, settings, lines.isEmpty() ? 0 : lines.get(lines.size() - 1).submit);
              if (!ids.add(line.id)) {
                throw row.wrong(0, "job", "a name that no earlier job has");
              }
              lines.add(line);
            },
            (row, error) -> bad.line(error));
    bad.mustLeave(file, lines.size());
    lines.removeIf(line -> line.submit >= settings.endSeconds());
    if (lines.isEmpty()) {
      throw new TraceException(
          file
              + ": no job was submitted in the first "
              + settings.hours()
              + " hours; replay more hours");
    }
    return new SwimWorkload("swim:" + file.getFileName(), settings, lines, bad);
  }

  private static TraceLine parse(TraceRow row, SwimSettings settings, long earliest)
      throws TraceException {
    row.mustHave(6, 9, FORMAT);
    String id = row.name(0, "job");
    long submit = row.whole(1, "submit time, which never falls", earliest, MOST_SECONDS);
    row.whole(2, "gap", 0, MOST_SECONDS); // the submit times say the same
    long input = row.whole(3, "map input bytes", 0, MOST_BYTES);
    if (input / settings.blockBytes() >= MOST_MAPS) {
      throw row.wrong(
          3,
          "map input bytes",
          "fewer than " + MOST_MAPS + " blocks of " + settings.blockBytes() + " bytes");
    }
    long shuffle = row.whole(4, "shuffle bytes", 0, MOST_BYTES);
    return new TraceLine(id, submit, input, shuffle, row.whole(5, "output bytes", 0, MOST_BYTES));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int size() {
    return lines.size();
  }

  @Override
  public Iterator<JobSpec> jobs() {
    return IntStream.range(0, lines.size()).mapToObj(this::job).iterator();
  }

  private JobSpec job(int index) {
    TraceLine line = lines.get(index);
    PhaseSpec maps =
        new PhaseSpec(TaskKind.MAP, splits(line.input), rate(TaskKind.MAP, OF_MAP_RATE, index));
    if (line.shuffle == 0) {
      return new JobSpec(line.id, (double) line.submit, List.of(maps));
    }
    double skew = DataSkew.coefficient(Draws.key(settings.seed(), OF_SKEW, index));
    long sizes = Draws.key(settings.seed(), OF_SIZES, index);
    PhaseSpec reduces =
        new PhaseSpec(
            TaskKind.REDUCE,
            DataSkew.split(line.shuffle, reduces(line), skew, sizes),
            rate(TaskKind.REDUCE, OF_REDUCE_RATE, index));
    return new JobSpec(line.id, (double) line.submit, List.of(maps, reduces));
  }

  private double rate(TaskKind kind, int what, int index) {
    return settings.rates().secondsPerByte(kind, Draws.key(settings.seed(), what, index));
  }

  private long[] splits(long input) {
    long block = settings.blockBytes();
    int maps = (int) ((Math.max(input, 1) + block - 1) / block);
    long[] bytes = new long[maps];
    Arrays.fill(bytes, block);
    bytes[maps - 1] = input - (maps - 1) * block;
    return bytes;
  }

  private int reduces(TraceLine line) {
    long wanted = Math.round((double) (line.shuffle + line.output) / settings.bytesPerReduce());
    long most = Math.max(1, settings.machines() / 5);
    return (int) Math.max(1, Math.min(most, wanted));
  }

  @Override
  public List<String> provenance() {
    List<String> all =
        new ArrayList<>(
            List.of(
                "Arrivals: real, in seconds; the borders between the one-hour samples are artificial.",
                "Sizes of jobs (input, shuffle, output bytes): real.",
                "Maps: one for each block of "
                    + settings.blockBytes()
                    + " bytes, as HDFS splits a file; the trace has no counts.",
                "Reduces: modelled, as in SWIM; one for every "
                    + settings.bytesPerReduce()
                    + " bytes of shuffle and output, and at most a fifth of "
                    + settings.machines()
                    + " machines.",
                "Sizes of reduces: modelled; " + DataSkew.SOURCE + ".",
                settings.rates().provenance(),
                "Racks: not in the trace; tasks may run anywhere."));
    all.addAll(bad.provenance());
    return all;
  }
}
