// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import java.util.List;

/** Decides about the running tasks of a phase, in one pass after the other. */
public interface RestartPolicy {
  /**
   * Makes one pass. It changes nothing: the caller that carries out a decision updates the model.
   *
   * @param phase the running tasks and what is known of them
   * @param demand the demand for slots
   * @param now seconds, on the scale of the phase's reports
   * @return the decisions that act, the most promising at the top
   */
  List<Decision> decide(PhaseModel phase, Demand demand, double now);
}
