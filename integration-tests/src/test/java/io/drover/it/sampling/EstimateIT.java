// SPDX-License-Identifier: Apache-2.0
package io.drover.it.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.client.sampling.BlockSampler;
import io.drover.client.sampling.SampleBlock;
import io.drover.client.sampling.SampleEstimate;
import io.drover.client.sampling.SampleLineage;
import io.drover.client.sampling.Sampling;
import io.drover.it.JobEnd;
import io.drover.it.SharedCluster;
import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example of docs/sampling.md. */
@ExtendWith(SharedCluster.class)
class EstimateIT {
  private static final int FILES = 15; // in each of two directories
  private static final Path INPUT = new Path("/estimate/input");
  private static Configuration conf;
  private static FileSystem fs;
  private static long errors;

  @BeforeAll
  static void start(DroverCluster cluster) throws Exception {
    conf = cluster.clientConf();
    cluster.underDrover().forEach(conf::set);
    fs = FileSystem.get(conf);
    Random random = new Random(7);
    for (int file = 0; file < 2 * FILES; file++) {
      int here = 40 + random.nextInt(20);
      errors += here;
      try (OutputStream out = fs.create(new Path(INPUT, (file % 2 == 0 ? "a/" : "b/") + file))) {
        out.write("an error\n".repeat(here).getBytes(StandardCharsets.UTF_8));
        out.write("fine\n".repeat(100).getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /** Counts the lines with errors of a block. */
  public static final class Errors extends Mapper<LongWritable, Text, IntWritable, LongWritable> {
    private long errors;

    @Override
    protected void map(LongWritable position, Text line, Context context) {
      errors += line.toString().contains("error") ? 1 : 0;
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      int map = context.getTaskAttemptID().getTaskID().getId();
      context.write(new IntWritable(map), new LongWritable(errors));
    }
  }

  /** Gives samples with as many blocks of each directory. */
  public static final class ByDirectory implements BlockSampler {
    @Override
    public List<List<Integer>> samples(
        List<SampleBlock> blocks, OptionalInt needed, RandomGenerator random) {
      Map<String, List<Integer>> strata = new TreeMap<>();
      for (SampleBlock block : blocks) {
        String directory = block.parts().get(0).file().replaceFirst("/[^/]*$", "");
        strata.computeIfAbsent(directory, d -> new ArrayList<>()).add(block.index());
      }
      strata
          .values()
          .forEach(stratum -> Collections.shuffle(stratum, new Random(random.nextLong())));
      int each = needed.orElseThrow() / strata.size();
      int samples = strata.values().stream().mapToInt(s -> s.size() / each).min().orElseThrow();
      return IntStream.range(0, samples)
          .mapToObj(
              i ->
                  strata.values().stream()
                      .flatMap(stratum -> stratum.subList(i * each, (i + 1) * each).stream())
                      .toList())
          .toList();
    }
  }

  private static Job run(Path output, boolean stratified) throws Exception {
    Job job = Job.getInstance(conf, "errors");
    job.setJarByClass(EstimateIT.class);
    Sampling.blocks(job.getConfiguration(), 10);
    if (stratified) {
      Sampling.sampler(job.getConfiguration(), ByDirectory.class);
    }
    job.setMapperClass(Errors.class);
    job.setMapOutputKeyClass(IntWritable.class);
    job.setMapOutputValueClass(LongWritable.class);
    job.setOutputKeyClass(IntWritable.class);
    job.setOutputValueClass(LongWritable.class);
    FileInputFormat.setInputDirRecursive(job, true);
    FileInputFormat.addInputPath(job, INPUT);
    FileOutputFormat.setOutputPath(job, output);
    job.submit();
    assertThat(JobEnd.succeeds(job)).as(() -> SampledWords.failure(job)).isTrue();
    return job;
  }

  private static double[] secondColumn(Path output) throws IOException {
    try (InputStream in = fs.open(new Path(output, "part-r-00000"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .mapToDouble(line -> Double.parseDouble(line.split("\t")[1]))
          .toArray();
    }
  }

  @Test
  void estimateOfASampleIsNearTheTruth() throws Exception {
    Path output = new Path("/estimate/any");
    run(output, false);
    SampleLineage sample = SampleLineage.read(conf, output);
    SampleEstimate estimate = SampleEstimate.of(secondColumn(output), sample.total(), 0.9999);
    assertThat((double) errors).isBetween(estimate.low(), estimate.high());
    assertThat(estimate.halfWidth()).isLessThan(0.5 * errors);
  }

  @Test
  void stratifiedSampleHasAsManyBlocksOfEachDirectory() throws Exception {
    Path output = new Path("/estimate/stratified");
    run(output, true);
    SampleLineage sample = SampleLineage.read(conf, output);
    assertThat(sample.blocks())
        .hasSize(10)
        .filteredOn(used -> used.block().parts().get(0).file().contains("/input/a/"))
        .hasSize(5);
  }
}
