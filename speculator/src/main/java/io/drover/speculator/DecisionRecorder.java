// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.Mode;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Rule;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/**
 * Chooses what goes into the decision log, so that each line says something new, and compares
 * decisions with what happened. It belongs to the decision thread.
 *
 * <p>Every decision to act is logged. In {@code observe} mode the reason for a decision does not go
 * away, because nothing is done. So the next decision on the same task by the same rule is logged
 * only after the attempt of the first one has ended. A decision to leave a task alone is logged
 * when its rule changes: always in small phases, and in large ones if a new attempt would have been
 * faster, because then somebody will ask why there was none.
 */
final class DecisionRecorder {
  private static final int SMALL_PHASE = 200;

  private final JobModel model;
  private final DecisionLog log;
  private final Mode mode;
  private final boolean logReports;
  private final Map<TaskModel, Rule> lastRules = new HashMap<>();
  private final List<Decision> unscored = new ArrayList<>();
  private final Map<TaskAttemptId, AttemptModel> recorded = new LinkedHashMap<>();

  DecisionRecorder(JobModel model, DecisionLog log, Mode mode, boolean logReports) {
    this.model = model;
    this.log = log;
    this.mode = mode;
    this.logReports = logReports;
  }

  /**
   * Notes a decision.
   *
   * @return whether it should be carried out; false if it leaves the task alone, or repeats one
   *     that was only observed
   */
  boolean decided(Decision decision, long now) {
    Rule before = lastRules.put(decision.task(), decision.rule());
    boolean changed = before != decision.rule();
    boolean acts = decision.action() != Action.LEAVE;
    boolean fresh = acts && (mode == Mode.ON || !isObserved(decision));
    if (fresh) {
      unscored.add(decision);
    }
    if (fresh || (!acts && changed && isOfInterest(decision))) {
      TaskAttemptId attempt = decision.attempt().map(model::id).orElse(null);
      log.decision(now, model.id(decision.task()), attempt, decision);
    }
    return fresh;
  }

  private boolean isObserved(Decision decision) {
    for (Decision earlier : unscored) {
      if (earlier.task() == decision.task() && earlier.rule() == decision.rule()) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfInterest(Decision decision) {
    boolean small = decision.task().phase().tasks().size() <= SMALL_PHASE;
    return small || decision.evidence().saving().orElse(-1) > 0;
  }

  void reported(DecisionThreadEvent.Report report) {
    if (!logReports) {
      return;
    }
    TaskModel task = model.task(report.attempt().getTaskId());
    log.report(report, task.inputBytes().orElse(0));
    AttemptModel attempt = model.attempt(report.attempt());
    if (attempt != null && attempt.state().isLive()) { // a late report of one that has ended
      recorded.put(report.attempt(), attempt);
    }
  }

  /** Notes the attempts that run, for those of which no report ever comes. */
  private void recordRunning() {
    for (TaskKind kind : TaskKind.values()) {
      for (TaskModel task : model.phase(kind).running()) {
        for (AttemptModel attempt : task.attempts()) {
          if (attempt.state() == AttemptState.RUNNING) {
            recorded.putIfAbsent(model.id(attempt), attempt);
          }
        }
      }
    }
  }

  void refused(DecisionThreadEvent.Acted acted) {
    unscored.remove(acted.decision());
    log.refused(acted.time(), model.id(acted.decision().task()), acted.decision(), acted.refusal());
  }

  void slowMachine(String machine, double factor, long now) {
    log.slowMachine(now, machine, factor);
  }

  /** Logs an event that needs no model. */
  void forTheLog(DecisionThreadEvent event) {
    log.forTheLog(event);
  }

  /** Ends a pass: logs the outcomes of decisions whose attempt has ended, and flushes the log. */
  void passed(long now) {
    for (Iterator<Decision> it = unscored.iterator(); it.hasNext(); ) {
      Decision decision = it.next();
      AttemptModel attempt = decision.attempt().orElseThrow();
      if (!attempt.state().isLive()) {
        double actual = attempt.endedAt() - decision.at();
        log.outcome(now, model.id(attempt), decision, attempt.state().name(), actual);
        it.remove();
      }
    }
    if (logReports) {
      recordRunning();
    }
    for (Iterator<AttemptModel> it = recorded.values().iterator(); it.hasNext(); ) {
      AttemptModel attempt = it.next();
      if (!attempt.state().isLive()) {
        log(attempt, model.millis(attempt.endedAt()));
        it.remove();
      }
    }
    log.flush();
  }

  /** Ends the log with the attempts that the end of the job has overtaken. */
  void finished(long now) {
    passed(now);
    recorded.values().forEach(attempt -> log(attempt, now));
    recorded.clear();
    log.flush();
  }

  private void log(AttemptModel attempt, long ended) {
    log.attempt(
        ended,
        model.id(attempt),
        attempt.state().name(),
        attempt.machine().orElse(null),
        model.millis(attempt.requestedAt()),
        model.millis(attempt.launchedAt()));
  }
}
