// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.protect.OutputsByHost.Output;
import io.drover.appmaster.replicate.Replicator;
import io.drover.appmaster.replicate.Replicator.Made;
import io.drover.appmaster.replicate.Replicator.Order;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.protect.ProtectSettings;
import io.drover.core.protect.Protection;
import io.drover.core.protect.ProtectionRule;
import io.drover.core.protect.RecomputationTime;
import io.drover.core.protect.ReplicationBudget;
import io.drover.core.protect.ReplicationPolicy;
import io.drover.core.protect.ReplicationPolicy.KeptOutput;
import io.drover.speculator.DecisionLogSink;
import io.drover.speculator.DroverCounter;
import io.drover.speculator.JobCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormatCounter;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * Has replicas made of the outputs that are dear ({@link ReplicationPolicy}), and lets reduces read
 * them when they cannot read the originals.
 *
 * <p>An output is valued when its map has succeeded, and again when more is known about its
 * machine. What pays goes to a worker in the same rack ({@link Replicator}), the most gain for its
 * bytes first. A worker is only started if there is room that no other attempt of the job waits
 * for, and if what it is expected to save exceeds what its start takes. A replica counts when the
 * node's own ShuffleHandler says that it can read it.
 *
 * <p><b>A replica is used</b> as soon as the original's node is silent, or cannot read it, or is
 * very slow. The output then is where the replica is: reduces are told ({@link
 * OutputEvents#alsoAt}), its node is watched, and if that is lost too, it is made again as any
 * other is. The attempt that made it stays SUCCEEDED: Hadoop does not hear that its node is lost.
 *
 * <p><b>Why no reduce hangs or reads something else because of it.</b> A replica is the same bytes,
 * checked as reduces check them, under the same attempt; whichever place a reduce reads first
 * counts. If the attempt ends meanwhile, its replica is never told. Reduces that complain within
 * the shuffle's timeouts after they were told of a replica may mean the first place; whatever they
 * complain about later has the map run again. If something fails here or in the watch, Hadoop's own
 * rule for complaints holds. An AppMaster that is started again knows no replicas, and recovers the
 * attempts with their first nodes.
 *
 * <p>Everything runs on the dispatcher thread unless said otherwise.
 */
final class OutputReplication implements Replicator.Listener {
  /**
   * r_m of machines of which the scheduler says nothing, because they lose less than it tells, or
   * because it does not know. It is a tenth of the least that it tells.
   */
  private static final double USUAL_LOSS = 1e-4;

  /** How often it is decided about all outputs, of which there may be very many. */
  private static final double PAUSE_SECONDS = 2;

  /** The shuffle's timeouts if nobody has set them (Fetcher). */
  private static final int STALLED_MILLIS = 180_000;

  /** What a request for one part of an output takes, apart from its bytes. */
  private static final double PART_SECONDS = 0.002;

  /** How many good hosts are named where a container is wanted. */
  private static final int MOST_NEAR = 10;

  /** A replica counts with at most this time. */
  private static final double MOST_SECONDS = 86_400;

  /** How often a replica of an output is tried. */
  private static final int MOST_TRIES = 2;

  private final Mode mode;
  private final Surroundings around;
  private final DecisionLogSink lines;
  private final CircuitBreaker breaker;
  private final OutputsByHost outputs;
  private final OutputEvents events;
  private final HostWatch watch;
  private final ReplicationPolicy policy;
  private final ReplicationBudget budget;
  private final boolean isOff;
  private final double mostBytesPerSecond;
  private final double startSeconds;
  private final double lateComplaintsSeconds;
  private final Set<TaskId> granted = new HashSet<>();

  /** The orders that are open, or what was decided about outputs if this only observes. */
  private final Map<TaskAttemptId, Long> ordered = new HashMap<>();

  private final Map<TaskAttemptId, Made> made = new HashMap<>();
  private final Map<TaskAttemptId, Integer> tries = new HashMap<>();

  /** When reduces were told of replicas, seconds. */
  private final Map<TaskAttemptId, Double> moved = new HashMap<>();

  private double decidedAt = Double.NEGATIVE_INFINITY;
  private double copiedBytes;
  private double copiedSeconds;

  OutputReplication(
      Mode mode,
      ProtectSettings settings,
      Configuration conf,
      Surroundings around,
      OutputsByHost outputs,
      OutputEvents events,
      HostWatch watch) {
    this.mode = mode;
    this.around = around;
    this.lines = around.lines().in(mode);
    this.breaker = around.breakers().of("Replicating map outputs");
    this.outputs = outputs;
    this.events = events;
    this.watch = watch;
    this.policy = new ReplicationPolicy(host -> OptionalDouble.of(loss(host)));
    this.budget = new ReplicationBudget(settings);
    this.isOff = mode == Mode.OFF || settings.replicatedShare() == 0;
    this.mostBytesPerSecond = settings.replicaBytesPerSecond();
    this.startSeconds = settings.workerStartSeconds();
    this.lateComplaintsSeconds = lateComplaintsSeconds(conf);
  }

  /**
   * Returns for how long reduces may complain about a place though they have been told of another,
   * seconds. A reduce that waits for the rest of an answer waits for a new connection after that,
   * and then complains about all that it has asked for, even about what it has read elsewhere
   * meanwhile (Fetcher.copyFromHost). The complaint goes with its next report.
   */
  static double lateComplaintsSeconds(Configuration conf) {
    long read = conf.getInt(MRJobConfig.SHUFFLE_READ_TIMEOUT, STALLED_MILLIS);
    long connect = conf.getInt(MRJobConfig.SHUFFLE_CONNECT_TIMEOUT, STALLED_MILLIS);
    return (read + connect + MRJobConfUtil.getTaskProgressReportInterval(conf)) / 1e3;
  }

  private double loss(String host) {
    return around.lossProbability().apply(host).orElse(USUAL_LOSS);
  }

  /**
   * Grants the bytes that an attempt has processed, if it is the first of its task to succeed: what
   * it has read and what it has written. What an earlier AppMaster has granted and spent is not
   * counted again.
   */
  void succeeded(TaskAttempt attempt) {
    if (granted.add(attempt.getID().getTaskId())) {
      boolean isMap = attempt.getID().getTaskId().getTaskType() == TaskType.MAP;
      long bytes =
          isMap
              ? count(attempt, FileInputFormatCounter.BYTES_READ)
                  + count(attempt, TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES)
              : count(attempt, TaskCounter.REDUCE_SHUFFLE_BYTES)
                  + count(attempt, FileOutputFormatCounter.BYTES_WRITTEN);
      budget.grant(bytes);
    }
  }

  private static long count(TaskAttempt attempt, Enum<?> counter) {
    return Math.max(0, attempt.getCounters().findCounter(counter).getValue());
  }

  // --- which outputs get a replica

  /** An output of which a replica pays, and what that is expected to save, in seconds. */
  private record Candidate(Output output, OptionalDouble rate, double gain) {
    private double gainPerByte() {
      return gain / Math.max(1, output.bytes());
    }
  }

  /**
   * Decides about all outputs without a replica.
   *
   * @param doubtful hosts that do not answer, are suspect, or send slowly
   */
  void decide(Collection<String> doubtful, double now) {
    if (isOff || now - decidedAt < PAUSE_SECONDS) {
      return;
    }
    decidedAt = now;
    Set<String> useless = new HashSet<>(doubtful);
    Map<String, Set<String>> hosts = new HashMap<>();
    Map<String, Double> gains = new HashMap<>();
    List<Candidate> candidates = new ArrayList<>();
    for (String host : outputs.hosts()) {
      if (around.lossProbability().apply(host).isPresent()) {
        useless.add(host); // a replica there would be lost as well
      }
    }
    for (Output output : outputs.all()) {
      if (!useless.contains(output.host())) {
        near(hosts, output.rack()).add(output.host());
      }
      candidate(output, doubtful).ifPresent(candidates::add);
    }
    around.replicator().avoid(useless);
    candidates.forEach(one -> gains.merge(one.output.rack(), one.gain, Double::sum));
    candidates.sort(Comparator.comparingDouble(one -> -one.gainPerByte()));
    candidates.removeIf(one -> !decide(one, gains, hosts, now));
  }

  private static Set<String> near(Map<String, Set<String>> hosts, String rack) {
    return hosts.computeIfAbsent(rack, r -> new HashSet<>());
  }

  /** There may be very many outputs: what hardly any passes comes first, and costs little. */
  private Optional<Candidate> candidate(Output output, Collection<String> doubtful) {
    OptionalDouble rate = rate(output);
    double gain = policy.gainSeconds(List.of(output.host()), output.bytes(), redo(output), rate);
    if (gain <= 0 || doubtful.contains(output.host())) {
      return Optional.empty();
    }
    TaskAttemptId id = output.id();
    boolean isOpen = ordered.containsKey(id) || made.containsKey(id);
    return isOpen || tries.getOrDefault(id, 0) >= MOST_TRIES
        ? Optional.empty()
        : Optional.of(new Candidate(output, rate, gain));
  }

  /** Orders a replica if that is possible now. A rack whose workers are busy is left for now. */
  private boolean decide(
      Candidate one, Map<String, Double> gains, Map<String, Set<String>> hosts, double now) {
    Output output = one.output;
    String rack = output.rack();
    double gain = gains.getOrDefault(rack, 0.0);
    boolean mayStart = mode != Mode.ON || around.freeSlots().getAsInt() > 0;
    Order order = order(output, near(hosts, rack));
    if (gain <= 0 || (!(mayStart && gain >= startSeconds) && !hasWorkerFor(order))) {
      return false;
    }
    Protection decision = policy.decide(kept(output), one.rate, budget, now);
    if (decision.action() == ProtectionRule.Action.REPLICATE
        && !replicate(output, order, decision)) {
      gains.put(rack, 0.0);
    }
    return true;
  }

  private boolean hasWorkerFor(Order order) {
    return mode == Mode.ON && around.replicator().hasWorkerFor(order);
  }

  private boolean replicate(Output output, Order order, Protection decision) {
    if (mode == Mode.ON && !around.replicator().order(order, this)) {
      budget.giveBack(output.bytes());
      return false;
    }
    ordered.put(output.id(), output.bytes());
    if (mode == Mode.ON) {
      around.acted().accept(ActionKind.REPLICA, ActionTotals.launched(1));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("from", output.host());
    fields.putAll(decision.fields());
    line("replicaOrdered", output.id(), fields, decision.explain());
    return true;
  }

  private static Order order(Output output, Set<String> hosts) {
    List<String> near =
        hosts.stream().filter(host -> !host.equals(output.host())).limit(MOST_NEAR).toList();
    return new Order(
        output.id(), output.host(), output.address(), output.bytes(), output.rack(), near);
  }

  /** Returns how fast an output comes if each of its parts takes a time of its own as well. */
  private OptionalDouble rate(Output output) {
    double bytes = Math.max(1, output.bytes());
    double parts = around.job().get().getTotalReduces() * PART_SECONDS;
    return OptionalDouble.of(bytes / (bytes / bytesPerSecond() + parts));
  }

  /** Returns how fast replicas come: as fast as they may, or as fast as they have come. */
  private double bytesPerSecond() {
    return copiedSeconds > 0
        ? Math.max(1, Math.min(mostBytesPerSecond, copiedBytes / copiedSeconds))
        : mostBytesPerSecond;
  }

  private static KeptOutput kept(Output output) {
    return new KeptOutput(
        output.id().toString(), List.of(output.host()), output.bytes(), true, redo(output));
  }

  private static RecomputationTime redo(Output output) {
    return RecomputationTime.ofSource(output.seconds());
  }

  // --- what workers say; these two may be called on any thread

  @Override
  public void made(Order order, Made replica) {
    watch.later(
        Duration.ZERO,
        () -> {
          boolean isThere =
              around
                  .probe()
                  .get()
                  .canRead(replica.address(), 0, TypeConverter.fromYarn(order.output()));
          String problem = isThere ? null : "the node of the replica cannot read it";
          onDispatcher(() -> settle(order, Optional.ofNullable(problem), replica));
        },
        () -> onDispatcher(() -> settle(order, Optional.of("it could not be checked"), replica)));
  }

  @Override
  public void failed(Order order, boolean isBegun, String why) {
    onDispatcher(
        () -> {
          if (!isBegun && ordered.containsKey(order.output())) {
            budget.giveBack(ordered.get(order.output()));
          }
          settle(order, Optional.of(why), null);
        });
  }

  private void onDispatcher(Runnable work) {
    around.dispatcher().accept(() -> breaker.run(work));
  }

  private void settle(Order order, Optional<String> problem, Made replica) {
    TaskAttemptId id = order.output();
    if (ordered.remove(id) == null) {
      return;
    }
    if (replica != null) {
      JobCounters.add(around.job().get(), DroverCounter.REPLICATED_BYTES, replica.bytes());
      copiedBytes += (double) replica.bytes();
      copiedSeconds += replica.seconds();
      settled(0, 0, replica.seconds(), 0);
    }
    if (problem.isPresent()) {
      settled(0, 1, 0, 0);
      tries.merge(id, 1, Integer::sum);
      line("replicaFailed", id, Map.of("from", order.host()), problem.get());
      return;
    }
    if (outputs.of(id).isEmpty()) {
      settled(0, 1, 0, 0);
      return; // its map runs again
    }
    made.put(id, replica);
    watch.keeps(replica.host(), replica.address());
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("from", order.host());
    fields.put("to", replica.host());
    fields.put("bytes", replica.bytes());
    fields.put("seconds", replica.seconds());
    line("replicaMade", id, fields, "it can be read on both hosts now");
  }

  /**
   * Counts what became of a replica.
   *
   * @param wasted seconds, as its worker says, which may say anything
   * @param saved seconds
   */
  private void settled(long won, long lost, double wasted, double saved) {
    long made = Math.round(1e3 * Math.max(0, Math.min(MOST_SECONDS, wasted)));
    ActionTotals more = ActionTotals.settled(won, lost, made, Math.round(1e3 * saved));
    around.acted().accept(ActionKind.REPLICA, more);
  }

  // --- the use of replicas

  /** Returns the hosts of all replicas that may be needed. */
  Set<String> hosts() {
    Set<String> hosts = new HashSet<>();
    made.values().forEach(replica -> hosts.add(replica.host()));
    return hosts;
  }

  /** Returns the hosts on which an output can be read. */
  List<String> machines(Output output) {
    Made replica = made.get(output.id());
    return replica == null || moved.containsKey(output.id())
        ? List.of(output.host())
        : List.of(output.host(), replica.host());
  }

  /**
   * Returns whether reduces were told of an output's replica not long ago. For so long, complaints
   * may be about the first place. Later ones are about the replica: it may be that this AppMaster
   * reaches its node, and the reduces do not.
   */
  boolean hasJustMoved(TaskAttemptId output) {
    return now() - moved.getOrDefault(output, Double.NEGATIVE_INFINITY) < lateComplaintsSeconds;
  }

  /** Returns whether reduces were told of an output's replica. */
  boolean hasMoved(TaskAttemptId output) {
    return moved.containsKey(output);
  }

  private static double now() {
    return System.nanoTime() / 1e9;
  }

  /**
   * Lets reduces read the replica of an output that cannot be read any more, or hardly.
   *
   * @param doubtful hosts whose replicas are of no use
   * @param isLost whether it would have to be made again otherwise
   * @param why for people
   * @return whether there was one
   */
  boolean use(Output output, Collection<String> doubtful, boolean isLost, String why) {
    TaskAttemptId id = output.id();
    Made replica = made.get(id);
    if (replica == null || moved.containsKey(id) || doubtful.contains(replica.host())) {
      return false;
    }
    if (!events.alsoAt(id, replica.address())) {
      return false;
    }
    moved.put(id, now());
    outputs.move(output, output.at(replica.host(), replica.address()));
    JobCounters.add(around.job().get(), DroverCounter.REPLICAS_USED, 1);
    if (isLost) {
      around
          .lostOn()
          .accept(output.host()); // a used replica is no sign that the host has become good
      JobCounters.add(around.job().get(), DroverCounter.RECOMPUTATIONS_AVOIDED, 1);
      settled(1, 0, 0, output.seconds()); // as long as its map would run again
    }
    line("replicaUsed", id, Map.of("from", output.host(), "to", replica.host()), why);
    return true;
  }

  /** Forgets an output that is made again. */
  void forget(TaskAttemptId output) {
    made.remove(output);
    moved.remove(output);
  }

  private void line(String type, TaskAttemptId id, Map<String, Object> fields, String reason) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("task", id.getTaskId());
    all.put("attempt", id);
    all.putAll(fields);
    all.put("reason", reason);
    lines.write(type, all);
  }
}
