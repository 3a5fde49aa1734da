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
 * Hadoop's own shuffle, which also tells the AppMaster at its end how many bytes came from which
 * host, and when. The AppMaster configures it in the tasks of a job that it measures ({@link
 * MeasurementFiles}).
 *
 * <p>It only observes. When Hadoop's shuffle asks where to put a map's output, the answer is
 * wrapped so that the transfer is timed. If a measurement fails, only that measurement is lost. The
 * AppMaster is told on a separate thread.
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
      long start = System.currentTimeMillis(); // compared with other machines' clocks
      hadoops.shuffle(from, input, compressedLength, decompressedLength, metrics, reporter);
      note(from.getHostName(), start, compressedLength);
    }

    /** Records a fetch. The map's output has arrived, so no error may reach the fetcher now. */
    private void note(String hostAndPort, long start, long bytes) {
      try {
        long end = Math.max(start, System.currentTimeMillis());
        int colon = hostAndPort.lastIndexOf(':');
        String host = colon < 0 ? hostAndPort : hostAndPort.substring(0, colon);
        fetches.add(new Fetches.Fetch(host, start, end, Math.max(0, bytes)));
      } catch (RuntimeException | LinkageError e) {
        LOG.debug("Could not measure a fetch", e);
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
