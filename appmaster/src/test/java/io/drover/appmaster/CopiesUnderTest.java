// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.input.InputHolders;
import io.drover.appmaster.protect.OutputProtection;
import io.drover.appmaster.protect.Surroundings;
import io.drover.appmaster.replicate.Replicator;
import io.drover.appmaster.sampling.SampledJob;
import io.drover.core.clone.DelayAssignment;
import io.drover.core.config.Mode;
import io.drover.core.protect.ProtectSettings;
import io.drover.speculator.Breakers;
import io.drover.speculator.SecondAttempts;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverJob;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.util.SystemClock;

/** Copies of map outputs, in jobs in which nobody makes clones. */
public final class CopiesUnderTest {
  private CopiesUnderTest() {}

  /** Drover's parts in a job in which they do nothing but sort. */
  public static DroverJob.Parts parts() {
    return new DroverJob.Parts(
        TaskStartOrder.of(Mode.ON, Breakers.uncounted()),
        none(),
        attempt -> false,
        SampledJob.wholeInput(),
        new SecondAttempts((why, seenHere) -> {}),
        noProtection(),
        Breakers.uncounted());
  }

  /** The protection of a job's outputs, switched off. */
  public static OutputProtection noProtection() {
    return new OutputProtection(
        Mode.OFF,
        ProtectSettings.DEFAULT,
        new Configuration(false),
        new Surroundings(
            () -> null,
            () -> null,
            () -> true,
            kind -> true,
            () -> 0,
            hosts -> {},
            host -> OptionalDouble.empty(),
            host -> {},
            (kind, more) -> {},
            attempt -> {},
            noReplicator(),
            Runnable::run,
            (type, fields) -> {},
            Breakers.uncounted()));
  }

  /** One that nobody gives orders. */
  public static Replicator noReplicator() {
    return new Replicator(
        () -> null,
        0,
        1,
        new Replicator.Launcher() {
          @Override
          public boolean isReady() {
            return false;
          }

          @Override
          public String launch(TaskAttemptId worker, Container container) {
            throw new AssertionError("nobody has ordered a replica");
          }
        },
        System::nanoTime,
        Breakers.uncounted().of("Workers"));
  }

  /** Looks up nothing. */
  public static InputHolders noHolders() {
    return new InputHolders(
        new Configuration(false),
        CopiesUnderTest.class.getClassLoader(),
        () -> false,
        Breakers.uncounted());
  }

  /** Switched on, and without anything to do. */
  public static MapCopies none() {
    MapCopies.KnownClones none =
        new MapCopies.KnownClones() {
          @Override
          public boolean isClone(TaskAttemptId attempt) {
            return false;
          }

          @Override
          public boolean isCloned(TaskId task) {
            return false;
          }

          @Override
          public boolean areFed(long now) {
            return false;
          }
        };
    return new MapCopies(
        new DelayAssignment(0.1),
        () -> none,
        new AttemptReports(),
        SystemClock.getInstance(),
        () -> 0L,
        (t, f) -> {},
        Breakers.uncounted());
  }
}
