// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.PacedTextInputFormat.WorkPacer;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Makes the MapReduce job of a {@link DemoJobSpec}. */
final class DemoJob {
  /** The key of the speculator in a job's configuration. */
  static final String SPECULATOR = "yarn.app.mapreduce.am.job.speculator.class";

  /** Drover's speculator: a name, because it is found on the class path of the AppMaster. */
  static final String DROVER_SPECULATOR = "io.drover.speculator.DroverSpeculator";

  /** The key of the directory to which Drover writes its decisions. */
  static final String DECISION_LOG_DIR = "mapreduce.drover.decision-log.dir";

  private DemoJob() {}

  /** Where a job reads and writes, where its AppMaster runs, and which node is slow. */
  record Places(
      DemoInput input, Path output, Path decisions, String amHostAndRack, Optional<String> slow) {}

  /**
   * Returns a job that is ready to submit.
   *
   * @param conf the configuration of jobs in Hadoop's AppMaster
   * @param drover the settings that make it run in Drover's AppMaster
   * @param extra settings that override all others
   */
  static Job make(
      Configuration conf,
      DemoJobSpec spec,
      RunMode mode,
      Places places,
      Map<String, String> drover,
      Map<String, String> extra)
      throws IOException {
    // Small, so that the byte counters move in small steps, unless there is much to read.
    boolean readsMuch = spec.workload() == DemoWorkload.LINE_COUNT || !spec.workload().isPaced();
    conf.setInt("io.file.buffer.size", readsMuch ? 131_072 : 4096);
    conf.setInt("mapreduce.task.progress-report.interval", 1000);
    conf.setInt("mapreduce.task.timeout", 120_000);
    // Stock Hadoop retries a dead NodeManager for 180 s, for which the AppMaster would hang.
    conf.setInt("yarn.client.nodemanager-connect.max-wait-ms", 10_000);
    conf.setInt("yarn.client.nodemanager-connect.retry-interval-ms", 1000);
    conf.setBoolean("mapreduce.map.speculative", mode.hasSpeculation());
    conf.setBoolean("mapreduce.reduce.speculative", mode.hasSpeculation());
    // The AppMaster runs on a node where nothing goes wrong, because the faults are for tasks.
    conf.set("mapreduce.job.am.strict-locality", places.amHostAndRack());
    if (mode == RunMode.RESTART) {
      conf.set("mapreduce.drover.clone.mode", "off");
    }
    if (mode == RunMode.REMAKE) {
      conf.set("mapreduce.drover.protect.replicated-share", "0");
    }
    if (spec.scenario().isOfFlakyHost()) {
      conf.set(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, "1.0");
    }
    if (mode.hasDrover()) {
      drover.forEach(conf::set);
      conf.set(DECISION_LOG_DIR, places.decisions().toString());
    }
    if (mode == RunMode.RECORD) {
      conf.set("mapreduce.drover.restart.mode", "observe");
      conf.set("mapreduce.drover.clone.mode", "off");
      conf.set("mapreduce.drover.order.mode", "observe");
      conf.set("mapreduce.drover.placement.mode", "observe");
      conf.set("mapreduce.drover.decision-log.reports", "true");
      // The stock speculator, which goes on beside one that only observes, makes no copy either.
      conf.setInt(MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, 0);
      conf.setDouble(MRJobConfig.SPECULATIVECAP_TOTAL_TASKS, 0);
      conf.setDouble(MRJobConfig.SPECULATIVECAP_RUNNING_TASKS, 0);
    }
    if (!places.input().homes().isEmpty()) {
      conf.setStrings(DemoKeys.HOMES, places.input().homes().toArray(String[]::new));
    }
    if (spec.workload().isPaced()) {
      pace(conf, spec, places.input());
    }
    if (mode.hasFault()) {
      fault(conf, spec, places.slow());
    }
    extra.forEach(conf::set);

    String name = spec.workload().title() + ", " + spec.scenario().key() + ", " + mode;
    Job job = Job.getInstance(conf, extra.getOrDefault(MRJobConfig.JOB_NAME, name));
    job.setInputFormatClass(PacedTextInputFormat.class);
    FileInputFormat.setInputPaths(job, places.input().paths().toArray(Path[]::new));
    FileOutputFormat.setOutputPath(job, places.output());
    job.setNumReduceTasks(spec.reduces());
    switch (spec.workload()) {
      case WORD_COUNT, FAST_WORD_COUNT -> {
        job.setMapperClass(WordCount.WordMapper.class);
        job.setCombinerClass(WordCount.Combine.class);
        job.setReducerClass(WordCount.Sum.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
      }
      case LINE_COUNT -> {
        job.setMapperClass(LineCount.class);
        job.setReducerClass(WordCount.Sum.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
      }
      case SORT -> {
        job.setMapperClass(SortLines.Lines.class);
        job.setReducerClass(SortLines.InOrder.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(NullWritable.class);
      }
      case TERA_SORT -> TeraSortJob.configure(job);
      default -> throw new IllegalArgumentException("no job for " + spec.workload());
    }
    return job;
  }

  private static void pace(Configuration conf, DemoJobSpec spec, DemoInput input) {
    conf.setDouble(DemoKeys.MAP_RATE, spec.bytesPerMap() * 1000.0 / spec.mapTime().toMillis());
    double recordsPerReduce = (double) input.records() / spec.reduces();
    conf.setDouble(DemoKeys.REDUCE_RATE, recordsPerReduce * 1000 / spec.reduceTime().toMillis());
  }

  private static void fault(Configuration conf, DemoJobSpec spec, Optional<String> slow) {
    conf.set(DemoKeys.FAULT, spec.scenario().key());
    conf.set(DemoKeys.FAULT_TASK, spec.faultTaskName());
    conf.setInt(DemoKeys.SLOWDOWN, spec.slowdown());
    slow.ifPresent(host -> conf.set(DemoKeys.FAULT_HOST, host));
  }

  /** Counts the lines of a map. */
  @SuppressWarnings("SameNameButDifferent") // Context is that of the mapper
  public static final class LineCount extends Mapper<LongWritable, Text, Text, LongWritable> {
    private long lines;

    @Override
    protected void map(LongWritable position, Text line, Context context) {
      lines++;
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      context.write(new Text("lines"), new LongWritable(lines));
    }
  }

  /** Sorts lines, within each part. */
  @SuppressWarnings("SameNameButDifferent") // Context is that of the mapper or of the reducer
  public static final class SortLines {
    private SortLines() {}

    /** Emits each line as a key. */
    public static final class Lines extends Mapper<LongWritable, Text, Text, NullWritable> {
      @Override
      protected void map(LongWritable position, Text line, Context context)
          throws IOException, InterruptedException {
        context.write(line, NullWritable.get());
      }
    }

    /** Writes each line as often as it occurs, at the job's pace. */
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

  /** The demo job's own keys in a job configuration. */
  public static final class DemoKeys {
    /** Bytes of input that a healthy map reads per second; 0: as fast as it can. */
    public static final String MAP_RATE = "drover.demo.map.bytes-per-second";

    /** Records that a healthy reduce reads per second; 0: as fast as it can. */
    public static final String REDUCE_RATE = "drover.demo.reduce.records-per-second";

    /** A {@link Scenario#key()}: the fault of the job's own reader and reducer. */
    public static final String FAULT = "drover.demo.fault";

    /** The host of {@link Scenario#SLOW_NODE}. */
    public static final String FAULT_HOST = "drover.demo.fault.host";

    /** The task of the scenarios that fault one attempt, such as m3 or r0. */
    public static final String FAULT_TASK = "drover.demo.fault.task";

    /** Whether the job is of the program that fails, in {@link Scenario#FAILING_JOBS}. */
    public static final String FAILS = "drover.demo.fault.fails";

    /**
     * The host of each file of the input on which its map ought to run; none: where the file is.
     */
    public static final String HOMES = "drover.demo.homes";

    /** The number by which the slow scenarios divide the rate. */
    public static final String SLOWDOWN = "drover.demo.fault.slowdown";

    private DemoKeys() {}
  }

  /**
   * A reducer that reads its records no faster than {@link DemoKeys#REDUCE_RATE}.
   *
   * @param <KI> key in
   * @param <VI> value in
   * @param <KO> key out
   * @param <VO> value out
   */
  public abstract static class PacedReducer<KI, VI, KO, VO> extends Reducer<KI, VI, KO, VO> {
    private WorkPacer pace;
    private long records;

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      super.setup(context);
      Configuration conf = context.getConfiguration();
      TaskFault fault = TaskFault.here(conf, context.getTaskAttemptID());
      pace = WorkPacer.of(fault.of(conf.getDouble(DemoKeys.REDUCE_RATE, 0)));
    }

    /** Must be called for each value that was read. */
    protected final void tick() throws InterruptedException {
      records++;
      pace.upTo(records);
    }
  }
}
