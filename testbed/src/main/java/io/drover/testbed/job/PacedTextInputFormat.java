// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;

/**
 * Lines of text, one file a split, no faster than {@link DemoKeys#MAP_RATE}: twelve maps at once
 * then do not slow each other on two cores, and a slow one is slow because it was told to be.
 */
public final class PacedTextInputFormat extends FileInputFormat<LongWritable, Text> {

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
      consumed += lines.getCurrentValue().getLength() + 1L; // and the line's end
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
}
