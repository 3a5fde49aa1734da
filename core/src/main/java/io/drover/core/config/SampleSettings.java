// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * A job's request for a sample: any K of the N blocks of its input (KMN).
 *
 * @param mode late binding: off, observe or on
 * @param blocks K, if the job gives it as a number
 * @param ratio K / N, in (0,1], if the job gives it as a share
 * @param sampler name of the class that offers candidate samples, if the job has one
 * @param record file that names the blocks of an earlier run, if the job is to read the same
 * @param history file that has the times of an earlier run's maps, if the job has one
 * @param chooseBySize whether the choice of outputs depends on their sizes
 * @param localityWait how long the job declines containers that are not local to a block
 */
public record SampleSettings(
    Mode mode,
    OptionalInt blocks,
    OptionalDouble ratio,
    Optional<String> sampler,
    Optional<String> record,
    Optional<String> history,
    boolean chooseBySize,
    Duration localityWait) {
  /** What the keys of a sample begin with. */
  public static final String PREFIX = JobSettings.PREFIX + "sample.";

  /** Late binding: off, observe or on. */
  public static final Setting<Mode> MODE =
      Setting.mode(
          PREFIX + "mode",
          Mode.ON,
          "How a job that asks for a sample gets its blocks (KMN section 3). on: a map takes a"
              + " block that is local to the container it gets, and a few extra maps run; off: the"
              + " blocks are drawn at random before the job starts, and no extra map runs; observe:"
              + " as off, and the log says what late binding would have won.");

  /** K. */
  public static final Setting<Integer> BLOCKS =
      Setting.optionalInteger(
          PREFIX + "blocks",
          1,
          Integer.MAX_VALUE,
          "K: the job reads this many of its input splits, whichever they are, instead of all."
              + " Set this or the ratio, not both.");

  /** K / N. */
  public static final Setting<Double> RATIO =
      Setting.optionalNumber(
          PREFIX + "ratio",
          0,
          1,
          "The same as a share of all input splits, above 0: 0.1 reads one of ten, rounded up.");

  /** Candidate samples. */
  public static final Setting<String> SAMPLER =
      Setting.text(
          PREFIX + "sampler",
          "",
          "a class that implements io.drover.client.sampling.BlockSampler",
          "The class that offers candidate samples, all of one size. The job reads its blocks from"
              + " one of them (KMN section 3.2). Without blocks or a ratio, K is the size of a"
              + " sample.");

  /** The sample of an earlier run. */
  public static final Setting<String> RECORD =
      Setting.text(
          PREFIX + "record",
          "",
          "a file on any Hadoop file system",
          "The record of the sample that an earlier run left beside its output. The job reads"
              + " exactly the blocks that it names.");

  /** The times of an earlier run. */
  public static final Setting<String> HISTORY =
      Setting.text(
          PREFIX + "history",
          "",
          "a file on any Hadoop file system",
          "The record that an earlier run of the same job left beside its output. How long its maps"
              + " took tells when this job's are expected to finish, and so how long to wait for"
              + " better outputs (KMN section 4.3). Without it, or if it cannot be read, the first"
              + " maps that finish tell.");

  /** How long a job waits for a local container. */
  public static final Setting<Duration> LOCALITY_WAIT =
      Setting.duration(
          PREFIX + "locality-wait",
          "3s",
          Duration.ZERO,
          Duration.ofMinutes(10),
          "How long a job that samples gives containers back that are not on a node with a block"
              + " it may still take. Then it takes a block of the same rack, or any.");

  /** Whether outputs are told apart by size. */
  public static final Setting<Boolean> CHOOSE_BY_SIZE =
      Setting.flag(
          PREFIX + "choose-by-size",
          false,
          "Whether the choice of the K map outputs that the reduces read prefers small outputs. It"
              + " shortens the shuffle, but the sample is then not a random one if the size of a"
              + " block's output has to do with what the job estimates.");

  static final List<Setting<?>> ALL =
      List.of(MODE, BLOCKS, RATIO, SAMPLER, RECORD, HISTORY, CHOOSE_BY_SIZE, LOCALITY_WAIT);

  /**
   * Reads a job's request.
   *
   * @param keys all keys of the job's configuration
   * @param conf gives the text of a key, null where it is not set
   * @throws BadSettingException if a key is unknown, a value is not allowed, or two contradict each
   *     other
   */
  public static SampleSettings read(Collection<String> keys, UnaryOperator<String> conf)
      throws BadSettingException {
    Setting.refuseUnknown(keys, PREFIX, ALL, conf);
    return read(conf);
  }

  static SampleSettings read(UnaryOperator<String> conf) throws BadSettingException {
    Optional<Integer> blocks = Optional.ofNullable(BLOCKS.read(conf));
    Optional<Double> ratio = Optional.ofNullable(RATIO.read(conf));
    SampleSettings settings =
        new SampleSettings(
            MODE.read(conf),
            blocks.map(OptionalInt::of).orElse(OptionalInt.empty()),
            ratio.map(OptionalDouble::of).orElse(OptionalDouble.empty()),
            Optional.ofNullable(SAMPLER.read(conf)),
            Optional.ofNullable(RECORD.read(conf)),
            Optional.ofNullable(HISTORY.read(conf)),
            CHOOSE_BY_SIZE.read(conf),
            LOCALITY_WAIT.read(conf));
    settings.check();
    return settings;
  }

  private void check() throws BadSettingException {
    if (ratio.isPresent() && ratio.getAsDouble() == 0) {
      throw new BadSettingException(RATIO.key() + " is 0; it must be above 0 and at most 1");
    }
    if (blocks.isPresent() && ratio.isPresent()) {
      throw new BadSettingException(
          "%s is %d and %s is %s; set one of them"
              .formatted(BLOCKS.key(), blocks.getAsInt(), RATIO.key(), ratio.getAsDouble()));
    }
    if (record.isPresent() && (blocks.isPresent() || ratio.isPresent() || sampler.isPresent())) {
      throw new BadSettingException(
          "%s names the blocks, so %s, %s and %s must not be set"
              .formatted(RECORD.key(), BLOCKS.key(), RATIO.key(), SAMPLER.key()));
    }
  }

  /** Whether the job asks for a sample. */
  public boolean isAsked() {
    return blocks.isPresent() || ratio.isPresent() || sampler.isPresent() || record.isPresent();
  }

  /**
   * Returns K for an input of N blocks.
   *
   * @param total N, at least 0
   * @return empty if the job gives neither a number nor a share
   * @throws BadSettingException if the job asks for more blocks than there are
   */
  public OptionalInt needed(int total) throws BadSettingException {
    if (ratio.isPresent()) {
      if (total == 0) {
        throw new BadSettingException(RATIO.key() + " is set, and the input has no split");
      }
      return OptionalInt.of((int) Math.ceil(ratio.getAsDouble() * total * (1 - 1e-12)));
    }
    if (blocks.isPresent() && blocks.getAsInt() > total) {
      throw new BadSettingException(
          "%s is %d, and the input has %d splits"
              .formatted(BLOCKS.key(), blocks.getAsInt(), total));
    }
    return blocks;
  }
}
