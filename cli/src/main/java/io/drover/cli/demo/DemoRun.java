// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.job.Mode;
import io.drover.cli.job.RunResult;
import java.time.Duration;

/**
 * One run that was done.
 *
 * @param repeat which time over, from 1
 * @param result what came of it
 * @param outputEqual whether its output is that of the other runs on the same input
 */
public record DemoRun(int repeat, RunResult result, boolean outputEqual) {

  /** How it was run. */
  Mode mode() {
    return result.mode();
  }

  /** Job time: from submit to finish as the job's own history has it. */
  double jobSeconds() {
    return seconds(result.historyTime());
  }

  double taskSeconds() {
    return seconds(result.tally().taskTime());
  }

  double wastedSeconds() {
    return seconds(result.tally().wastedTime());
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
