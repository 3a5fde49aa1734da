// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's own shuffle, which also tells the AppMaster at its end how many bytes came from which
 * host, and when, and meanwhile what comes slowly. The AppMaster configures it in the tasks of a
 * job that it measures ({@link MeasurementFiles}).
 *
 * <p>It only observes. When Hadoop's shuffle asks where to put a map's output, the answer is
 * wrapped so that the transfer is timed and its bytes are counted. If a measurement fails, only
 * that measurement is lost. The AppMaster is told on separate threads.
 *
 * @param <K> key of the map output
 * @param <V> value of the map output
 */
public final class MeasuredShuffle<K, V> extends Shuffle<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(MeasuredShuffle.class);

  private static final long PAUSE_MILLIS = 3_000;

  private final Fetches fetches = new Fetches();
  private final FetchesUnderWay underWay =
      new FetchesUnderWay(
          () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
          System.getenv().getOrDefault(Environment.NM_HOST.name(), ""));

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // as Shuffle has it
  protected MergeManager<K, V> createMergeManager(ShuffleConsumerPlugin.Context context) {
    MergeManager<K, V> hadoops = super.createMergeManager(context);
    Set<String> heard =
        UmbilicalMessage.heard(context.getJobConf(), context.getReduceId().getJobID());
    return heard.isEmpty() ? hadoops : new Measured(hadoops, context, heard);
  }

  private final class Measured implements MergeManager<K, V> {
    private final MergeManager<K, V> hadoops;
    private final TaskUmbilicalProtocol umbilical;
    private final TaskAttemptID reduce;
    private final boolean isHeardAtTheEnd;
    private final CountDownLatch closed = new CountDownLatch(1);

    Measured(
        MergeManager<K, V> hadoops,
        ShuffleConsumerPlugin.Context<?, ?> context,
        Set<String> heard) {
      this.hadoops = hadoops;
      this.umbilical = context.getUmbilical();
      this.reduce = context.getReduceId();
      this.isHeardAtTheEnd = heard.contains(Fetches.KIND);
      if (heard.contains(FetchesUnderWay.KIND)) {
        UmbilicalMessage.sendRegularly(
            umbilical, downgraded(), PAUSE_MILLIS, underWay::encode, closed);
      }
    }

    private org.apache.hadoop.mapred.TaskAttemptID downgraded() {
      return org.apache.hadoop.mapred.TaskAttemptID.downgrade(reduce);
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
      closed.countDown();
      if (isHeardAtTheEnd) {
        Callable<Collection<String>> lines = fetches::encode;
        UmbilicalMessage.send(umbilical, downgraded(), lines);
      }
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
      FetchesUnderWay.Transfer transfer = underWay.begin(host(from));
      boolean isWhole = false;
      try {
        InputStream counted = new CountedStream(input, transfer);
        hadoops.shuffle(from, counted, compressedLength, decompressedLength, metrics, reporter);
        isWhole = true;
      } finally {
        transfer.end(isWhole);
      }
      note(host(from), start, compressedLength);
    }

    private String host(MapHost from) {
      String hostAndPort = from.getHostName();
      int colon = hostAndPort.lastIndexOf(':');
      return colon < 0 ? hostAndPort : hostAndPort.substring(0, colon);
    }

    /** Records a fetch. The map's output has arrived, so no error may reach the fetcher now. */
    private void note(String host, long start, long bytes) {
      try {
        long end = Math.max(start, System.currentTimeMillis());
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

  /** Counts what is read from a stream. */
  private static final class CountedStream extends FilterInputStream {
    private final FetchesUnderWay.Transfer transfer;

    CountedStream(InputStream in, FetchesUnderWay.Transfer transfer) {
      super(in);
      this.transfer = transfer;
    }

    @Override
    public int read() throws IOException {
      int read = in.read();
      transfer.received(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = in.read(into, offset, length);
      transfer.received(Math.max(0, read));
      return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
      long skipped = in.skip(bytes);
      transfer.received(skipped);
      return skipped;
    }
  }
}
