// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import io.drover.appmaster.PartitionSizes;
import io.drover.appmaster.UmbilicalMessage;
import java.io.IOException;
import java.util.Collection;

/**
 * Hadoop's own collector of map output, which also tells the AppMaster at the end how large each
 * reduce's part is. The AppMaster configures it in the tasks of a job that it measures, before
 * Hadoop's own in the list of collectors to try.
 *
 * <p>The sizes come from the index that Hadoop writes beside the output anyway. They are read and
 * sent on a separate thread ({@link UmbilicalMessage}), so the map does not wait for them.
 *
 * @param <K> key of the output
 * @param <V> value of the output
 */
public final class DroverMapOutput<K, V> extends MapTask.MapOutputBuffer<K, V> {
  private MapTask task;
  private boolean isHeard;

  @Override
  public void init(Context context) throws IOException, ClassNotFoundException {
    task = context.getMapTask();
    isHeard = UmbilicalMessage.isHeard(context.getJobConf(), task.getJobID(), PartitionSizes.KIND);
    super.init(context);
  }

  @Override
  public void flush() throws IOException, ClassNotFoundException, InterruptedException {
    super.flush();
    if (isHeard) {
      UmbilicalMessage.send(task.umbilical, task.getTaskID(), this::sizes);
    }
  }

  private Collection<String> sizes() throws IOException {
    SpillRecord index = new SpillRecord(task.mapOutputFile.getOutputIndexFile(), task.conf);
    long[] sizes = new long[index.size()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = Math.max(0, index.getIndex(i).partLength);
    }
    return PartitionSizes.encode(sizes);
  }
}
