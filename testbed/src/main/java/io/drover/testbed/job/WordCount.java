// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.job.DemoJob.PacedReducer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** Counts how often each word occurs. */
@SuppressWarnings("SameNameButDifferent") // Context is that of the mapper or of the reducer
public final class WordCount {
  private static final String BETWEEN_WORDS = " \t\r\f.,;:!?()[]{}<>\"'`*/=+|#&@\\";

  private WordCount() {}

  /** Returns the words of a line, in their order. */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringTokenizer tokens = new StringTokenizer(line, BETWEEN_WORDS);
    while (tokens.hasMoreTokens()) {
      words.add(tokens.nextToken());
    }
    return words;
  }

  /** Emits 1 for each word. */
  public static final class WordMapper extends Mapper<LongWritable, Text, Text, LongWritable> {
    private static final LongWritable ONE = new LongWritable(1);
    private final Text word = new Text();

    @Override
    protected void map(LongWritable position, Text line, Context context)
        throws IOException, InterruptedException {
      for (String each : words(line.toString())) {
        word.set(each);
        context.write(word, ONE);
      }
    }
  }

  /** Adds up the counts of one map. */
  public static final class Combine extends Reducer<Text, LongWritable, Text, LongWritable> {
    private final LongWritable sum = new LongWritable();

    @Override
    protected void reduce(Text word, Iterable<LongWritable> counts, Context context)
        throws IOException, InterruptedException {
      long total = 0;
      for (LongWritable count : counts) {
        total += count.get();
      }
      sum.set(total);
      context.write(word, sum);
    }
  }

  /** Adds up the counts of all maps, at the job's pace. */
  public static final class Sum extends PacedReducer<Text, LongWritable, Text, LongWritable> {
    private final LongWritable sum = new LongWritable();

    @Override
    protected void reduce(Text word, Iterable<LongWritable> counts, Context context)
        throws IOException, InterruptedException {
      long total = 0;
      for (LongWritable count : counts) {
        total += count.get();
        tick();
      }
      sum.set(total);
      context.write(word, sum);
    }
  }
}
