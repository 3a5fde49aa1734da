// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * A service outside the nodes that keeps the outputs of maps. Its client for MapReduce is a
 * collector of map outputs, a shuffle for reduces, and an AppMaster that registers the job with the
 * service and hands its addresses to the tasks. Tasks under another AppMaster have no addresses and
 * fail.
 *
 * <p>Sources: the MapReduce clients of Celeborn 0.6 and Uniffle 0.10.
 */
public enum ShuffleService {
  /**
   * Apache Celeborn. It keeps what the first attempt of a map that ends has pushed, and drops what
   * others have.
   */
  CELEBORN(
      "Celeborn",
      "org.apache.hadoop.mapred.CelebornMapOutputCollector",
      List.of("org.apache.hadoop.mapreduce.task.reduce.CelebornShuffleConsumer"),
      "org.apache.celeborn.mapreduce.v2.app.MRAppMasterWithCeleborn"),
  /**
   * Apache Uniffle. Reduces read the blocks of the attempts that the AppMaster names as succeeded.
   * The number of a map's attempt must not exceed {@code mapreduce.map.maxattempts}; an attempt
   * with a higher one fails.
   */
  UNIFFLE(
      "Uniffle",
      "org.apache.hadoop.mapred.RssMapOutputCollector",
      List.of(
          "org.apache.hadoop.mapreduce.task.reduce.RssShuffle",
          "org.apache.hadoop.mapreduce.task.reduce.RMRssShuffle"),
      "org.apache.hadoop.mapreduce.v2.app.RssMRAppMaster");

  private final String displayName;
  private final String collector;
  private final List<String> shuffles;
  private final String appMaster;

  ShuffleService(String displayName, String collector, List<String> shuffles, String appMaster) {
    this.displayName = displayName;
    this.collector = collector;
    this.shuffles = shuffles;
    this.appMaster = appMaster;
  }

  /** Returns the service whose collector or shuffle a job names; empty if it names none. */
  public static Optional<ShuffleService> of(Configuration conf) {
    return Arrays.stream(values()).filter(service -> service.key(conf).isPresent()).findFirst();
  }

  /** Returns the key by which a job names the service's collector, or else its shuffle. */
  public Optional<String> key(Configuration conf) {
    String collectors = MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR;
    if (Arrays.asList(conf.getTrimmedStrings(collectors)).contains(collector)) {
      return Optional.of(collectors);
    }
    boolean isShuffle = shuffles.contains(conf.getTrimmed(MRConfig.SHUFFLE_CONSUMER_PLUGIN, ""));
    return isShuffle ? Optional.of(MRConfig.SHUFFLE_CONSUMER_PLUGIN) : Optional.empty();
  }

  /** Returns the class of the AppMaster without which the tasks fail. */
  public String appMaster() {
    return appMaster;
  }

  /** Returns whether a map may have as many attempts as failures and kills call for. */
  boolean allowsAnyNumber() {
    return this != UNIFFLE;
  }

  @Override
  public String toString() {
    return displayName;
  }
}
