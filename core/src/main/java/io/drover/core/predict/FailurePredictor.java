// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import io.drover.core.predict.EndedJob.Features;
import io.drover.core.predict.FailureModel.Call;
import io.drover.core.predict.FailureModel.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Predicts on a running cluster which jobs fail, and says when they have to end.
 *
 * <p>A job is judged once, as soon as it is known what it asks for. What is known later does not
 * change the call, so that it can be compared with how the job turns out. If it is called failing,
 * it may run for the grace period from its start (slides, "Mitigation policy"), or from the call if
 * that is later. It is not ended if it is one of the controls, by which the {@link
 * MisjudgementGuard} learns how many good jobs would be ended; which jobs are controls depends on
 * their ids alone, so a restart changes nothing.
 *
 * <p>Not safe for several threads. Only {@link #training} is costly, and may run on another thread.
 */
public final class FailurePredictor {
  private static final int REASONS = 5;

  /**
   * How long a job may have run before it is judged, seconds. The threshold was chosen for jobs
   * that arrive; those that have lived for long are better than these.
   */
  private static final double LATEST = 600;

  /**
   * How long after an order was last due a job that is killed counts as ended by it, seconds: an
   * AppMaster goes by an answer for up to half a minute, and then ends its tasks.
   */
  private static final double ENDING_SECONDS = 60;

  /** The smallest probability of success that is told. */
  private static final double LEAST_SUCCESS = 0.05;

  private TrainingSettings settings;
  private double controls;
  private final JobFeatures features = new JobFeatures();
  private final Map<String, Live> live = new LinkedHashMap<>();
  private final List<EndedJob> ended = new ArrayList<>();
  private final MisjudgementGuard guard;
  private final Map<Turned, Long> turned = new HashMap<>();
  private final Map<Turned, Double> secondAttempts = new HashMap<>();
  private Optional<FailureModel> model = Optional.empty();
  private boolean ends;

  /** How a call has turned out. */
  public enum Turned {
    /** Called failing, and failed. */
    FAILED_AS_CALLED,
    /** Called failing, and did not fail. */
    CALLED_WRONGLY,
    /** Not called failing, and failed. */
    MISSED,
    /** Not called failing, and did not fail. */
    GOOD_AS_CALLED,
    /** Called failing and ended, so that nobody knows. */
    ENDED
  }

  /**
   * A job that has been judged.
   *
   * @param startedAt seconds; empty if it has not started
   * @param isControl whether it is not ended even if it is called failing
   * @param reasons the most important ones
   */
  public record Judgement(
      JobArrival job,
      Call call,
      OptionalDouble startedAt,
      boolean isControl,
      List<Reason> reasons) {}

  private static final class Live {
    final JobArrival arrival;
    final boolean mayEnd;
    final boolean isNew;
    double startedAt = Double.NaN;
    double judgedAt = Double.NEGATIVE_INFINITY;
    Judgement judgement;

    /** The largest share of controls since the call: who was let go on then stays so. */
    double controls;

    double dueAt = Double.NEGATIVE_INFINITY;
    double secondAttempts;

    Live(JobArrival arrival, boolean mayEnd, boolean isNew) {
      this.arrival = arrival;
      this.mayEnd = mayEnd;
      this.isNew = isNew;
    }

    boolean isControl() {
      // The lower bits of a text's hash differ between ids that differ in their last digits only.
      int spread = arrival.id().hashCode() * 0x9E3779B9;
      return (spread >>> 8) / (double) (1 << 24) < controls;
    }

    boolean isFailing() {
      return judgement != null && judgement.call().failing();
    }

    /** Returns for how long the grace period has been running, seconds. */
    double ran(double now) {
      return Double.isNaN(startedAt) ? 0 : Math.max(0, now - Math.max(startedAt, judgedAt));
    }
  }

  /**
   * Creates a predictor without a model.
   *
   * @param controls the share of the jobs that are let go on although they are called failing, in
   *     (0,1]
   */
  public FailurePredictor(TrainingSettings settings, double controls) {
    guard = new MisjudgementGuard(settings.mostMisjudged());
    configure(settings, controls);
  }

  /**
   * Applies new settings. All hold at once, and for models that are trained from now on, but for a
   * shorter grace period: while the model in use was made for a longer one, that holds. More good
   * jobs than allowed would be ended otherwise. With fewer controls, those that have been called
   * stay controls.
   *
   * @param newControls the share of the jobs that are let go on although they are called failing,
   *     in (0,1]
   */
  public final void configure(TrainingSettings newSettings, double newControls) {
    if (!(newControls > 0 && newControls <= 1)) {
      throw new IllegalArgumentException("the share of controls is in (0,1], was " + newControls);
    }
    settings = newSettings;
    controls = newControls;
    live.values().forEach(job -> job.controls = Math.max(job.controls, newControls));
    guard.allow(newSettings.mostMisjudged());
  }

  /** Returns how models are trained now. */
  public TrainingSettings settings() {
    return settings;
  }

  /** Returns for how long a job may run that is called failing, seconds. */
  private double graceSeconds() {
    return Math.max(settings.graceSeconds(), model.map(FailureModel::graceSeconds).orElse(0.0));
  }

  /** Says whether jobs are really ended; if not, it only counts what would be. */
  public void ends(boolean isOn) {
    ends = isOn;
  }

  // --- events

  /**
   * Notes that a job was submitted.
   *
   * @param mayEnd whether the administrator lets jobs of this kind be ended
   * @param isNew whether it was submitted just now. Others are not called: what they would be
   *     judged by is not what was known when they arrived, and that they still run says something
   *     as well.
   */
  public void submitted(JobArrival job, boolean mayEnd, boolean isNew) {
    if (live.putIfAbsent(job.id(), new Live(job, mayEnd, isNew)) == null) {
      features.submitted(job, JobRequests.UNKNOWN);
    }
  }

  /** Notes that a job has started to run. */
  public void started(String id, double at) {
    features.started(id, at);
    Live job = live.get(id);
    if (job != null && Double.isNaN(job.startedAt)) {
      job.startedAt = at;
    }
  }

  /** Notes what a job asks for, and judges it. */
  public void described(String id, JobRequests requests, double now) {
    if (live.containsKey(id) && live.get(id).judgement == null) {
      features.described(id, requests);
      judge(id, now);
    }
  }

  /**
   * Judges a job by what is known of it, unless it is judged already, or there was no model when it
   * started.
   */
  public void judge(String id, double now) {
    Live job = live.get(id);
    boolean isKnown = job != null && job.isNew && job.judgement == null;
    if (!isKnown || model.isEmpty() || job.ran(now) > LATEST) {
      return;
    }
    job.judgedAt = now;
    job.controls = controls;
    Features known = features.features(id).orElseThrow();
    Call call = model.get().call(known);
    List<Reason> reasons =
        call.failing() ? model.get().reasons(known).stream().limit(REASONS).toList() : List.of();
    job.judgement =
        new Judgement(job.arrival, call, OptionalDouble.empty(), job.isControl(), reasons);
  }

  /**
   * Returns how long a job may still run, if it has to end. The grace period begins when it has
   * started and has been called.
   *
   * @param mayEnd whether the administrator still lets it be ended
   * @return seconds; 0 if it has to end now, and then the caller must tell it; empty if it may run
   *     on
   */
  public OptionalDouble order(String id, boolean mayEnd, double now) {
    Live job = live.get(id);
    if (job == null || !ends || !mayEnd || !isActedOn(job)) {
      return OptionalDouble.empty();
    }
    double left = Math.max(0, graceSeconds() - job.ran(now));
    if (left == 0) {
      job.dueAt = now;
    }
    return OptionalDouble.of(left);
  }

  /**
   * Returns how likely a job is to succeed, if it is to have fewer second attempts: if it would be
   * ended if jobs were ended.
   *
   * @return in [0.05,1]: calls are wrong at times, and then such a job must not wait for ever
   */
  public OptionalDouble successProbability(String id) {
    Live job = live.get(id);
    return job != null && isActedOn(job)
        ? OptionalDouble.of(
            Math.max(LEAST_SUCCESS, 1 / (1 + Math.exp(job.judgement.call().score()))))
        : OptionalDouble.empty();
  }

  private boolean isActedOn(Live job) {
    return job.mayEnd && job.isFailing() && !job.isControl() && !guard.isStopped();
  }

  /**
   * Notes that a second attempt of a task of a job has ended.
   *
   * @param seconds how long it ran, as its AppMaster says
   * @param most how long all containers of the job ran together, which limits the sum
   */
  public void secondAttempt(String id, double seconds, double most) {
    Live job = live.get(id);
    if (job != null) {
      job.secondAttempts = Math.min(most, job.secondAttempts + seconds);
    }
  }

  /**
   * Notes that a job has ended.
   *
   * @param outcome how, as it seems
   * @return the job, if its end tells something about it
   */
  public Optional<KeptJob> ended(String id, double at, JobOutcome outcome) {
    Live job = live.remove(id);
    if (job == null) {
      return Optional.empty();
    }
    boolean isLate = job.isFailing() && job.ran(at) > graceSeconds();
    boolean isEnded = at - job.dueAt <= ENDING_SECONDS && outcome == JobOutcome.KILLED;
    boolean isOneOfMany = isLate && job.mayEnd && ends && !guard.isStopped() && job.isControl();
    int standsFor = isOneOfMany ? (int) Math.round(1 / job.controls) : 1;
    boolean isMisjudged = isLate && job.mayEnd && !isEnded && outcome != JobOutcome.FAILED;
    Optional<EndedJob> known =
        features.ended(id, at, isEnded ? Optional.empty() : Optional.of(outcome), standsFor);
    boolean isJudged = job.judgement != null;
    if (isJudged) {
      Turned how = turned(job.isFailing(), isEnded, outcome);
      turned.merge(how, 1L, Long::sum);
      if (isActedOn(job)) {
        secondAttempts.merge(how, job.secondAttempts, Double::sum);
      }
    }
    if (isJudged && job.mayEnd) {
      guard.ended(at, isMisjudged ? standsFor : 0);
    }
    if (!job.isNew) {
      return Optional.empty(); // its features are not those of its arrival
    }
    known.ifPresent(this::learn);
    return known.map(ended -> new KeptJob(job.arrival, ended, isJudged && job.mayEnd, isMisjudged));
  }

  /**
   * Takes in jobs that have ended before anything else was seen here.
   *
   * @param jobs in the order of their ends
   */
  public void restore(List<KeptJob> jobs) {
    for (KeptJob job : jobs) {
      features.remember(job.arrival(), job.ended());
      learn(job.ended());
      if (job.isJudged()) {
        guard.ended(job.ended().endedAt(), job.isMisjudged() ? job.ended().standsFor() : 0);
      }
    }
  }

  /** Notes that a job is gone, and nobody knows how it has ended. */
  public void lost(String id, double at) {
    if (live.remove(id) != null) {
      features.ended(id, at, Optional.empty());
    }
  }

  private static Turned turned(boolean isFailing, boolean isEnded, JobOutcome outcome) {
    if (isEnded) {
      return Turned.ENDED;
    }
    boolean hasFailed = outcome == JobOutcome.FAILED;
    if (isFailing) {
      return hasFailed ? Turned.FAILED_AS_CALLED : Turned.CALLED_WRONGLY;
    }
    return hasFailed ? Turned.MISSED : Turned.GOOD_AS_CALLED;
  }

  private void learn(EndedJob job) {
    ended.add(job);
    int most = settings.mostJobs();
    if (ended.size() > most + most / 10) { // not one by one: the others move
      ended.subList(0, ended.size() - most).clear();
    }
  }

  // --- models

  /**
   * Prepares the training of a model of the jobs that have ended by now.
   *
   * @return a training that may run on another thread
   */
  public PreparedTraining training(double now) {
    double oldest = now - settings.window().toMillis() / 1e3;
    ended.removeIf(job -> job.submittedAt() < oldest);
    List<EndedJob> jobs = new ArrayList<>(ended);
    Training training = new Training(settings);
    return () -> {
      Training.sort(jobs);
      return training.train(jobs, now);
    };
  }

  /** A training that is yet to run. */
  @FunctionalInterface
  public interface PreparedTraining {
    /** Trains a model. Returns empty if there are too few jobs. */
    Optional<FailureModel> run();
  }

  /** Uses a model from now on, or none. It judges the jobs that are described from now on. */
  public void use(Optional<FailureModel> newest) {
    model = newest;
  }

  // --- what is known

  /** Returns the model that is in use. */
  public Optional<FailureModel> model() {
    return model;
  }

  /** Returns whether a job is called failing. */
  public boolean isCalledFailing(String id) {
    Live job = live.get(id);
    return job != null && job.isFailing();
  }

  /** Returns the running jobs that are called failing, the eldest first. */
  public List<Judgement> calledFailing() {
    return live.values().stream()
        .filter(Live::isFailing)
        .map(
            job ->
                new Judgement(
                    job.arrival,
                    job.judgement.call(),
                    Double.isNaN(job.startedAt)
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(job.startedAt),
                    job.isControl(),
                    job.judgement.reasons()))
        .toList();
  }

  /** Returns how many calls have turned out how. */
  public Map<Turned, Long> turned() {
    return Map.copyOf(turned);
  }

  /**
   * Returns how long second attempts of jobs ran whose calls have turned out how, seconds. Only
   * jobs count that are to have fewer of them.
   */
  public Map<Turned, Double> secondAttempts() {
    return Map.copyOf(secondAttempts);
  }

  /** Returns how many jobs a model can be trained on now. */
  public int known() {
    return ended.size();
  }

  /** Returns the share of lately judged jobs that are good and were or would have been ended. */
  public double misjudged() {
    return guard.share();
  }

  /** Returns whether too many good jobs would be ended, so that none is. */
  public boolean isStopped() {
    return guard.isStopped();
  }
}
