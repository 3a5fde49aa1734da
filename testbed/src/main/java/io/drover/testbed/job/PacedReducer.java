// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.testbed.job.PacedTextInputFormat.WorkPacer;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * A reducer that takes its records no faster than {@link DemoKeys#REDUCE_RATE}.
 *
 * @param <KI> key in
 * @param <VI> value in
 * @param <KO> key out
 * @param <VO> value out
 */
public abstract class PacedReducer<KI, VI, KO, VO> extends Reducer<KI, VI, KO, VO> {
  private WorkPacer pace;
  private long records;

  @Override
  protected void setup(Context context) throws IOException, InterruptedException {
    super.setup(context);
    Configuration conf = context.getConfiguration();
    TaskFault fault = TaskFault.here(conf, context.getTaskAttemptID());
    pace = WorkPacer.of(fault.of(conf.getDouble(DemoKeys.REDUCE_RATE, 0)));
  }

  /** To be called for each value taken. */
  protected final void tick() throws InterruptedException {
    records++;
    pace.upTo(records);
  }
}
