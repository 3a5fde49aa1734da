// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;

/**
 * Drover's scheduler, in which a class of Drover's may run into errors; its clock is the test's.
 */
public class FaultyScheduler extends DroverCapacityScheduler {
  private static final AtomicLong NANOS = new AtomicLong();
  private static final AtomicLong LOOKS = new AtomicLong();

  private static volatile String faulty = "";
  private static volatile Supplier<? extends Throwable> fault = () -> null;
  private static volatile ApplicationAttemptId only;

  /** Made by Hadoop. */
  public FaultyScheduler() {
    super(NANOS::get);
  }

  /**
   * What a class asks of the scheduler, directly or not, fails from now on.
   *
   * @param who the simple name of a class, or that with the name of one of its methods
   * @param with gives what is thrown; null if nothing is, but that it took its time
   */
  public static void fail(String who, Supplier<? extends Throwable> with) {
    fault = with;
    faulty = who;
  }

  /** The same, where it asks for one attempt. */
  public static void fail(
      String who, ApplicationAttemptId attempt, Supplier<? extends Throwable> with) {
    only = attempt;
    fail(who, with);
  }

  /** Nothing fails any more. */
  public static void mend() {
    faulty = "";
    only = null;
  }

  /** Time passes. */
  public static void pass(long nanos) {
    NANOS.addAndGet(nanos);
  }

  /** How often all nodes have been looked at. */
  public static long looks() {
    return LOOKS.get();
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
    LOOKS.incrementAndGet();
    return super.getNodeTracker();
  }

  @Override
  public FiCaSchedulerApp getApplicationAttempt(ApplicationAttemptId attempt) {
    ApplicationAttemptId concerned = only;
    if (concerned == null || concerned.equals(attempt)) {
      failIfFaulty(faulty);
    }
    return super.getApplicationAttempt(attempt);
  }

  /** Everybody asks for it, so a class alone is not enough. */
  @Override
  public RMContext getRMContext() {
    if (faulty.contains(".")) {
      failIfFaulty();
    }
    return super.getRMContext();
  }

  private static void failIfFaulty() {
    if (only == null) {
      failIfFaulty(faulty);
    }
  }

  private static void failIfFaulty(String who) {
    boolean isConcerned =
        !who.isEmpty()
            && StackWalker.getInstance()
                .walk(
                    frames ->
                        frames
                            .limit(8)
                            .anyMatch(
                                frame ->
                                    frame.getClassName().endsWith("." + who)
                                        || (frame.getClassName() + "." + frame.getMethodName())
                                            .endsWith("." + who)));
    if (isConcerned) {
      Throwable thrown = fault.get();
      if (thrown != null) {
        FaultyScheduler.<RuntimeException>sneak(thrown);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable fault) throws T {
    throw (T) fault;
  }
}
