// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.lib.IdentityMapper;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/**
 * Real jobs on real files, in this process: two lines of text are copied, and each copy of the job
 * does what it is told beside.
 */
final class LocalJobs {
  private static final String SCRIPT = "test.copy.";
  private static final Pattern COPY = Pattern.compile("_out\\.drover-copy-(\\d+)-[0-9a-f]{8}");

  /** Counted down by each map, when its output is open. */
  private static volatile CountDownLatch started = new CountDownLatch(0);

  private final Path directory;

  LocalJobs(Path directory) {
    this.directory = directory;
    expect(0);
  }

  /** No map goes on before so many are there. */
  static CountDownLatch expect(int maps) {
    started = new CountDownLatch(maps);
    return started;
  }

  /** What a copy does in its map; without one, it works. */
  enum Act {
    FAIL,
    STALL,
    /** Before it works, it makes the output that the job was to make. */
    TAKE_THE_PLACE,
    /** Before it works, it sees to it that nobody knows of the first copy any more. */
    FORGET_THE_FIRST,
    FORGET_AND_STALL,
    /** Before it works, nobody knows of the first copy until somebody has asked about it. */
    FORGET_UNTIL_ASKED,
    /** Fails when the first copy is known again and has succeeded. */
    FAIL_AFTER_THE_FIRST
  }

  Configuration conf() {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "file:///");
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    conf.set("mapreduce.jobtracker.staging.root.dir", directory.resolve("staging").toString());
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 10);
    conf.setInt("mapreduce.client.completion.pollinterval", 10);
    return conf;
  }

  /** A job of one map. */
  Job job(Map<Integer, Act> script) throws IOException {
    Configuration conf = conf();
    script.forEach((copy, act) -> conf.setEnum(SCRIPT + copy, act));
    Job job = Job.getInstance(conf, "lines");
    job.setMapperClass(Scripted.class);
    job.setOutputFormatClass(Remembered.class);
    job.setNumReduceTasks(0);
    FileInputFormat.addInputPath(job, hadoop(input("a", "one\ntwo\n")));
    FileOutputFormat.setOutputPath(job, hadoop(output()));
    return job;
  }

  Path input(String name, String content) throws IOException {
    Files.createDirectories(directory.resolve("in"));
    return Files.writeString(directory.resolve("in").resolve(name), content);
  }

  /** Where the job's output is to be; its directory holds nothing else but copies' outputs. */
  Path output() {
    return directory.resolve("data/out");
  }

  static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri());
  }

  /** What there is beside the output, and it. */
  List<String> outputs() throws IOException {
    Path parent = output().getParent();
    if (!Files.exists(parent)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  /** The number of the copy that a directory is of. */
  static int copyOf(String name) {
    Matcher matcher = COPY.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(name);
    }
    return Integer.parseInt(matcher.group(1));
  }

  /** Hands its lines on, after the act of its copy. */
  static final class Scripted extends Mapper<LongWritable, Text, LongWritable, Text> {
    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      org.apache.hadoop.fs.Path output = FileOutputFormat.getOutputPath(context);
      started.countDown();
      started.await();
      String act = context.getConfiguration().get(SCRIPT + copyOf(output.getName()));
      if (act == null) {
        return;
      }
      switch (Act.valueOf(act)) {
        case FAIL -> throw new IOException("as told");
        case STALL -> new CountDownLatch(1).await(); // until it is killed
        case FORGET_THE_FIRST -> Remembered.forget();
        case FORGET_AND_STALL -> {
          Remembered.forget();
          new CountDownLatch(1).await();
        }
        case FORGET_UNTIL_ASKED -> Remembered.forgetUntilAsked();
        case FAIL_AFTER_THE_FIRST -> {
          Remembered.awaitSuccess();
          throw new IOException("as told");
        }
        case TAKE_THE_PLACE -> take(Path.of(output.getParent().toUri()).resolve("out"));
        default -> throw new IllegalArgumentException(act);
      }
    }

    private static void take(Path place) {
      try {
        Files.createDirectory(place);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A map of the old API: all copies get to it, and the second one no further. */
  static final class StallsInTheSecond extends IdentityMapper<LongWritable, Text> {
    @Override
    public void configure(JobConf job) {
      started.countDown();
      try {
        started.await();
        if (copyOf(org.apache.hadoop.mapred.FileOutputFormat.getOutputPath(job).getName()) == 2) {
          new CountDownLatch(1).await(); // until it is killed
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Keeps hold of the first copy's job, so that it can be given an id that nobody knows. */
  static final class Remembered extends TextOutputFormat<Object, Text> {
    private static final AtomicReference<Job> FIRST = new AtomicReference<>();
    private static volatile CountDownLatch known = new CountDownLatch(0);

    static void forget() {
      FIRST.get().setJobID(new JobID("forgotten", 1));
    }

    static void forgetUntilAsked() throws InterruptedException {
      JobID id = FIRST.get().getJobID();
      CountDownLatch asked = new CountDownLatch(1);
      FIRST
          .get()
          .setJobID(
              new JobID("forgotten", 1) {
                @Override
                public String getJtIdentifier() { // the cluster looks it up
                  asked.countDown();
                  return super.getJtIdentifier();
                }
              });
      asked.await();
      FIRST.get().setJobID(id);
      known.countDown();
    }

    static void awaitSuccess() throws InterruptedException {
      known.await();
      await().forever().until(FIRST.get()::isSuccessful);
    }

    @Override
    public void checkOutputSpecs(JobContext job) throws IOException {
      super.checkOutputSpecs(job);
      if (copyOf(getOutputPath(job).getName()) == 1) {
        known = new CountDownLatch(1);
        FIRST.set((Job) job);
      }
    }
  }
}
