// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import java.util.List;

/** Decides, every Delta, about each running task of a phase. */
public interface RestartPolicy {
  /**
   * One pass. Nothing is changed: who acts on a decision tells the model.
   *
   * @param phase the running tasks and what is known of them
   * @param demand who waits for slots
   * @param now seconds, on the scale of the phase's reports
   * @return one decision for each running task, those that ask for something first, the most
   *     promising at the top
   */
  List<Decision> decide(PhaseModel phase, Demand demand, double now);
}
