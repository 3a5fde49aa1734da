// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.job.JobRunner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.lib.IdentityMapper;
import org.apache.hadoop.mapred.lib.IdentityReducer;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.map.InverseMapper;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.server.jobtracker.JTConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Jobs of other kinds than the demo's under Drover, with clones, all at once: they write what they
 * write in Hadoop's runner of jobs within one process.
 */
@ExtendWith(SharedCluster.class)
class AnyJobIT {
  private static final int FILES = 2;
  private static final String DECISIONS = "/any/decisions";

  private static DroverCluster cluster;

  /** Kinds of jobs; each is made ready but for its output. */
  private enum Kind {
    OLD_API {
      @Override
      Job make(Configuration conf, Path input, Path output) throws IOException {
        return oldApi(conf, input, output, 2);
      }
    },
    OLD_API_MAPS_ONLY {
      @Override
      Job make(Configuration conf, Path input, Path output) throws IOException {
        return oldApi(conf, input, output, 0);
      }
    },
    MAPS_ONLY {
      @Override
      Job make(Configuration conf, Path input, Path output) throws IOException {
        Job job = newApi(conf, input, output);
        job.setMapperClass(InverseMapper.class);
        job.setOutputKeyClass(Text.class);
        job.setNumReduceTasks(0);
        return job;
      }
    },
    /** Commits of tasks go straight into the output directory. */
    COMMITTER_V2 {
      @Override
      Job make(Configuration conf, Path input, Path output) throws IOException {
        conf.setInt("mapreduce.fileoutputcommitter.algorithm.version", 2);
        return wordCount(conf, input, output);
      }
    },
    MANIFEST_COMMITTER {
      @Override
      Job make(Configuration conf, Path input, Path output) throws IOException {
        conf.set(
            "mapreduce.outputcommitter.factory.scheme.hdfs",
            "org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitterFactory");
        return wordCount(conf, input, output);
      }
    },
    COMPRESSED_AND_LAZY {
      @Override
      Job make(Configuration conf, Path input, Path output) throws IOException {
        conf.setBoolean("mapreduce.map.output.compress", true);
        Job job = wordCount(conf, input, output);
        LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
        return job;
      }
    };

    abstract Job make(Configuration conf, Path input, Path output) throws IOException;

    private static Job oldApi(Configuration conf, Path input, Path output, int reduces)
        throws IOException {
      JobConf job = new JobConf(conf, AnyJobIT.class);
      job.setMapperClass(IdentityMapper.class);
      job.setReducerClass(IdentityReducer.class);
      job.setNumReduceTasks(reduces);
      org.apache.hadoop.mapred.FileInputFormat.addInputPath(job, input);
      org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(job, output);
      return Job.getInstance(job);
    }

    private static Job newApi(Configuration conf, Path input, Path output) throws IOException {
      Job job = Job.getInstance(conf);
      FileInputFormat.addInputPath(job, input);
      FileOutputFormat.setOutputPath(job, output);
      return job;
    }

    private static Job wordCount(Configuration conf, Path input, Path output) throws IOException {
      Job job = newApi(conf, input, output);
      job.setMapperClass(TokenCounterMapper.class);
      job.setReducerClass(IntSumReducer.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(IntWritable.class);
      job.setNumReduceTasks(1);
      return job;
    }
  }

  @BeforeAll
  static void start(DroverCluster shared) {
    cluster = shared;
  }

  @Test
  void jobsOfAllKindsWriteWhatTheyWriteAlone() throws Exception {
    FileSystem fs = FileSystem.get(cluster.clientConf());
    Path input = new Path("/any/input");
    for (int i = 0; i < FILES; i++) {
      try (PrintStream text =
          new PrintStream(fs.create(new Path(input, "" + i)), false, StandardCharsets.UTF_8)) {
        for (int line = 0; line < 2000; line++) {
          text.println("line " + line + " of file " + i + " has " + line % 7 + " of " + line % 11);
        }
      }
    }
    Map<Kind, Job> jobs = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      jobs.put(kind, submit(kind, underDrover(), input, "drover"));
    }
    for (Kind kind : Kind.values()) {
      Job alone = submit(kind, Map.of("mapreduce.framework.name", "local"), input, "local");
      assertThat(JobEnd.succeeds(alone)).as("%s, alone", kind).isTrue();
      assertThat(JobEnd.succeeds(jobs.get(kind))).as("%s", kind).isTrue();
      List<String> wanted = lines(fs, output(kind, "local"));
      assertThat(wanted).isNotEmpty();
      assertThat(lines(fs, output(kind, "drover"))).as("%s", kind).isEqualTo(wanted);
      Path log = new Path(DECISIONS, jobs.get(kind).getJobID() + ".jsonl");
      await().atMost(JobsUnderTest.LIMIT).until(() -> fs.exists(log)); // Drover's AppMaster ran
    }
    assertThat(java.nio.file.Path.of(cluster.clientConf().get(JTConfig.JT_STAGING_AREA_ROOT)))
        .as("what local jobs would leave beside the cluster's directory")
        .startsWith(cluster.directory())
        .isNotEmptyDirectory();
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }

  private static Map<String, String> underDrover() {
    Map<String, String> settings = new HashMap<>(new JobRunner(cluster).underDrover());
    settings.put("mapreduce.map.speculative", "true");
    settings.put("mapreduce.reduce.speculative", "true");
    settings.put("mapreduce.drover.decision-log.dir", DECISIONS);
    return settings;
  }

  private static Job submit(Kind kind, Map<String, String> settings, Path input, String mode)
      throws Exception {
    Configuration conf = cluster.clientConf();
    settings.forEach(conf::set);
    Job job = kind.make(conf, input, output(kind, mode));
    job.setJobName(kind + ", " + mode);
    job.submit();
    return job;
  }

  private static Path output(Kind kind, String mode) {
    return new Path("/any/output/" + kind + "/" + mode);
  }

  private static List<String> lines(FileSystem fs, Path output) throws IOException {
    List<String> lines = new ArrayList<>();
    for (FileStatus part : fs.globStatus(new Path(output, "part-*"))) {
      try (BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(fs.open(part.getPath()), StandardCharsets.UTF_8))) {
        reader.lines().forEach(lines::add);
      }
    }
    Collections.sort(lines);
    return lines;
  }
}
