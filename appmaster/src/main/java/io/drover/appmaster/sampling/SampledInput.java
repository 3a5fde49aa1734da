// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.appmaster.input.SplitReader;
import io.drover.client.sampling.BlockSampler;
import io.drover.client.sampling.SampleBlock;
import io.drover.client.sampling.SampleLineage;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.SampleSettings;
import io.drover.core.sampling.PastDurations;
import io.drover.core.sampling.SamplingSettings;
import io.drover.core.sampling.TaskDurations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans which blocks of its input a job reads: before its tasks exist, from the request in its
 * configuration and from its splits.
 */
final class SampledInput {
  private static final Logger LOG = LoggerFactory.getLogger(SampledInput.class);

  /** A bound on what an attempt asks for, because each host costs the ResourceManager time. */
  private static final int OTHER_BLOCKS = 16;

  private final SampleSettings request;
  private final BooleanSupplier mayBindLate;
  private final Supplier<ClassLoader> classes;
  private final ToDoubleFunction<Integer> ratio;
  private final int appAttempt;

  /**
   * What was planned.
   *
   * @param seed of random draws; different for each job
   * @param settings the constants of late binding
   * @param state which blocks maps read, as far as it is known
   * @param blocks all N blocks
   * @param splits the splits of all N blocks
   * @param file where the AppMaster keeps the state
   * @param recovers whether the state is from an earlier AppMaster
   * @param knowsHistory whether the AppMaster just before this one has left a state. Otherwise it
   *     knew nothing of the sample, and what its history says of tasks is not about these blocks
   */
  record Plan(
      long seed,
      SamplingSettings settings,
      SampleState state,
      List<SampleBlock> blocks,
      List<TaskSplitMetaInfo> splits,
      Path file,
      boolean recovers,
      boolean knowsHistory) {
    /**
     * Returns the splits with which the M maps begin: the one of its block for each map that has
     * one. The others are on the hosts of all blocks of a group, so that together they ask for
     * containers wherever there are blocks that they may take.
     */
    TaskSplitMetaInfo[] placeholders(BlockBinder binder) {
      List<Integer> open = new ArrayList<>(binder.open());
      Collections.shuffle(open, new Random(seed));
      TaskSplitMetaInfo[] first = new TaskSplitMetaInfo[state.maps()];
      Arrays.setAll(first, map -> splits.get(binder.blockOf(map).orElse(map)));
      int[] unbound = IntStream.range(0, first.length).filter(binder::isUnbound).toArray();
      for (int group = 0; group < unbound.length; group++) {
        Set<String> on = new LinkedHashSet<>();
        for (int i = group; i < open.size(); i += unbound.length) {
          on.addAll(hosts(blocks.get(open.get(i))));
        }
        int any = group < open.size() ? open.get(group) : unbound[group];
        first[unbound[group]] = on(splits.get(any), on);
      }
      return first;
    }

    /** Returns a split on its own hosts and on those of at most {@link #OTHER_BLOCKS} blocks. */
    TaskSplitMetaInfo splitOnHostsOf(TaskSplitMetaInfo own, List<Integer> others) {
      Set<String> on = new LinkedHashSet<>(List.of(own.getLocations()));
      if (!others.isEmpty()) {
        new Random(seed + own.getStartOffset())
            .ints(0, others.size())
            .distinct()
            .limit(Math.min(OTHER_BLOCKS, others.size()))
            .forEach(drawn -> on.addAll(hosts(blocks.get(others.get(drawn)))));
      }
      return on(own, on);
    }
  }

  /**
   * Creates the planner of a job.
   *
   * @param mayBindLate tells whether maps may take their blocks when their containers come
   * @param classes returns the job's class loader
   * @param ratio returns M/K; gets N and may wait for the scheduler's answer
   * @param appAttempt number of this AppMaster, from 1
   */
  SampledInput(
      SampleSettings request,
      BooleanSupplier mayBindLate,
      Supplier<ClassLoader> classes,
      ToDoubleFunction<Integer> ratio,
      int appAttempt) {
    this.request = request;
    this.mayBindLate = mayBindLate;
    this.classes = classes;
    this.ratio = ratio;
    this.appAttempt = appAttempt;
  }

  /**
   * Plans the input, or takes over the plan of an earlier AppMaster. The plan is in the staging
   * directory when this returns.
   *
   * @param staging the job's staging directory
   * @param splits all N splits
   * @throws BadSettingException if the request cannot be met
   * @throws IOException if a file cannot be read or written
   */
  Plan plan(Configuration conf, JobId job, Path staging, TaskSplitMetaInfo[] splits)
      throws BadSettingException, IOException {
    Configuration own = new Configuration(conf);
    own.setClassLoader(classes.get());
    List<SampleBlock> blocks = new SplitReader(own).read(splits);
    Optional<SampleState> last = SampleStateFile.read(conf, file(staging, appAttempt - 1));
    Optional<SampleState> before = last.isPresent() ? last : earlier(conf, staging);
    if (before.isPresent() && before.get().total() != blocks.size()) {
      throw new IOException("the state of the sample is of another input");
    }
    boolean late = before.map(SampleState::late).orElseGet(mayBindLate::getAsBoolean);
    SamplingSettings settings = settings(blocks, before.isPresent() || !late);
    long seed = seed(job);
    SampleState state =
        before.isPresent() ? before.get() : first(own, seed, blocks, settings, late);
    Path file = file(staging, appAttempt);
    SampleStateFile.write(conf, file, state);
    LOG.info(
        "The job reads {} of {} blocks with {} maps, {}",
        state.needed(),
        state.total(),
        state.maps(),
        state.late() ? "bound when containers come" : "drawn before the start");
    return new Plan(
        seed, settings, state, blocks, List.of(splits), file, before.isPresent(), last.isPresent());
  }

  /** Reads how long the maps of an earlier run took, if the job names one. It can do without. */
  Optional<TaskDurations> history(Configuration conf) {
    if (request.history().isEmpty()) {
      return Optional.empty();
    }
    String file = request.history().get();
    try {
      List<Double> seconds = SampleLineage.read(conf, new Path(file)).mapSeconds();
      return Optional.of(
          new PastDurations(seconds.stream().mapToDouble(Double::doubleValue).toArray()));
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("{} is {}, which is no use: {}", SampleSettings.HISTORY.key(), file, e.toString());
      return Optional.empty();
    }
  }

  /** Returns a job's seed. Seeds of neighbours are far apart, or Random would begin alike. */
  static long seed(JobId job) {
    return new SplittableRandom(31 * job.getAppId().getClusterTimestamp() + job.getId()).nextLong();
  }

  private SampleState first(
      Configuration own,
      long seed,
      List<SampleBlock> blocks,
      SamplingSettings settings,
      boolean late)
      throws BadSettingException {
    SamplePlanner planner = new SamplePlanner(request, blocks, seed);
    if (request.record().isPresent()) {
      SampleLineage record = recorded(own);
      return planner.again(
          record.blocks().stream().map(SampleLineage.UsedBlock::block).toList(), record.total());
    }
    BlockSampler sampler = sampler(own);
    return late ? planner.late(sampler, settings, isFirstStage(own)) : planner.drawn(sampler);
  }

  /**
   * Returns whether a job reads the input of its workflow, as far as its configuration tells: no
   * other job of the workflow is before it.
   */
  private static boolean isFirstStage(Configuration conf) {
    String name = conf.get(MRJobConfig.WORKFLOW_NODE_NAME, "");
    String targets = Pattern.quote(MRJobConfig.WORKFLOW_ADJACENCY_PREFIX_STRING) + ".+";
    return conf.getValByRegex(targets).keySet().stream()
        .noneMatch(source -> Arrays.asList(conf.getTrimmedStrings(source)).contains(name));
  }

  private SampleLineage recorded(Configuration own) throws BadSettingException {
    String record = request.record().orElseThrow();
    try {
      return SampleLineage.read(own, new Path(record));
    } catch (IOException | IllegalArgumentException e) {
      throw new BadSettingException(
          SampleSettings.RECORD.key() + " is " + record + ", which cannot be read: " + e);
    }
  }

  private BlockSampler sampler(Configuration own) throws BadSettingException {
    if (request.sampler().isEmpty()) {
      return null;
    }
    String name = request.sampler().get();
    try {
      Class<? extends BlockSampler> type = own.getClassByName(name).asSubclass(BlockSampler.class);
      return ReflectionUtils.newInstance(type, own);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      throw new BadSettingException(
          "%s is %s, of which no object can be made: %s"
              .formatted(SampleSettings.SAMPLER.key(), name, e));
    }
  }

  /** Returns the constants of late binding. There is no wait for locality if no block has hosts. */
  private SamplingSettings settings(List<SampleBlock> blocks, boolean isPlanned) {
    SamplingSettings kmn = SamplingSettings.KMN;
    double extra = isPlanned ? kmn.extraRatio() : ratio.applyAsDouble(blocks.size());
    boolean anywhere = blocks.stream().allMatch(block -> hosts(block).isEmpty());
    double wait = anywhere ? 0 : request.localityWait().toMillis() / 1e3;
    return new SamplingSettings(
        extra,
        wait,
        Math.min(wait, kmn.sampleSeconds()),
        kmn.coalesce(),
        kmn.leastFinished(),
        kmn.replaceFailed());
  }

  /** Returns the hosts of a block that may be nodes of the cluster. */
  static List<String> hosts(SampleBlock block) {
    return block.hosts().stream().filter(SplitReader::isHost).toList();
  }

  /** Returns a split that is on the given hosts instead of its own. */
  static TaskSplitMetaInfo on(TaskSplitMetaInfo split, Collection<String> hosts) {
    return new TaskSplitMetaInfo(
        split.getSplitIndex(), hosts.toArray(String[]::new), split.getInputDataLength());
  }

  // --- the file

  /**
   * Checks that no earlier AppMaster has let other maps commit since this one has read its state.
   * It may live on for a while after this one has started.
   *
   * @throws IOException if one has, so that the output may hold more than K blocks
   */
  void checkThatNoOtherWasChosen(Configuration conf, Plan plan, List<Integer> chosen)
      throws IOException {
    Optional<SampleState> before = earlier(conf, plan.file().getParent());
    if (before.isPresent() && !new HashSet<>(chosen).containsAll(before.get().chosen())) {
      throw new IOException("Drover: an earlier AppMaster has chosen other maps");
    }
  }

  private static Path file(Path staging, int appAttempt) {
    return new Path(staging, "drover-sample-" + appAttempt + ".json");
  }

  /**
   * Reads the state that the last AppMaster before this one has left. Each has a file of its own,
   * so that one which is still alive cannot change what a later one goes by.
   */
  private Optional<SampleState> earlier(Configuration conf, Path staging) throws IOException {
    for (int before = appAttempt - 1; before >= 1; before--) {
      Optional<SampleState> state = SampleStateFile.read(conf, file(staging, before));
      if (state.isPresent()) {
        return state;
      }
    }
    return Optional.empty();
  }
}
