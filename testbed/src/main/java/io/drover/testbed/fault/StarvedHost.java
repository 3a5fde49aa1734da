// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.mapreduce.Job;

/** A host all of whose processes together get a small part of one core. */
public final class StarvedHost implements HostFault {
  private final DroverCluster cluster;
  private final String host;
  private final double cores;
  private boolean isTold;

  private StarvedHost(DroverCluster cluster, String host, double cores) {
    this.cluster = cluster;
    this.host = host;
    this.cores = cores;
  }

  /**
   * Begins now.
   *
   * @param cores above 0
   * @throws IOException if the hosts of the cluster cannot be limited
   */
  public static StarvedHost begin(DroverCluster cluster, String host, double cores)
      throws IOException {
    cluster.namespaces().groups().limit(host, OptionalDouble.of(cores));
    return new StarvedHost(cluster, host, cores);
  }

  @Override
  public Optional<Begun> look(Job job) {
    if (isTold) {
      return Optional.empty();
    }
    isTold = true;
    String what = String.format(Locale.ROOT, "%s has %.0f %% of a core", host, 100 * cores);
    return Optional.of(new Begun(host, what));
  }

  @Override
  public void close() throws IOException {
    cluster.namespaces().groups().limit(host, OptionalDouble.empty());
  }
}
