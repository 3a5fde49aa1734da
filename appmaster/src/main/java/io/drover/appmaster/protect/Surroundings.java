// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.replicate.Replicator;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.model.TaskKind;
import io.drover.speculator.Breakers;
import io.drover.speculator.DecisionLogSink;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;

/**
 * What protection needs from the AppMaster.
 *
 * @param job returns the job, once it is there
 * @param probe returns what asks ShuffleHandlers; called on threads that may wait
 * @param isConnected returns whether the AppMaster reaches the ResourceManager
 * @param mayRunTwice tells of which kinds tasks may run a second time; it may become fewer
 * @param freeSlots returns how many maps could start without keeping others from it
 * @param lostHosts takes the hosts that do not answer, whenever they change
 * @param lossProbability returns how likely an output on a host is lost, if the scheduler says so
 * @param lostOn takes a host that has lost an output though no attempt ends for it
 * @param acted takes what outputs that were made again, and replicas, have come to
 * @param flees notes that the task of an attempt is to run elsewhere
 * @param replicator has replicas made
 * @param dispatcher runs work on the dispatcher thread
 * @param lines the decision log
 * @param breakers the job's breakers
 */
public record Surroundings(
    Supplier<Job> job,
    Supplier<ShuffleProbe> probe,
    BooleanSupplier isConnected,
    Predicate<TaskKind> mayRunTwice,
    IntSupplier freeSlots,
    Consumer<Set<String>> lostHosts,
    Function<String, OptionalDouble> lossProbability,
    Consumer<String> lostOn,
    BiConsumer<ActionKind, ActionTotals> acted,
    Consumer<TaskAttemptId> flees,
    Replicator replicator,
    Consumer<Runnable> dispatcher,
    DecisionLogSink lines,
    Breakers breakers) {}
