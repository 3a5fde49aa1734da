// SPDX-License-Identifier: Apache-2.0
package io.drover.it.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.client.sampling.SampleBlock.Part;
import io.drover.client.sampling.SampleLineage;
import io.drover.client.sampling.SampleLineage.UsedBlock;
import io.drover.it.JobEnd;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.job.WordCount;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * Word counts over any K of N blocks. Each block is a file with a word of its own, so the output
 * tells which blocks it was made from, and how often each was read.
 */
final class SampledWords {
  /** N. */
  static final int BLOCKS = 24;

  private static final int LINES = 100;
  private static final int WORDS_OF_ALL = 2; // in each line
  private static final String PAUSE = "io.drover.it.sampling.pause-ms";

  /** The number of a map whose program fails. */
  static final String FAILING = "io.drover.it.sampling.failing-map";

  private static final AtomicInteger RUNS = new AtomicInteger();

  private final DroverCluster cluster;
  private final FileSystem fs;
  private final Path base;

  SampledWords(DroverCluster cluster) throws IOException {
    this.cluster = cluster;
    this.fs = FileSystem.get(cluster.clientConf());
    this.base = fs.makeQualified(new Path("/sampling/" + RUNS.incrementAndGet()));
    for (int block = 0; block < BLOCKS; block++) {
      try (OutputStream out = fs.create(new Path(input(), "f" + block))) {
        String line = "word" + block + " all".repeat(WORDS_OF_ALL) + "\n";
        out.write(line.repeat(LINES).getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  Path input() {
    return new Path(base, "input");
  }

  FileSystem files() {
    return fs;
  }

  /** Counts words, and takes its time for each line; or fails. */
  public static final class SlowWords extends Mapper<LongWritable, Text, Text, LongWritable> {
    private static final LongWritable ONE = new LongWritable(1);
    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    protected void setup(Context context) throws IOException {
      int map = context.getTaskAttemptID().getTaskID().getId();
      if (context.getConfiguration().getInt(FAILING, -1) == map) {
        throw new IOException("as told");
      }
    }

    @Override
    @SuppressWarnings("ReturnValueIgnored") // the time is over, always
    protected void map(LongWritable position, Text line, Context context)
        throws IOException, InterruptedException {
      never.await(context.getConfiguration().getLong(PAUSE, 0), TimeUnit.MILLISECONDS);
      for (String word : line.toString().split(" ")) {
        context.write(new Text(word), ONE);
      }
    }
  }

  /** Returns a job that runs under Drover and is not submitted. */
  Job job(int reduces, long mapMillis, Map<String, String> settings) throws IOException {
    Configuration conf = cluster.clientConf();
    cluster.underDrover().forEach(conf::set);
    conf.setLong(PAUSE, mapMillis / LINES);
    settings.forEach(conf::set);
    Job job = Job.getInstance(conf, "sample");
    job.setJarByClass(SampledWords.class);
    job.setMapperClass(SlowWords.class);
    if (reduces > 0) {
      job.setCombinerClass(WordCount.Combine.class);
    }
    job.setReducerClass(WordCount.Sum.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    job.setNumReduceTasks(reduces);
    FileInputFormat.addInputPath(job, input());
    FileOutputFormat.setOutputPath(job, new Path(base, "out-" + RUNS.incrementAndGet()));
    return job;
  }

  /** Runs a job to its end. */
  Job run(int reduces, Map<String, String> settings) throws Exception {
    Job job = job(reduces, 0, settings);
    job.submit();
    JobEnd.succeeds(job);
    return job;
  }

  Map<String, Long> words(Job job) throws IOException {
    Map<String, Long> words = new TreeMap<>();
    Path output = FileOutputFormat.getOutputPath(job);
    for (FileStatus part : fs.listStatus(output, path -> path.getName().startsWith("part-"))) {
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(fs.open(part.getPath()), StandardCharsets.UTF_8))) {
        lines
            .lines()
            .map(line -> line.split("\t"))
            .forEach(pair -> words.merge(pair[0], Long.parseLong(pair[1]), Long::sum));
      }
    }
    return words;
  }

  SampleLineage lineage(Job job) throws IOException {
    return SampleLineage.read(cluster.clientConf(), FileOutputFormat.getOutputPath(job));
  }

  /**
   * Asserts that the result is of exactly the K blocks of the record, each read once.
   *
   * @return the files that were read
   */
  Set<String> assertRight(Job job, int k, int n) throws Exception {
    assertThat(job.isSuccessful()).as(() -> failure(job)).isTrue();
    SampleLineage lineage = lineage(job);
    assertThat(lineage.needed()).isEqualTo(k);
    assertThat(lineage.total()).isEqualTo(n);
    List<String> files =
        lineage.blocks().stream()
            .flatMap(used -> used.block().parts().stream())
            .map(Part::file)
            .map(file -> new Path(file).getName())
            .toList();
    assertThat(files).doesNotHaveDuplicates();
    Map<String, Long> expected = new HashMap<>();
    files.forEach(file -> expected.put("word" + file.substring(1), (long) LINES));
    expected.put("all", (long) WORDS_OF_ALL * LINES * files.size());
    assertThat(words(job)).isEqualTo(expected);
    assertThat(job.getCounters().findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue())
        .isEqualTo((long) LINES * files.size());
    assertThat(lineage.blocks())
        .extracting(UsedBlock::rank)
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, k).boxed().toList());
    assertThat(lineage.blocks()).extracting(UsedBlock::node).allMatch(node -> !node.isEmpty());
    return files.stream().collect(Collectors.toCollection(TreeSet::new));
  }

  static String failure(Job job) {
    try {
      return job.getJobID() + ": " + job.getStatus().getFailureInfo();
    } catch (IOException | InterruptedException e) {
      return e.toString();
    }
  }
}
