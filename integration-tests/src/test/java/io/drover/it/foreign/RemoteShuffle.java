// SPDX-License-Identifier: Apache-2.0
package io.drover.it.foreign;

import io.drover.it.foreign.RemoteOutput.Pair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.util.Progress;

/**
 * Reads what a reduce needs from the stand-in of a shuffle service. As Uniffle's, it asks the
 * AppMaster which attempt of each map has succeeded and reads that one's; it fetches nothing from
 * nodes.
 */
public final class RemoteShuffle<K, V> implements ShuffleConsumerPlugin<K, V> {
  private static final int MOST_EVENTS = 1000;

  private Context<K, V> context;

  @Override
  public void init(Context<K, V> of) {
    context = of;
  }

  @Override
  public RawKeyValueIterator run() throws IOException, InterruptedException {
    JobConf conf = context.getJobConf();
    int reduce = context.getReduceId().getTaskID().getId();
    List<Pair> pairs = new ArrayList<>();
    for (TaskAttemptID map : succeeded(conf.getNumMapTasks()).values()) {
      pairs.addAll(RemoteOutput.of(conf, map, reduce).read());
      context.getReporter().progress();
    }
    RawComparator<?> order = conf.getOutputKeyComparator();
    pairs.sort((a, b) -> order.compare(a.key(), 0, a.key().length, b.key(), 0, b.key().length));
    context.getCopyPhase().complete();
    context.getStatus().setPhase(TaskStatus.Phase.SORT);
    context.getReduceTask().statusUpdate(context.getUmbilical());
    return new Sorted(pairs.iterator(), pairs.size());
  }

  /** Waits until each map has succeeded; returns the attempts, by the numbers of the maps. */
  private Map<Integer, TaskAttemptID> succeeded(int maps) throws IOException, InterruptedException {
    Map<Integer, TaskAttemptID> succeeded = new TreeMap<>();
    int from = 0;
    while (succeeded.size() < maps) {
      MapTaskCompletionEventsUpdate update =
          context
              .getUmbilical()
              .getMapCompletionEvents(
                  JobID.downgrade(context.getReduceId().getJobID()),
                  from,
                  MOST_EVENTS,
                  TaskAttemptID.downgrade(context.getReduceId()));
      TaskCompletionEvent[] events = update.getMapTaskCompletionEvents();
      from += events.length;
      for (TaskCompletionEvent event : events) {
        TaskAttemptID attempt = event.getTaskAttemptId();
        if (event.getTaskStatus() == TaskCompletionEvent.Status.SUCCEEDED) {
          succeeded.putIfAbsent(attempt.getTaskID().getId(), attempt);
        } else {
          succeeded.values().remove(attempt);
        }
      }
      context.getReporter().progress();
      if (events.length == 0) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
    return succeeded;
  }

  @Override
  public void close() {}

  /** Pairs in the order of their keys. */
  private static final class Sorted implements RawKeyValueIterator {
    private final Iterator<Pair> pairs;
    private final float all;
    private final Progress progress = new Progress();
    private final DataInputBuffer key = new DataInputBuffer();
    private final DataInputBuffer value = new DataInputBuffer();
    private int read;

    Sorted(Iterator<Pair> pairs, int all) {
      this.pairs = pairs;
      this.all = all;
    }

    @Override
    public boolean next() {
      if (!pairs.hasNext()) {
        return false;
      }
      Pair pair = pairs.next();
      key.reset(pair.key(), pair.key().length);
      value.reset(pair.value(), pair.value().length);
      progress.set(++read / all);
      return true;
    }

    @Override
    public DataInputBuffer getKey() {
      return key;
    }

    @Override
    public DataInputBuffer getValue() {
      return value;
    }

    @Override
    public Progress getProgress() {
      return progress;
    }

    @Override
    public void close() {}
  }
}
