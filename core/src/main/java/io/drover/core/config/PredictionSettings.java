// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import io.drover.core.predict.FeatureSet;
import io.drover.core.predict.TrainingSettings;
import io.drover.core.predict.model.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The administrator's settings of the prediction of failing jobs.
 *
 * @param mode off; observe: jobs are called and compared with how they turn out; on: those that are
 *     called failing are also ended
 * @param training how models are trained
 * @param retrain how often
 * @param controls the share of jobs that are called failing and go on all the same
 * @param dir the directory that keeps jobs that have ended, if there is one
 * @param applicationTypes the types of applications that may be ended
 * @param exemptQueues the queues whose jobs are never ended
 * @param exemptUsers the users whose jobs are never ended
 * @param secondAttempts whether jobs that are called failing have fewer second attempts
 */
public record PredictionSettings(
    Mode mode,
    TrainingSettings training,
    Duration retrain,
    double controls,
    Optional<String> dir,
    List<String> applicationTypes,
    List<String> exemptQueues,
    List<String> exemptUsers,
    Mode secondAttempts) {
  private static final String PREFIX = "yarn.drover.predict.";

  /** Whether jobs are called failing, and ended. */
  public static final Setting<Mode> MODE =
      Setting.mode(
          PREFIX + "mode",
          Mode.OBSERVE,
          "Whether Drover's scheduler predicts which jobs fail. observe: it calls them and counts how"
              + " they turn out; on: it also ends jobs that are called failing, after"
              + " predict.grace (Rosa, Chen and Binder, CCGrid 2015).");

  /** How long a job that is called failing may still run. */
  public static final Setting<Duration> GRACE =
      Setting.duration(
          PREFIX + "grace",
          "20m",
          Duration.ZERO,
          Duration.ofDays(10),
          "How long a job may run, from its start, before it is ended because it is called failing"
              + " (slides: 20 minutes).");

  /** MFN, the share of all jobs that may be good and ended. */
  public static final Setting<Double> MOST_MISJUDGED =
      Setting.number(
          PREFIX + "max-misjudged",
          0.01,
          0.0001,
          0.5,
          "MFN: the largest share of all jobs that may be good and ended. Models are made for it,"
              + " and when more have been, none is ended until it is better.");

  /** The window of jobs from which a model learns. */
  public static final Setting<Duration> WINDOW =
      Setting.duration(
          PREFIX + "window",
          "10d",
          Duration.ofMinutes(1),
          Duration.ofDays(100),
          "How far back jobs are looked at to train a model (slides: 10 days).");

  /** How often a model is trained. */
  public static final Setting<Duration> RETRAIN =
      Setting.duration(
          PREFIX + "retrain",
          "1d",
          Duration.ofSeconds(1),
          Duration.ofDays(30),
          "How often a new model is trained (slides: every day).");

  /** The kind of classifier. */
  public static final Setting<String> METHOD =
      Setting.oneOf(
          PREFIX + "method",
          words(Method.values()),
          word(TrainingSettings.DEFAULT.method()),
          "The kind of classifier: linear discriminant analysis, the same of squares and products"
              + " as well, quadratic discriminant analysis, or logistic regression.");

  /** The features that a model sees. */
  public static final Setting<List<String>> FEATURES =
      Setting.list(
          PREFIX + "features",
          "static,history",
          "What a model sees: static (what jobs ask for), system (what the cluster does), history"
              + " (how jobs of the same user, queue and program ended).");

  /** The share of controls. */
  public static final Setting<Double> CONTROLS =
      Setting.number(
          PREFIX + "controls",
          0.1,
          0.01,
          1,
          "The share of the jobs that would be ended and go on all the same. Only they tell how many"
              + " good jobs are ended.");

  /** The number of jobs from which a model learns. */
  public static final Setting<Integer> MOST_JOBS =
      Setting.integer(
          PREFIX + "max-jobs",
          500_000,
          100,
          5_000_000,
          "The most jobs that are kept in memory to train a model; each takes about 400 bytes, and"
              + " 1,500 while a model is trained. There are never more than take a tenth of the heap"
              + " then: 71,500 with 1 GB.");

  /** How much memory a job takes while a model is trained. */
  private static final int BYTES_OF_A_JOB = 1_500;

  /** The directory that keeps jobs that have ended. */
  public static final Setting<String> DIR =
      Setting.text(
          PREFIX + "dir",
          "",
          "a directory on any Hadoop file system",
          "The directory to which the scheduler writes the jobs that have ended, for the next"
              + " ResourceManager. Without it, the next one learns anew. Only the ResourceManager"
              + " must be able to write there.");

  /** The types of applications that may be ended. */
  public static final Setting<List<String>> APPLICATION_TYPES =
      Setting.list(
          PREFIX + "application-types",
          "MAPREDUCE",
          "The types of applications that may be ended. Others are only counted.");

  /** The queues whose jobs are never ended. */
  public static final Setting<List<String>> EXEMPT_QUEUES =
      Setting.list(
          PREFIX + "exempt-queues",
          "",
          "Queues, by their full paths or names, whose jobs, and those of the queues below them, are"
              + " never ended.");

  /** The users whose jobs are never ended. */
  public static final Setting<List<String>> EXEMPT_USERS =
      Setting.list(PREFIX + "exempt-users", "", "Users whose jobs are never ended.");

  /** Whether jobs that are called failing have fewer second attempts. */
  public static final Setting<Mode> SECOND_ATTEMPTS_MODE =
      Setting.mode(
          PREFIX + "second-attempts.mode",
          Mode.OFF,
          "Whether jobs that are called failing, and that predict.mode on would end, have fewer"
              + " clones and copies: their time counts only as far as they may succeed. observe: it"
              + " is only counted how long the clones and copies of such jobs run.");

  /** All settings, in the order of the documentation. */
  static final List<Setting<?>> ALL =
      List.of(
          MODE,
          GRACE,
          MOST_MISJUDGED,
          WINDOW,
          RETRAIN,
          METHOD,
          FEATURES,
          CONTROLS,
          MOST_JOBS,
          DIR,
          APPLICATION_TYPES,
          EXEMPT_QUEUES,
          EXEMPT_USERS,
          SECOND_ATTEMPTS_MODE);

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> words(Enum<?>... values) {
    return Arrays.stream(values).map(PredictionSettings::word).toList();
  }

  /** Reads and checks the settings. */
  static PredictionSettings read(UnaryOperator<String> conf) throws BadSettingException {
    TrainingSettings training =
        new TrainingSettings(
            Method.valueOf(METHOD.read(conf).toUpperCase(Locale.ROOT)),
            sets(FEATURES.read(conf)),
            WINDOW.read(conf),
            GRACE.read(conf),
            MOST_MISJUDGED.read(conf),
            MOST_JOBS.read(conf));
    return new PredictionSettings(
        MODE.read(conf),
        training,
        RETRAIN.read(conf),
        CONTROLS.read(conf),
        Optional.ofNullable(DIR.read(conf)),
        names(APPLICATION_TYPES.read(conf)),
        names(EXEMPT_QUEUES.read(conf)),
        names(EXEMPT_USERS.read(conf)),
        SECOND_ATTEMPTS_MODE.read(conf));
  }

  private static List<String> names(List<String> read) {
    return Objects.requireNonNullElse(read, List.of());
  }

  private static Set<FeatureSet> sets(List<String> names) throws BadSettingException {
    Set<FeatureSet> sets = EnumSet.noneOf(FeatureSet.class);
    for (String name : names) {
      List<String> known = words(FeatureSet.values());
      int place = known.indexOf(name.toLowerCase(Locale.ROOT));
      if (place < 0) {
        throw new BadSettingException(
            "%s has '%s'; allowed: %s".formatted(FEATURES.key(), name, String.join(", ", known)));
      }
      sets.add(FeatureSet.values()[place]);
    }
    if (sets.isEmpty()) {
      throw new BadSettingException(FEATURES.key() + " names no set of features");
    }
    return sets;
  }

  /**
   * Returns these settings, with so few jobs that a model is trained in some memory.
   *
   * @param bytes how much
   */
  public PredictionSettings within(long bytes) {
    int most = (int) Math.max(1, Math.min(training.mostJobs(), bytes / BYTES_OF_A_JOB));
    return new PredictionSettings(
        mode,
        training.of(most),
        retrain,
        controls,
        dir,
        applicationTypes,
        exemptQueues,
        exemptUsers,
        secondAttempts);
  }

  /**
   * Returns whether jobs of a kind may be ended.
   *
   * @param queuePath the full path of the queue, such as {@code root.prod.etl}
   */
  public boolean mayEnd(String applicationType, String queuePath, String user) {
    return applicationTypes.stream().anyMatch(applicationType::equalsIgnoreCase)
        && !exemptUsers.contains(user)
        && exemptQueues.stream().noneMatch(exempt -> covers(exempt, queuePath));
  }

  /** Returns whether a name or path is that of a queue, or of one above it. */
  private static boolean covers(String exempt, String queuePath) {
    boolean isByPath = (queuePath + ".").startsWith(exempt + ".");
    return isByPath || Arrays.asList(queuePath.split("\\.")).contains(exempt);
  }
}
