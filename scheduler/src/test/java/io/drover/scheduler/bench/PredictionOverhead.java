// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.bench;

import com.sun.management.OperatingSystemMXBean;
import io.drover.channel.JobStart;
import io.drover.channel.JobStart.TaskRequest;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.MockCluster;
import io.drover.scheduler.predict.FailurePrediction;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;

/**
 * Measures what failure prediction costs a ResourceManager: the time, and the time of the
 * processors, that a number of applications take from their submission to their end, with
 * prediction observing and without it. Their AppMasters do nothing, so nearly all of the time is
 * the ResourceManager's. Rounds of both take turns in changing order, each in a new
 * ResourceManager. The first pair is not counted.
 *
 * <pre>
 * mvn -q -pl scheduler -am -Poverhead -DskipTests test -Dbench.main=PredictionOverhead -Dbench.args="10000 7"
 * </pre>
 */
public final class PredictionOverhead {
  private static final int AT_ONCE = 200;
  private static final int USERS = 40;
  private static final Optional<TaskRequest> REQUEST = Optional.of(new TaskRequest(1024, 1));

  /** Seconds, and seconds of processors. */
  private record Times(double wall, double cpu) {}

  private PredictionOverhead() {}

  /**
   * Prints the table.
   *
   * @param args number of applications, of rounds
   */
  public static void main(String[] args) throws Exception {
    int applications = Integer.parseInt(args[0]);
    int rounds = Integer.parseInt(args[1]);
    List<Times> without = new ArrayList<>();
    List<Times> with = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      boolean observesFirst = round % 2 == 0;
      Times first = round(applications, observesFirst);
      Times second = round(applications, !observesFirst);
      if (round > 0) {
        with.add(observesFirst ? first : second);
        without.add(observesFirst ? second : first);
        System.err.printf(
            Locale.ROOT,
            "%d/%d without %s, with %s%n",
            round,
            rounds,
            without.get(round - 1),
            with.get(round - 1));
      }
    }
    print("time", without, with, Times::wall);
    print("processors", without, with, Times::cpu);
    System.exit(0);
  }

  private static Times round(int applications, boolean observes) throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set("yarn.drover.predict.mode", observes ? "observe" : "off");
    conf.set("yarn.drover.predict.retrain", "5s");
    MockRM rm = new MockRM(conf);
    rm.start();
    rm.registerNode("127.0.0.1:1234", 1 << 20, 1000);
    try {
      FailurePrediction prediction =
          ((DroverCapacityScheduler) rm.getResourceScheduler()).prediction();
      OperatingSystemMXBean system =
          (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      long cpu = system.getProcessCpuTime();
      long begin = System.nanoTime();
      for (int done = 0; done < applications; done += AT_ONCE) {
        run(rm, prediction, done, Math.min(applications, done + AT_ONCE));
      }
      double wall = (System.nanoTime() - begin) / 1e9;
      long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (observes && prediction.status().known() < applications) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        if (System.nanoTime() > limit) {
          throw new IllegalStateException(
              "of so many applications at once, only "
                  + prediction.status().known()
                  + " were seen: try fewer than "
                  + applications);
        }
      }
      return new Times(wall, (system.getProcessCpuTime() - cpu) / 1e9);
    } finally {
      rm.stop();
    }
  }

  /** Runs applications to their ends, all at once. */
  private static void run(MockRM rm, FailurePrediction prediction, int from, int to)
      throws Exception {
    List<RMApp> apps = new ArrayList<>();
    for (int i = from; i < to; i++) {
      apps.add(
          MockRMAppSubmitter.submit(
              rm,
              MockRMAppSubmissionData.Builder.createWithMemory(1024, rm)
                  .withAppName("app-" + i % (3 * USERS))
                  .withUser("u" + i % USERS)
                  .withQueue("default")
                  .withAppType("MAPREDUCE")
                  .withUnmanagedAM(true)
                  .withWaitForAppAcceptedState(false)
                  .build()));
    }
    for (int i = from; i < to; i++) {
      RMApp app = apps.get(i - from);
      while (app.getCurrentAppAttempt() == null
          || app.getCurrentAppAttempt().getState() != RMAppAttemptState.LAUNCHED) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
      }
      ApplicationAttemptId id = app.getCurrentAppAttempt().getAppAttemptId();
      MockAM am = new MockAM(rm.getRMContext(), rm.getApplicationMasterService(), id);
      am.registerAppAttempt(false);
      prediction.onJob(id, job());
      boolean fails = i % USERS % 5 == 0;
      FinalApplicationStatus status =
          fails ? FinalApplicationStatus.FAILED : FinalApplicationStatus.SUCCEEDED;
      am.unregisterAppAttempt(FinishApplicationMasterRequest.newInstance(status, "", ""), false);
    }
    rm.drainEvents();
  }

  private static JobStart job() {
    return new JobStart(
        3, 1, Optional.empty(), Optional.empty(), false, Optional.empty(), false, REQUEST, REQUEST);
  }

  private static void print(
      String what, List<Times> without, List<Times> with, ToDoubleFunction<Times> of) {
    double[] more = new double[with.size()];
    for (int i = 0; i < more.length; i++) {
      more[i] = 100 * (of.applyAsDouble(with.get(i)) / of.applyAsDouble(without.get(i)) - 1);
    }
    Percentile percentile = new Percentile();
    System.out.printf(
        Locale.ROOT,
        "%-10s %6.2f s without, %6.2f s with: %+.1f %% (%+.1f to %+.1f)%n",
        what,
        percentile.evaluate(without.stream().mapToDouble(of).toArray(), 50),
        percentile.evaluate(with.stream().mapToDouble(of).toArray(), 50),
        percentile.evaluate(more, 50),
        percentile.evaluate(more, 25),
        percentile.evaluate(more, 75));
  }
}
