// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import io.drover.appmaster.PartitionSizes;
import io.drover.appmaster.TaskWord;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's own collector of a map's output, which in the end tells the AppMaster how large each
 * reduce's part is; {@code mapreduce.job.map.output.collector.class} set to this class.
 *
 * <p>The sizes are read from the index that Hadoop writes beside the output anyway, and sent in one
 * line ({@link TaskWord}).
 *
 * @param <K> key of the output
 * @param <V> value of the output
 */
public final class DroverMapOutput<K, V> extends MapTask.MapOutputBuffer<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(DroverMapOutput.class);

  private Context context;

  @Override
  public void init(Context newContext) throws IOException, ClassNotFoundException {
    super.init(newContext);
    context = newContext;
  }

  @Override
  public void flush() throws IOException, ClassNotFoundException, InterruptedException {
    super.flush();
    if (TaskWord.isHeard(context.getJobConf())) {
      try {
        tellSizes();
      } catch (IOException | RuntimeException | LinkageError e) {
        LOG.warn("the AppMaster is not told the sizes of this map's partitions", e);
      }
    }
  }

  private void tellSizes() throws IOException {
    MapTask task = context.getMapTask();
    SpillRecord index = new SpillRecord(task.mapOutputFile.getOutputIndexFile(), task.conf);
    long[] sizes = new long[index.size()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = Math.max(0, index.getIndex(i).partLength);
    }
    TaskWord.say(task.umbilical, task.getTaskID(), PartitionSizes.encode(sizes));
  }
}
