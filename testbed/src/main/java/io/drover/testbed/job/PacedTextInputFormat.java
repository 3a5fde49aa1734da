// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.job.DemoJob.DemoKeys;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;

/**
 * Reads lines of text, one file a split, no faster than {@link DemoKeys#MAP_RATE}. So twelve maps
 * do not slow each other down on two cores, and a slow one is slow only because of its fault.
 */
public final class PacedTextInputFormat extends FileInputFormat<LongWritable, Text> {

  /** Where {@link DemoKeys#HOMES} says so, a split is only on one of the hosts that have it. */
  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    List<String> homes =
        List.copyOf(context.getConfiguration().getStringCollection(DemoKeys.HOMES));
    List<InputSplit> splits = super.getSplits(context);
    if (!homes.isEmpty()) {
      splits.replaceAll(
          split -> {
            FileSplit all = (FileSplit) split;
            String[] home = {homes.get(DemoInput.number(all.getPath()))};
            return new FileSplit(all.getPath(), all.getStart(), all.getLength(), home);
          });
    }
    return splits;
  }

  @Override
  protected boolean isSplitable(JobContext context, Path file) {
    return false;
  }

  @Override
  public RecordReader<LongWritable, Text> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new PacedLines();
  }

  private static final class PacedLines extends RecordReader<LongWritable, Text> {
    private final LineRecordReader lines = new LineRecordReader();
    private long length;
    private long consumed;
    private WorkPacer pace;
    private TaskFault fault;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      lines.initialize(split, context);
      Configuration conf = context.getConfiguration();
      fault = TaskFault.here(conf, context.getTaskAttemptID());
      try {
        length = split.getLength();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while the split was opened", e);
      }
      pace = WorkPacer.of(fault.of(conf.getDouble(DemoKeys.MAP_RATE, 0)));
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      if (!lines.nextKeyValue()) {
        return false;
      }
      consumed += lines.getCurrentValue().getLength() + 1L; // plus the line's end
      try {
        pace.upTo(consumed);
        fault.reached((double) consumed / length);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      return true;
    }

    @Override
    public LongWritable getCurrentKey() {
      return lines.getCurrentKey();
    }

    @Override
    public Text getCurrentValue() {
      return lines.getCurrentValue();
    }

    @Override
    public float getProgress() throws IOException {
      return lines.getProgress();
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  /**
   * Limits work to a rate: {@code done <= rate * time since the start}. The schedule is absolute,
   * so that the errors of short sleeps do not add up, and progress is linear in time. Who is late
   * by more than half a second, because its process was stopped or starved, does not catch up: a
   * processor would not do so either.
   */
  public static final class WorkPacer {
    /** Shorter waits accumulate, because a sleep is never exact. */
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long LATEST = TimeUnit.MILLISECONDS.toNanos(500);

    private final double unitsPerNano;
    private final LongSupplier clock;
    private final Sleeper sleeper;
    private long start;

    /** Lets time pass. */
    @FunctionalInterface
    interface Sleeper {
      /** Returns after about this many nanoseconds. */
      void sleep(long nanos) throws InterruptedException;
    }

    WorkPacer(double unitsPerSecond, LongSupplier clock, Sleeper sleeper) {
      this.unitsPerNano = unitsPerSecond / TimeUnit.SECONDS.toNanos(1);
      this.clock = clock;
      this.sleeper = sleeper;
      this.start = clock.getAsLong();
    }

    /**
     * Creates a pace that begins now.
     *
     * @param unitsPerSecond the rate; 0 or less: no limit
     */
    public static WorkPacer of(double unitsPerSecond) {
      return new WorkPacer(unitsPerSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    }

    /** Returns when this many units in all may have been done. */
    public void upTo(long units) throws InterruptedException {
      if (unitsPerNano <= 0) {
        return;
      }
      long early = (long) (units / unitsPerNano) - (clock.getAsLong() - start);
      if (early >= SHORTEST) {
        sleeper.sleep(early);
      } else if (-early > LATEST) {
        start -= early;
      }
    }
  }
}
