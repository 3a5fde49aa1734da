// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.host.Host;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.mapreduce.Job;

/** Does the damage of a {@link FaultPlan} when its time has come, and ends it in time. */
public final class PlannedFault implements ClusterFault {
  private final FaultPlan plan;
  private final String host;
  private final Damage damage;
  private final LongSupplier clock;
  private long dueSince = -1;
  private long begunAt = -1;
  private boolean isOver;

  /**
   * Plans a fault.
   *
   * @param otherwise the victim if the plan names none
   * @throws IOException if there is no such host, or the hosts do not have what is to be damaged
   */
  public PlannedFault(FaultPlan plan, DroverCluster cluster, String otherwise) throws IOException {
    this(
        plan,
        plan.victim().orElse(otherwise),
        plan.kind().on(cluster, known(cluster, plan.victim().orElse(otherwise))),
        System::nanoTime);
  }

  private static String known(DroverCluster cluster, String host) throws IOException {
    List<String> names = cluster.hosts().stream().map(Host::name).toList();
    if (!names.contains(host)) {
      throw new IOException("a fault is to strike " + host + "; the hosts are " + names);
    }
    return host;
  }

  PlannedFault(FaultPlan plan, String host, Damage damage, LongSupplier clock) {
    this.plan = plan;
    this.host = host;
    this.damage = damage;
    this.clock = clock;
  }

  @Override
  public List<Change> look(Job job) throws IOException, InterruptedException {
    long now = clock.getAsLong();
    if (begunAt < 0) {
      return begin(job, now);
    }
    boolean isTime = plan.length().filter(length -> now - begunAt >= length.toNanos()).isPresent();
    if (isOver || !isTime) {
      return List.of();
    }
    isOver = true;
    damage.end();
    return List.of(new Change(host, plan.kind().key() + " on " + host + " is over"));
  }

  private List<Change> begin(Job job, long now) throws IOException, InterruptedException {
    if (dueSince < 0 && job.mapProgress() >= plan.maps()) {
      dueSince = now;
    }
    if (dueSince < 0 || now - dueSince < plan.after().toNanos()) {
      return List.of();
    }
    Optional<String> what = damage.begin(job);
    if (what.isEmpty()) {
      return List.of();
    }
    begunAt = now;
    return List.of(new Change(host, what.get()));
  }

  @Override
  public void close() throws IOException {
    if (begunAt >= 0 && !isOver) {
      isOver = true;
      damage.end();
    }
  }
}
