// SPDX-License-Identifier: Apache-2.0
package io.drover.it.foreign;

import io.drover.it.foreign.RemoteOutput.Pair;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;

/**
 * Gives what a map writes to the stand-in of a shuffle service, by the number of the attempt, as
 * the collectors of Celeborn and Uniffle do. It counts bytes and records as they do, and no bytes
 * on disk; it knows no combiner.
 */
public final class RemoteCollector<K, V> implements MapOutputCollector<K, V> {
  private final List<List<Pair>> partitions = new ArrayList<>();
  private Context context;
  private Serializer<K> keys;
  private Serializer<V> values;

  @Override
  @SuppressWarnings("unchecked") // the job says so
  public void init(Context of) {
    context = of;
    JobConf conf = of.getJobConf();
    SerializationFactory factory = new SerializationFactory(conf);
    keys = factory.getSerializer((Class<K>) conf.getMapOutputKeyClass());
    values = factory.getSerializer((Class<V>) conf.getMapOutputValueClass());
    for (int i = 0; i < conf.getNumReduceTasks(); i++) {
      partitions.add(new ArrayList<>());
    }
  }

  @Override
  public void collect(K key, V value, int partition) throws IOException {
    Pair pair = new Pair(bytes(keys, key), bytes(values, value));
    partitions.get(partition).add(pair);
    context.getReporter().progress();
    context.getReporter().incrCounter(TaskCounter.MAP_OUTPUT_RECORDS, 1);
    context
        .getReporter()
        .incrCounter(TaskCounter.MAP_OUTPUT_BYTES, pair.key().length + pair.value().length);
  }

  private static <T> byte[] bytes(Serializer<T> serializer, T object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    serializer.open(bytes);
    serializer.serialize(object);
    serializer.close();
    return bytes.toByteArray();
  }

  @Override
  public void flush() throws IOException {
    TaskAttemptID map = context.getMapTask().getTaskID();
    for (int i = 0; i < partitions.size(); i++) {
      RemoteOutput.of(context.getJobConf(), map, i).write(partitions.get(i));
    }
  }

  @Override
  public void close() {
    partitions.clear();
  }
}
