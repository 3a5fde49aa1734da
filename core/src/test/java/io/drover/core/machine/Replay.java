// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Replays a day through the statistics, window by window. The attempts that start in a window are
 * predicted. The attempts that ended in earlier windows are known. Each is judged as an AppMaster
 * would have judged it when it ended: by the median of those of its job that had ended by then. So
 * a prediction uses neither outcomes nor medians of the future.
 */
final class Replay {
  /** The p to use while the statistics know nothing; predictions that early are not scored. */
  private static final double UNKNOWN = 0.02;

  /**
   * A prediction and the actual outcome.
   *
   * @param p the predictions of all statistics, in their order
   */
  record Prediction(
      int job, int machine, int window, boolean outlier, boolean slowed, double[] p) {}

  private final GoogleDay day;
  private final double windowSeconds;
  private final List<GoogleDay.Attempt> byStart;
  private final List<GoogleDay.Attempt> byEnd;
  private final String[] names;
  private final List<OutlierDetector<String>> judges = new ArrayList<>();
  private final List<Map<String, Claim>> claims = new ArrayList<>();
  private final ClaimLedger[] ledgers;

  Replay(GoogleDay day, double windowSeconds) {
    this.day = day;
    this.windowSeconds = windowSeconds;
    this.byStart = sorted(Comparator.comparingDouble(GoogleDay.Attempt::start));
    this.byEnd = sorted(Comparator.comparingDouble(GoogleDay.Attempt::end));
    this.names = new String[day.machines];
    for (int m = 0; m < names.length; m++) {
      names[m] = "m" + m;
    }
    OutlierRule rule = new OutlierRule(2, GoogleDay.LEAST);
    this.ledgers = new ClaimLedger[day.jobs];
    for (int j = 0; j < day.jobs; j++) {
      judges.add(new OutlierDetector<>(rule));
      claims.add(new HashMap<>());
      ledgers[j] = new ClaimLedger();
    }
  }

  private List<GoogleDay.Attempt> sorted(Comparator<GoogleDay.Attempt> order) {
    List<GoogleDay.Attempt> sorted = new ArrayList<>(day.attempts);
    sorted.sort(order);
    return sorted;
  }

  /** Returns all predictions in order of time. Can be called only once. */
  List<Prediction> play(List<MachineStatistics> statistics) {
    List<Prediction> predictions = new ArrayList<>();
    int ended = 0;
    int started = 0;
    for (int window = 0; started < byStart.size(); window++) {
      double end = (window + 1) * windowSeconds;
      while (started < byStart.size() && byStart.get(started).start() < end) {
        GoogleDay.Attempt attempt = byStart.get(started++);
        if (day.isJudged(attempt) && attempt.start() > 0) {
          predictions.add(predict(attempt, window, statistics));
        }
      }
      Map<Integer, ClaimLedger> heard = new TreeMap<>();
      while (ended < byEnd.size() && byEnd.get(ended).end() < end) {
        GoogleDay.Attempt attempt = byEnd.get(ended++);
        String machine = names[attempt.machine()];
        judges.get(attempt.job()).finished(machine, attempt.seconds());
        ledgers[attempt.job()].containerEnded(machine);
        heard.put(attempt.job(), ledgers[attempt.job()]);
      }
      heard.forEach(
          (job, ledger) -> {
            List<AdmittedOutcomes> admitted = ledger.admit(news(job));
            statistics.forEach(s -> s.take(admitted));
          });
      statistics.forEach(s -> s.advance(end));
    }
    return predictions;
  }

  /** Returns the total claim for each machine on which an attempt has just been judged. */
  private Map<String, Claim> news(int job) {
    Map<String, Claim> totals = claims.get(job);
    Map<String, Claim> news = new HashMap<>();
    for (OutlierDetector.Judgement<String> judgement : judges.get(job).judge()) {
      Claim claim = Claim.ofAttempts(1, judgement.outlier() ? 1 : 0);
      news.put(judgement.attempt(), totals.merge(judgement.attempt(), claim, Claim::plus));
    }
    return news;
  }

  private Prediction predict(
      GoogleDay.Attempt attempt, int window, List<MachineStatistics> statistics) {
    double[] p =
        statistics.stream()
            .mapToDouble(s -> s.probability(names[attempt.machine()]).orElse(UNKNOWN))
            .toArray();
    return new Prediction(
        attempt.job(), attempt.machine(), window, day.isOutlier(attempt), attempt.slowed(), p);
  }
}
