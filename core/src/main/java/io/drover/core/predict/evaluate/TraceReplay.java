// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.evaluate;

import io.drover.core.predict.EndedJob;
import io.drover.core.predict.EndedJob.Features;
import io.drover.core.predict.JobFeatures;
import io.drover.core.predict.KeptJob;
import io.drover.core.predict.Training;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Replays a trace in the order of its times, so that each job gets the features of its arrival. */
public final class TraceReplay {
  private enum Kind {
    // At one time, ends come first, so that a job knows of those that have just ended.
    END,
    SUBMISSION,
    START
  }

  private record Event(double at, Kind kind, TraceJob job) {}

  private final JobFeatures features = new JobFeatures();
  private final List<KeptJob> ended = new ArrayList<>();

  private TraceReplay() {}

  /** Returns the jobs of which the trace tells how they ended, in the order of their submission. */
  public static List<EndedJob> of(List<TraceJob> jobs) {
    TraceReplay replay = new TraceReplay();
    replay.play(jobs, Double.POSITIVE_INFINITY);
    return replay.bySubmission();
  }

  /** Returns the same jobs with their names, in the order of their ends. */
  public static List<KeptJob> kept(List<TraceJob> jobs) {
    TraceReplay replay = new TraceReplay();
    replay.play(jobs, Double.POSITIVE_INFINITY);
    return replay.ended;
  }

  private List<EndedJob> bySubmission() {
    List<EndedJob> jobs = new ArrayList<>(ended.stream().map(KeptJob::ended).toList());
    Training.sort(jobs);
    return jobs;
  }

  /**
   * What is known when a job arrives.
   *
   * @param features of that job
   * @param before the jobs that have ended by then, in the order of their submission
   */
  public record Arrived(Features features, List<EndedJob> before) {}

  /** Replays a trace until a job arrives. Returns empty if it has no such job. */
  public static Optional<Arrived> until(List<TraceJob> jobs, String id) {
    TraceReplay replay = new TraceReplay();
    return jobs.stream()
        .filter(job -> job.arrival().id().equals(id))
        .findFirst()
        .map(
            job -> {
              replay.play(
                  jobs.stream().filter(other -> !other.equals(job)).toList(), job.arrival().at());
              replay.features.submitted(job.arrival(), job.requests());
              return new Arrived(replay.features.features(id).orElseThrow(), replay.bySubmission());
            });
  }

  private void play(List<TraceJob> jobs, double until) {
    List<Event> events = new ArrayList<>();
    for (TraceJob job : jobs) {
      events.add(new Event(job.arrival().at(), Kind.SUBMISSION, job));
      job.startedAt().ifPresent(at -> events.add(new Event(at, Kind.START, job)));
      job.endedAt().ifPresent(at -> events.add(new Event(at, Kind.END, job)));
    }
    // A job that ends when it was submitted must be submitted first, so ends of that kind wait.
    events.removeIf(event -> event.at > until);
    events.sort(
        Comparator.comparingDouble(Event::at)
            .thenComparing(event -> event.kind == Kind.END && isInstant(event.job))
            .thenComparing(Event::kind));
    events.forEach(this::play);
  }

  private static boolean isInstant(TraceJob job) {
    return job.endedAt().isPresent() && job.endedAt().getAsDouble() == job.arrival().at();
  }

  private void play(Event event) {
    TraceJob job = event.job;
    String id = job.arrival().id();
    switch (event.kind) {
      case SUBMISSION -> features.submitted(job.arrival(), job.requests());
      case START -> features.started(id, event.at);
      case END ->
          features
              .ended(id, event.at, job.outcome())
              .ifPresent(end -> ended.add(new KeptJob(job.arrival(), end, false, false)));
    }
  }
}
