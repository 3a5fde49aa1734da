// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.core.sampling.BlockChoice;
import io.drover.core.sampling.OfferAnswer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * Compares, in a job whose blocks were drawn before the start, how many maps had their block on
 * their own node with how many would have had with late binding in the same containers. That is the
 * least that late binding would win: its containers would come where blocks are. Used on the
 * dispatcher thread.
 */
final class Observation {
  private final BlockChoice choice;
  private final Set<TaskId> seen = new HashSet<>();
  private int local;
  private int wouldBeLocal;

  /** Creates an observation of a job that would make this choice. */
  Observation(BlockChoice choice) {
    this.choice = choice;
  }

  /**
   * Notes that an attempt of a map has started; only the first one of a map counts.
   *
   * @param isLocal whether the host holds the map's block
   */
  void started(TaskId map, String host, String rack, boolean isLocal, double now) {
    if (!seen.add(map)) {
      return;
    }
    local += isLocal ? 1 : 0;
    OfferAnswer answer = choice.offer(host, rack, now);
    if (answer.binding().isEmpty()) {
      choice.take(host, rack);
    }
    wouldBeLocal += answer.reason() == OfferAnswer.Reason.LOCAL ? 1 : 0;
  }

  /** Returns the fields of the line that is written when the job ends. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("maps", seen.size());
    fields.put("local", local);
    fields.put("wouldBeLocal", wouldBeLocal);
    return fields;
  }
}
