// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** All lines, each part in order. */
@SuppressWarnings("SameNameButDifferent") // Context is that of the mapper or of the reducer
public final class SortLines {
  private SortLines() {}

  /** A line is its own key. */
  public static final class Lines extends Mapper<LongWritable, Text, Text, NullWritable> {
    @Override
    protected void map(LongWritable position, Text line, Context context)
        throws IOException, InterruptedException {
      context.write(line, NullWritable.get());
    }
  }

  /** Writes lines as they come, as often as they come, at its pace. */
  public static final class InOrder extends PacedReducer<Text, NullWritable, Text, NullWritable> {
    @Override
    protected void reduce(Text line, Iterable<NullWritable> times, Context context)
        throws IOException, InterruptedException {
      for (NullWritable time : times) {
        context.write(line, time);
        tick();
      }
    }
  }
}
