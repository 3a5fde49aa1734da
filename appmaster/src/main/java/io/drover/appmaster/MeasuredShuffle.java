// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.concurrent.Callable;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.MergeManager;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's own shuffle, which at its end tells the AppMaster how many bytes came from which host,
 * and when. The AppMaster puts it into the tasks of a job that it measures ({@link
 * MeasurementFiles}).
 *
 * <p>It only looks on: where Hadoop's shuffle asks where to put a map's output, the answer is
 * wrapped, and the time that the transfer takes is taken. A measurement that goes wrong is the loss
 * of that measurement; the AppMaster is told on a thread of its own.
 *
 * @param <K> key of the map output
 * @param <V> value of the map output
 */
public final class MeasuredShuffle<K, V> extends Shuffle<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(MeasuredShuffle.class);

  private final Fetches fetches = new Fetches();

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // as Shuffle has it
  protected MergeManager<K, V> createMergeManager(ShuffleConsumerPlugin.Context context) {
    MergeManager<K, V> hadoops = super.createMergeManager(context);
    boolean isHeard =
        UmbilicalMessage.isHeard(
            context.getJobConf(), context.getReduceId().getJobID(), Fetches.KIND);
    return isHeard ? new Measured(hadoops, context) : hadoops;
  }

  private final class Measured implements MergeManager<K, V> {
    private final MergeManager<K, V> hadoops;
    private final TaskUmbilicalProtocol umbilical;
    private final TaskAttemptID reduce;

    Measured(MergeManager<K, V> hadoops, ShuffleConsumerPlugin.Context<?, ?> context) {
      this.hadoops = hadoops;
      this.umbilical = context.getUmbilical();
      this.reduce = context.getReduceId();
    }

    @Override
    public void waitForResource() throws InterruptedException {
      hadoops.waitForResource();
    }

    @Override
    public MapOutput<K, V> reserve(TaskAttemptID map, long size, int fetcher) throws IOException {
      MapOutput<K, V> output = hadoops.reserve(map, size, fetcher);
      return output == null ? null : new Watched(output);
    }

    /** Called when everything has been fetched. */
    @Override
    public RawKeyValueIterator close() throws Throwable {
      Callable<Collection<String>> lines = fetches::encode;
      UmbilicalMessage.send(
          umbilical, org.apache.hadoop.mapred.TaskAttemptID.downgrade(reduce), lines);
      return hadoops.close();
    }
  }

  private final class Watched extends MapOutput<K, V> {
    private final MapOutput<K, V> hadoops;

    Watched(MapOutput<K, V> hadoops) {
      super(hadoops.getMapId(), hadoops.getSize(), hadoops.isPrimaryMapOutput());
      this.hadoops = hadoops;
    }

    @Override
    public void shuffle(
        MapHost from,
        InputStream input,
        long compressedLength,
        long decompressedLength,
        ShuffleClientMetrics metrics,
        Reporter reporter)
        throws IOException {
      long start = System.currentTimeMillis(); // compared with those of other machines
      hadoops.shuffle(from, input, compressedLength, decompressedLength, metrics, reporter);
      note(from.getHostName(), start, compressedLength);
    }

    /** The map's output is there: nothing that goes wrong now may be thrown at the fetcher. */
    private void note(String hostAndPort, long start, long bytes) {
      try {
        long end = Math.max(start, System.currentTimeMillis());
        int colon = hostAndPort.lastIndexOf(':');
        String host = colon < 0 ? hostAndPort : hostAndPort.substring(0, colon);
        fetches.add(new Fetches.Fetch(host, start, end, Math.max(0, bytes)));
      } catch (RuntimeException | LinkageError e) {
        LOG.debug("A fetch is not measured", e);
      }
    }

    @Override
    public void commit() throws IOException {
      hadoops.commit();
    }

    @Override
    public void abort() {
      hadoops.abort();
    }

    @Override
    public String getDescription() {
      return hadoops.getDescription();
    }
  }
}
