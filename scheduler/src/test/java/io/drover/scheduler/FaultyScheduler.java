// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * Drover's scheduler, in which a class of Drover's may run into errors; its clock is the test's.
 */
public class FaultyScheduler extends DroverCapacityScheduler {
  private static final AtomicLong NANOS = new AtomicLong();

  private static volatile String faulty = "";
  private static volatile Supplier<? extends Throwable> fault = () -> null;

  /** Made by Hadoop. */
  public FaultyScheduler() {
    super(NANOS::get);
  }

  /** What a class asks of the scheduler, directly or not, fails from now on. */
  public static void fail(String simpleName, Supplier<? extends Throwable> with) {
    fault = with;
    faulty = simpleName;
  }

  /** Nothing fails any more. */
  public static void mend() {
    faulty = "";
  }

  /** Time passes. */
  public static void pass(long nanos) {
    NANOS.addAndGet(nanos);
  }

  @Override
  public CSQueue getRootQueue() {
    failIfFaulty();
    return super.getRootQueue();
  }

  @Override
  public Resource getClusterResource() {
    failIfFaulty();
    return super.getClusterResource();
  }

  @Override
  public ClusterNodeTracker<FiCaSchedulerNode> getNodeTracker() {
    failIfFaulty();
    return super.getNodeTracker();
  }

  @Override
  public FiCaSchedulerApp getApplicationAttempt(ApplicationAttemptId attempt) {
    failIfFaulty();
    return super.getApplicationAttempt(attempt);
  }

  private static void failIfFaulty() {
    String who = faulty;
    boolean isConcerned =
        !who.isEmpty()
            && StackWalker.getInstance()
                .walk(
                    frames ->
                        frames
                            .limit(8)
                            .anyMatch(frame -> frame.getClassName().endsWith("." + who)));
    if (isConcerned) {
      FaultyScheduler.<RuntimeException>sneak(fault.get());
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable fault) throws T {
    throw (T) fault;
  }
}
