// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.JobSettings;
import io.drover.core.config.OutputSettings;
import io.drover.core.model.TaskKind;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.db.DBOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.FilterOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which tasks may have two attempts, by the job's output classes and its speculation. */
class OutputSafetyTest {
  private JobConf conf = new JobConf();

  @BeforeEach
  void bothAreSpeculatedOn() {
    conf.setMapSpeculativeExecution(true);
    conf.setReduceSpeculativeExecution(true);
  }

  private OutputSettings settings() throws Exception {
    return JobSettings.read(List.of(), conf::get, Duration.ofSeconds(1)).outputs();
  }

  private Set<TaskKind> kinds(boolean hasReduces) throws Exception {
    return CopyableTasks.kinds(conf, hasReduces, settings(), conf.getClassLoader());
  }

  private void assertSafe() throws Exception {
    assertThat(kinds(true)).containsExactlyInAnyOrder(TaskKind.MAP, TaskKind.REDUCE);
  }

  private void assertWritersAreLeftAlone() throws Exception {
    assertThat(kinds(true)).containsExactly(TaskKind.MAP);
    assertThat(kinds(false)).containsExactly(TaskKind.REDUCE);
  }

  /** Returns the job, whose configuration is used from now on. */
  private Job job() throws IOException {
    Job job = Job.getInstance(conf);
    conf = (JobConf) job.getConfiguration();
    return job;
  }

  /** Writes before the commit, according to the deny-list. */
  public static class OldTableOutputFormat
      extends org.apache.hadoop.mapred.lib.NullOutputFormat<Text, Text> {}

  /** Extends the listed class. */
  public static class Hidden extends OldTableOutputFormat {}

  /** Hides the class that it writes through. */
  public static class Wrapper extends FilterOutputFormat<Text, Text> {
    public Wrapper() {
      super(new Inner());
    }
  }

  /** Hides it one level deeper. */
  public static class Inner extends FilterOutputFormat<Text, Text> {
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Inner() {
      super(new DBOutputFormat());
    }
  }

  /** Wraps a format that is known to be safe. */
  public static class SafeWrapper extends FilterOutputFormat<Text, Text> {
    public SafeWrapper() {
      super(new TextOutputFormat<>());
    }
  }

  /** Wraps nothing until a task sets a format. */
  public static class LateWrapper extends FilterOutputFormat<Text, Text> {}

  @Test
  void usualOutputsAreSafe() throws Exception {
    assertSafe();
    conf.set("mapreduce.job.outputformat.class", TextOutputFormat.class.getName());
    conf.set("mapred.output.committer.class", "org.apache.hadoop.mapred.FileOutputCommitter");
    assertSafe();
  }

  @Test
  void subclassesCountAndPlainNamesToo() throws Exception {
    conf.set("mapred.output.format.class", Hidden.class.getName());
    assertWritersAreLeftAlone();
    conf.unset("mapred.output.format.class");
    conf.set(
        "mapreduce.job.outputformat.class", "org.apache.hadoop.hbase.mapreduce.TableOutputFormat");
    assertWritersAreLeftAlone();
  }

  @Test
  void unknownClassIsLeftAlone() throws Exception {
    conf.set("mapreduce.job.outputformat.class", "nowhere.to.be.Found");
    assertWritersAreLeftAlone();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"mapreduce.output.lazyoutputformat.outputformat", "mapred.lazy.output.format"})
  void lazyOutputIsLookedThrough(String key) throws Exception {
    conf.set("mapreduce.job.outputformat.class", LazyOutputFormat.class.getName());
    conf.set(key, TextOutputFormat.class.getName());
    assertSafe();
    conf.set(key, DBOutputFormat.class.getName());
    assertWritersAreLeftAlone();
  }

  @Test
  void oldLazyOutputIsLookedThrough() throws Exception {
    org.apache.hadoop.mapred.lib.LazyOutputFormat.setOutputFormatClass(conf, Hidden.class);
    assertWritersAreLeftAlone();
  }

  /** Maps may write through named outputs, too, even if reduces write the job's output. */
  @Test
  void namedOutputsAreLookedThrough() throws Exception {
    MultipleOutputs.addNamedOutput(job(), "t", TextOutputFormat.class, Text.class, Text.class);
    assertSafe();
    MultipleOutputs.addNamedOutput(job(), "db", DBOutputFormat.class, Text.class, Text.class);
    assertThat(kinds(true)).isEmpty();
  }

  @Test
  void namedOutputsOfTheOldApiAreLookedThrough() throws Exception {
    org.apache.hadoop.mapred.lib.MultipleOutputs.addNamedOutput(
        conf, "db", Hidden.class, Text.class, Text.class);
    assertThat(kinds(true)).isEmpty();
  }

  @Test
  void filtersAreLookedThrough() throws Exception {
    conf.set("mapreduce.job.outputformat.class", SafeWrapper.class.getName());
    assertSafe();
    conf.set("mapreduce.job.outputformat.class", Wrapper.class.getName());
    assertWritersAreLeftAlone();
    conf.set("mapreduce.job.outputformat.class", LateWrapper.class.getName());
    assertWritersAreLeftAlone();
  }

  @Test
  void jobDeclaresAClassSafeButNotItsSubclasses() throws Exception {
    conf.set("mapreduce.drover.restart.safe-outputs", "*LateWrapper,*$OldTable*");
    conf.set("mapreduce.job.outputformat.class", LateWrapper.class.getName());
    assertSafe();
    conf.set("mapred.output.format.class", OldTableOutputFormat.class.getName());
    assertSafe();
    conf.set("mapred.output.format.class", Hidden.class.getName());
    assertWritersAreLeftAlone();
  }

  /** Stands for the job's class loader, the only one that has the job's classes. */
  private static final class JobClasses extends ClassLoader {
    JobClasses() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = Hidden.class.getClassLoader().getResourceAsStream(file)) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  void jobsClassLoaderIsAsked() throws Exception {
    conf.set("mapred.output.format.class", Hidden.class.getName());
    conf.setClassLoader(ClassLoader.getPlatformClassLoader()); // has no class of the job
    ClassLoader jobs = new JobClasses();
    assertThat(new OutputSafety(settings()).objection(conf, jobs).orElseThrow().why())
        .contains("is excluded as", "OldTableOutputFormat");
  }

  /** As in stock Hadoop, the current keys count as well as the deprecated ones. */
  @ParameterizedTest
  @CsvSource({
    "mapreduce.map.speculative, REDUCE",
    "mapreduce.reduce.speculative, MAP",
    "mapred.map.tasks.speculative.execution, REDUCE",
    "mapred.reduce.tasks.speculative.execution, MAP",
  })
  void onlyWhatIsSpeculatedOnMayBeCopied(String key, TaskKind left) throws Exception {
    conf.setBoolean(key, false);
    assertThat(kinds(true)).containsExactly(left);
  }

  /** Hadoop 3 no longer supports this key. */
  @Test
  void oldestKeyOfBothIsIgnoredAsInStock() throws Exception {
    conf.setBoolean("mapred.speculative.execution", false);
    assertSafe();
  }

  @Test
  void programHasTheLastWord() throws Exception {
    conf.setBoolean("mapred.map.tasks.speculative.execution", true);
    job().setSpeculativeExecution(false);
    assertThat(kinds(true)).isEmpty();
    conf.setSpeculativeExecution(true);
    assertSafe();
    job().setMapSpeculativeExecution(false);
    assertThat(kinds(true)).containsExactly(TaskKind.REDUCE);
  }
}
