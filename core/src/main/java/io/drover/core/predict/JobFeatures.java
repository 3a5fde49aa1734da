// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import io.drover.core.predict.EndedJob.Features;
import io.drover.core.predict.JobRequests.Spread;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Computes the features of jobs from what happens on a cluster. Events must come in the order of
 * their times; one that is late counts as if it came now. Not safe for several threads.
 */
public final class JobFeatures {
  private final SystemLoad load = new SystemLoad();
  private final FailureHistory history = new FailureHistory();
  private final Map<String, Live> live = new HashMap<>();
  private double now = Double.NEGATIVE_INFINITY;

  private static final class Live {
    final JobArrival arrival;
    final double[] features = new double[FeatureSet.total()];
    double tasks = 1;
    double startedAt = Double.NaN;

    Live(JobArrival arrival) {
      this.arrival = arrival;
    }

    boolean hasStarted() {
      return !Double.isNaN(startedAt);
    }
  }

  private double advance(double at) {
    now = Math.max(now, at);
    load.advance(now);
    return now;
  }

  private static List<String> names(JobArrival job) {
    return List.of("u " + job.user(), "q " + job.queue(), "p " + job.user() + " " + job.program());
  }

  /** Notes that a job was submitted. One that is known already is ignored. */
  public void submitted(JobArrival job, JobRequests requests) {
    double at = advance(job.at());
    if (live.containsKey(job.id())) {
      return;
    }
    Live added = new Live(job);
    live.put(job.id(), added);
    load.write(job.priority(), added.features, FeatureSet.SYSTEM.from());
    int place = FeatureSet.HISTORY.from();
    for (String name : names(job)) {
      history.write(name, at, added.features, place);
      history.submitted(name);
      place += FailureHistory.FEATURES;
    }
    added.tasks = requests.tasksOrOne();
    load.submitted(job.priority(), added.tasks);
    write(job, requests, added.features);
  }

  /** Notes what a job asks for, which was not known when it was submitted. */
  public void described(String id, JobRequests requests) {
    Live job = live.get(id);
    if (job != null) {
      double tasks = requests.tasksOrOne();
      load.corrected(job.arrival.priority(), tasks - job.tasks, job.hasStarted());
      job.tasks = tasks;
      write(job.arrival, requests, job.features);
    }
  }

  /**
   * Writes what a job asks for. Numbers enter as log(1 + n), as those of the load: they span
   * several orders of magnitude, and one absurd request must not outweigh all others.
   */
  private static void write(JobArrival job, JobRequests requests, double[] features) {
    Spread priority = requests.priority();
    if (Double.isNaN(priority.mean())) {
      priority = Spread.same(Math.max(0, job.priority()));
    }
    int place = FeatureSet.STATIC.from();
    features[place++] = Math.log(requests.tasks());
    for (Spread spread : List.of(requests.cpu(), requests.ram(), requests.disk(), priority)) {
      features[place++] = Math.log1p(spread.mean());
      features[place++] = Math.log1p(spread.deviation());
    }
  }

  /** Notes that a job has started to run. */
  public void started(String id, double at) {
    advance(at);
    Live job = live.get(id);
    if (job != null && !job.hasStarted()) {
      job.startedAt = at;
      load.started(job.arrival.priority(), job.tasks);
    }
  }

  /** Returns the features of a job that has not ended, as far as they are known. */
  public Optional<Features> features(String id) {
    return Optional.ofNullable(live.get(id)).map(job -> new Features(job.features));
  }

  /**
   * Notes that a job has ended.
   *
   * @param outcome empty if the job's end tells nothing about the job, such as an end that a
   *     prediction has brought about
   * @return the job; empty if it is not known, or its end tells nothing
   */
  public Optional<EndedJob> ended(String id, double at, Optional<JobOutcome> outcome) {
    return ended(id, at, outcome, 1);
  }

  /**
   * Notes the same of a job that stands for others.
   *
   * @param standsFor the number of jobs that it stands for
   */
  Optional<EndedJob> ended(String id, double at, Optional<JobOutcome> outcome, int standsFor) {
    double end = advance(at);
    Live job = live.remove(id);
    if (job == null) {
      return Optional.empty();
    }
    load.ended(job.arrival.priority(), job.tasks, job.hasStarted());
    for (String name : names(job.arrival)) {
      outcome.ifPresentOrElse(
          how -> history.ended(name, how, end, standsFor), () -> history.left(name));
    }
    outcome.ifPresent(how -> history.ended(how, end, standsFor));
    double seconds = job.hasStarted() ? Math.max(0, at - job.startedAt) : 0;
    return outcome.map(
        how ->
            new EndedJob(
                new Features(job.features),
                job.arrival.at(),
                at,
                seconds,
                job.tasks,
                how,
                standsFor));
  }

  /**
   * Takes in that a job has ended before anything else was seen here. Jobs must come in the order
   * of their ends.
   */
  public void remember(JobArrival job, EndedJob ended) {
    for (String name : names(job)) {
      history.ended(name, ended.outcome(), ended.endedAt(), ended.standsFor());
    }
    history.ended(ended.outcome(), ended.endedAt(), ended.standsFor());
  }

  /** Returns how many jobs have not ended. */
  public int live() {
    return live.size();
  }
}
