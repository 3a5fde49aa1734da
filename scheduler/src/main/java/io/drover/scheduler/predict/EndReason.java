// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.predict;

import io.drover.core.predict.FailureModel;
import io.drover.core.predict.FailurePredictor.Judgement;
import java.util.Locale;
import java.util.stream.Collectors;

/** Says to a user why a job is to end. */
final class EndReason {
  private static final int LONGEST = 900;

  private EndReason() {}

  static String of(Judgement judgement) {
    String why =
        judgement.reasons().stream()
            .filter(reason -> reason.adds() > 0)
            .limit(3)
            .map(FailureModel.Reason::feature)
            .collect(Collectors.joining("; "));
    String all =
        String.format(
            Locale.ROOT,
            "Drover expects this job to fail, because of: %s. It is ended when its grace period is"
                + " over. The administrator can exempt its user or queue (yarn.drover.predict.*).",
            why.isEmpty() ? "how such jobs have ended" : why);
    return all.length() <= LONGEST ? all : all.substring(0, LONGEST);
  }
}
