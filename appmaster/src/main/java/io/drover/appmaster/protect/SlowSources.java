// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.core.protect.CrawlingMachines;
import io.drover.core.protect.CrawlingMachines.Fetching;
import io.drover.core.protect.CrawlingMachines.Reader;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.app.job.Job;

/**
 * The hosts from which outputs come slowly, by what reduces say. What was found last may be asked
 * for by any thread; all else is for the dispatcher thread.
 */
final class SlowSources {
  private final Supplier<Job> job;
  private final OutputsByHost outputs;
  private final CrawlingMachines crawling = new CrawlingMachines();
  private volatile Set<String> sources = Set.of();
  private volatile Set<String> links = Set.of();

  /** Creates a state without reports. */
  SlowSources(Supplier<Job> job, OutputsByHost outputs) {
    this.job = job;
    this.outputs = outputs;
  }

  /** Takes in what a reduce gets from hosts. */
  void report(Reader reader, Map<String, Fetching> rates) {
    rates.forEach(
        (host, rate) -> {
          if (outputs.hosts().contains(host)) { // the name comes from a task
            crawling.report(host, reader, rate);
          }
        });
  }

  /** Forgets what a task has said that has succeeded. */
  void ended(String task) {
    crawling.ended(task);
  }

  /**
   * Returns the hosts from which outputs crawl, and in how many seconds all will be fetched.
   *
   * @param silent the hosts that do not answer
   */
  Map<String, Double> seconds(Set<String> silent, double now) {
    Map<String, Double> seconds = Map.of();
    if (crawling.isQuiet()) {
      links = crawling.slowBothWays(now); // nobody waits for what is there
    } else {
      Job current = job.get();
      seconds =
          crawling.fetchSeconds(
              host -> outputs.share(host, current.getTotalReduces()),
              OutputsByHost.unfinished(current, silent),
              now);
    }
    sources = crawling.slow(now);
    return seconds;
  }

  /** Notes whether all outputs that crawl are being made again, as far as they may be. */
  void decided(boolean isAllMade, double now) {
    links = isAllMade ? crawling.slowBothWays(now) : Set.of();
  }

  /** Returns the hosts from which outputs come slowly. */
  Set<String> sources() {
    return sources;
  }

  /** Returns the hosts from and to which outputs come slowly. */
  Set<String> links() {
    Set<String> both = new HashSet<>(links);
    both.retainAll(sources); // which are looked at again more often
    return both;
  }
}
