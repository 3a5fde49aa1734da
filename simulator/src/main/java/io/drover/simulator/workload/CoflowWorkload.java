// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import io.drover.simulator.world.Draws;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Shuffles in the format of the coflow benchmark (Chowdhury, Zhong, Stoica: "Efficient coflow
 * scheduling with Varys", SIGCOMM 2014). The first line has the number of racks and the number of
 * coflows; further fields are ignored. Every other line is a coflow: its name, its arrival, the
 * racks of its mappers, and the racks of its reducers with the megabytes (of 1,000,000 bytes) that
 * each received.
 *
 * <p>Each coflow becomes a job with one map per mapper rack and one reduce per reducer rack,
 * because the benchmark has merged all mappers, and all reducers, of a job in one rack into one.
 * The benchmark has no map input. It is modelled as equal to the map output, which is an equal
 * share of the shuffle for each map. Equal shares are the benchmark's convention.
 */
public final class CoflowWorkload implements Workload {
  /**
   * {@link Rates#DEFAULT} times the 20 machines of a rack (3,000 machines in 150 racks), because a
   * task here stands for all tasks of a rack. Modelled.
   */
  public static final Rates RACK_RATES =
      new Rates(
          20 * Rates.DEFAULT.mapBytesPerSecond(),
          20 * Rates.DEFAULT.reduceBytesPerSecond(),
          Rates.DEFAULT.sigma());

  private static final String HEADER = "2 fields separated by a space (racks and coflows)";
  private static final double BYTES_PER_MEGABYTE = 1e6;

  /** A petabyte: 118 times the largest shuffle of the benchmark. */
  private static final double MOST_MEGABYTES = 1e9;

  /** Thirty years. */
  private static final long MOST_MILLIS = 1_000_000_000_000L;

  private static final int MOST_RACKS = 100_000;
  private static final int OF_MAP_RATE = 1;
  private static final int OF_REDUCE_RATE = 2;

  /** One line of the file. */
  private static final class Coflow {
    private final String id;
    private final long arrivalMillis;
    private final int[] mapRacks;
    private final int[] reduceRacks;
    private final long[] reduceBytes;

    /** Parses the fields from left to right: the reduces follow the racks of the maps. */
    Coflow(TraceRow row, int racks, long earliest) throws TraceException {
      id = row.name(0, "coflow");
      arrivalMillis =
          row.whole(1, "arrival in milliseconds, which never falls", earliest, MOST_MILLIS);
      mapRacks = new int[(int) row.whole(2, "number of mappers", 1, MOST_RACKS)];
      for (int map = 0; map < mapRacks.length; map++) {
        mapRacks[map] = (int) row.whole(3 + map, "rack of a mapper", 0, racks - 1L);
      }
      int counted = 3 + mapRacks.length;
      reduceRacks = new int[(int) row.whole(counted, "number of reducers", 1, MOST_RACKS)];
      reduceBytes = new long[reduceRacks.length];
      for (int reduce = 0; reduce < reduceRacks.length; reduce++) {
        parseReduce(row, counted + 1 + reduce, reduce, racks);
      }
      int columns = counted + 1 + reduceRacks.length;
      row.mustHave(columns, columns, columns + " fields, from the numbers of mappers and reducers");
    }

    private void parseReduce(TraceRow row, int column, int reduce, int racks)
        throws TraceException {
      String name = "rack and megabytes of a reducer";
      String text = row.text(column);
      int colon = text.indexOf(':');
      if (colon < 0) {
        throw row.wrong(column, name, "RACK:MEGABYTES");
      }
      String rack = text.substring(0, colon);
      reduceRacks[reduce] = (int) row.whole(column, "rack of a reducer", rack, 0, racks - 1L);
      String megabytes = text.substring(colon + 1);
      double most = MOST_MEGABYTES / reduceRacks.length;
      reduceBytes[reduce] =
          Math.round(
              BYTES_PER_MEGABYTE
                  * row.number(column, "megabytes of a reducer", megabytes, Math.floor(most)));
    }

    /** Divides the shuffle equally over the maps. The first maps get the remainder. */
    long[] mapBytes() {
      long shuffle = Arrays.stream(reduceBytes).sum();
      long[] bytes = new long[mapRacks.length];
      for (int map = 0; map < bytes.length; map++) {
        bytes[map] = shuffle / bytes.length + (map < shuffle % bytes.length ? 1 : 0);
      }
      return bytes;
    }
  }

  private final String name;
  private final Lines lines;
  private final List<Coflow> coflows;
  private final Rates rates;
  private final long seed;

  private CoflowWorkload(String name, Lines lines, Rates rates, long seed) {
    this.name = name;
    this.lines = lines;
    this.coflows = lines.coflows;
    this.rates = rates;
    this.seed = seed;
  }

  /**
   * Reads a file, plain or gzipped, with {@link #RACK_RATES}.
   *
   * @see #read(Path, Rates, long, boolean)
   */
  public static CoflowWorkload read(Path file, long seed, boolean skipBad) throws TraceException {
    return read(file, RACK_RATES, seed, skipBad);
  }

  /**
   * Reads a file, plain or gzipped.
   *
   * @param rates the rates of a whole rack
   * @param skipBad whether lines that are malformed are left out and counted, and whether the first
   *     line may announce another number of coflows than follow; if not, the first of these is an
   *     error
   * @throws TraceException if the file is malformed
   */
  public static CoflowWorkload read(Path file, Rates rates, long seed, boolean skipBad)
      throws TraceException {
    Lines lines = new Lines(new BadRecords(skipBad));
    new TraceTable(file, ' ', HEADER).read(lines::takeHeader, lines::takeCoflow, lines::takeBad);
    lines.bad.mustLeave(file, lines.coflows.size());
    lines.mustBeAll();
    return new CoflowWorkload("coflow:" + file.getFileName(), lines, rates, seed);
  }

  /** Reads the counts from the first line, and a coflow from each other line. */
  private static final class Lines {
    private final BadRecords bad;
    private final List<Coflow> coflows = new ArrayList<>();
    private TraceRow header;
    private int racks;
    private long announced;
    private long last;

    Lines(BadRecords bad) {
      this.bad = bad;
    }

    void takeHeader(TraceRow row) throws TraceException {
      row.mustHave(2, Integer.MAX_VALUE, HEADER);
      header = row;
      racks = (int) row.whole(0, "racks", 1, MOST_RACKS);
      announced = row.whole(1, "coflows", 1, Integer.MAX_VALUE);
    }

    void takeCoflow(TraceRow row) throws TraceException {
      Coflow coflow = new Coflow(row, racks, last);
      last = coflow.arrivalMillis;
      coflows.add(coflow);
    }

    void takeBad(TraceRow row, TraceException error) throws TraceException {
      bad.line(error);
    }

    /** Checks that there are as many lines as the first one says. */
    void mustBeAll() throws TraceException {
      int found = coflows.size() + bad.lines();
      if (found != announced) {
        String right = found + ", the number of lines that follow (the file may be cut off)";
        bad.part(header.wrong(1, "coflows", right), "with the lines that are there");
      }
    }

    long extraFields() {
      return IntStream.range(2, header.columns()).filter(c -> !header.isBlank(c)).count();
    }
  }

  /** Returns the number of racks of the trace's cluster. The racks of tasks are below it. */
  public int racks() {
    return lines.racks;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int size() {
    return coflows.size();
  }

  @Override
  public Iterator<JobSpec> jobs() {
    return IntStream.range(0, coflows.size()).mapToObj(this::job).iterator();
  }

  private JobSpec job(int index) {
    Coflow coflow = coflows.get(index);
    double mapRate = rates.secondsPerByte(TaskKind.MAP, Draws.key(seed, OF_MAP_RATE, index));
    double reduceRate =
        rates.secondsPerByte(TaskKind.REDUCE, Draws.key(seed, OF_REDUCE_RATE, index));
    return new JobSpec(
        coflow.id,
        coflow.arrivalMillis / 1000.0,
        List.of(
            new PhaseSpec(TaskKind.MAP, coflow.mapBytes(), mapRate, coflow.mapRacks),
            new PhaseSpec(TaskKind.REDUCE, coflow.reduceBytes, reduceRate, coflow.reduceRacks)));
  }

  @Override
  public List<String> provenance() {
    List<String> all =
        new ArrayList<>(
            List.of(
                "Arrivals: real, in milliseconds. They are arrivals of shuffles, replayed as the"
                    + " submissions of their jobs.",
                "Tasks: one for each rack that had mappers or reducers, because the trace merges those of a"
                    + " rack. The racks are real, out of "
                    + lines.racks
                    + ".",
                "Sizes of reduces: real, rounded to 1 MB by the trace.",
                "Sizes of maps: modelled; each map outputs an equal share of the shuffle and reads as many"
                    + " bytes.",
                rates.provenance() + " A task stands for a whole rack.",
                "Jobs without a shuffle: not in the trace."));
    if (lines.extraFields() > 0) {
      all.add(
          "First line: racks and coflows are read, the other fields are ignored ("
              + lines.extraFields()
              + ").");
    }
    all.addAll(lines.bad.provenance());
    return all;
  }
}
