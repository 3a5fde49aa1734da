// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.appmaster.protect.OutputsByHost.Output;
import io.drover.appmaster.replicate.Replicator;
import io.drover.appmaster.shuffle.ShuffleClient;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.TaskKind;
import io.drover.core.protect.CrawlingMachines;
import io.drover.core.protect.CrawlingMachines.Fetching;
import io.drover.core.protect.CrawlingMachines.Reader;
import io.drover.core.protect.PrecomputeBudget;
import io.drover.core.protect.PrecomputePolicy;
import io.drover.core.protect.PrecomputePolicy.Doubts;
import io.drover.core.protect.ProtectSettings;
import io.drover.core.protect.Protection;
import io.drover.core.protect.ProtectionRule;
import io.drover.core.protect.ProtectionRule.Action;
import io.drover.core.protect.RecomputationTime;
import io.drover.core.protect.ReplicationPolicy.KeptOutput;
import io.drover.core.protect.SilentMachines;
import io.drover.speculator.DecisionLogSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.apache.hadoop.service.Service;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the outputs of maps again that reduces cannot read any more or are about to miss.
 *
 * <ul>
 *   <li>A node that does not answer when it is asked for outputs ({@link HostWatch}) is taken for
 *       lost after seconds: its unread outputs are made again elsewhere, all at once ({@link
 *       PrecomputePolicy}), and the job takes no containers there until it answers again.
 *   <li>An output that a reduce could not fetch from a node that does answer is asked for by the
 *       AppMaster itself. If the node cannot read it, twice, it is made again at once. After two
 *       such losses in a while, all unread outputs of the node are.
 *   <li>If outputs come from a node so slowly that they would be there much sooner if they were
 *       made again elsewhere ({@link CrawlingMachines}), they are.
 * </ul>
 *
 * <p><b>What stock Hadoop does.</b> It waits until the reduces complain: each reports a node that
 * refuses connections or does not answer after 180 s, and an output that the node cannot read after
 * ten attempts, which take minutes. With three reports from at least half of the shuffling reduces,
 * the map counts as FAILED, and four failures of a task fail the job. A ResourceManager that gives
 * up a node, after ten minutes, ends its succeeded maps as KILLED.
 *
 * <p><b>What is done here</b> is the latter, only earlier ({@link OutputRemaker}). If enough
 * reduces complain for Hadoop to fail the attempt ({@code TA_TOO_MANY_FETCH_FAILURE}), that becomes
 * a kill too ({@link #instead}). If maps may not run a second time, nothing is done; if that turns
 * out later, only what Hadoop would make again is.
 *
 * <p>Everything runs on the dispatcher thread unless said otherwise.
 */
public final class OutputProtection {
  private static final Logger LOG = LoggerFactory.getLogger(OutputProtection.class);

  /** Deciding looks at all reduces, and reports come often. */
  private static final double PAUSE_SECONDS = 1;

  private static final double MILLIS = 1e3;

  private final Mode mode;
  private final Surroundings around;
  private final HostWatch watch;
  private final Complaints complaints;
  private final DecisionLogSink lines;
  private final CircuitBreaker breaker;
  private final OutputEvents events;
  private final OutputRemaker remaker;
  private final LostLaunches launches;
  private final Duration quiet;
  private final Contacts contacts;
  private final OutputsByHost outputs;
  private final OutputReplication replication;
  private final LossEvents losses;
  private final UntoldLosses untold;
  private final PrecomputePolicy policy;
  private final PrecomputeBudget budget;
  private final SlowSources slow;

  /** Maps that run again before a reduce has missed their output. */
  private final Set<TaskId> ahead = new HashSet<>();

  /** Outputs whose loss counts against their node. */
  private final Set<TaskAttemptId> counted = new HashSet<>();

  private volatile Map<String, Double> silent = Map.of();
  private double decidedAt = Double.NEGATIVE_INFINITY;

  /**
   * Creates the protection of one job's outputs.
   *
   * @param conf the job's configuration
   */
  public OutputProtection(
      Mode mode, ProtectSettings settings, Configuration conf, Surroundings around) {
    boolean isToProtect =
        conf.getInt(MRJobConfig.NUM_REDUCES, 0) > 0 && around.mayRunTwice().test(TaskKind.MAP);
    this.mode = isToProtect ? mode : Mode.OFF;
    this.around = around;
    this.lines = around.lines().in(mode);
    this.breaker = around.breakers().of("Protecting map outputs");
    this.events =
        new OutputEvents(
            (from, most) -> around.job().get().getMapAttemptCompletionEvents(from, most),
            around.breakers().of("Events of map outputs"));
    this.outputs = new OutputsByHost(ShuffleClient.isEncrypted(conf));
    this.slow = new SlowSources(around.job(), outputs);
    this.remaker = new OutputRemaker(this.mode, around, outputs, events, conf);
    this.quiet = Contacts.quiet(conf);
    this.contacts = new Contacts(System::nanoTime, isOn());
    this.policy = new PrecomputePolicy(settings);
    this.budget = new PrecomputeBudget(settings);
    this.watch =
        new HostWatch(
            "Watching hosts with map outputs",
            new SilentMachines(settings),
            address -> around.probe().get().answers(address),
            this::isNeeded,
            around.isConnected(),
            hosts -> around.dispatcher().accept(() -> breaker.run(() -> silent(hosts))),
            System::nanoTime,
            around.breakers());
    this.launches =
        new LostLaunches(
            this.mode,
            settings,
            around,
            this::deadHosts,
            few -> watch.hears() || !few.containsAll(contacts.heardOf(around.job().get(), quiet)),
            this::tellLost);
    this.complaints = new Complaints(watch, around, breaker, this::unreadable, System::nanoTime);
    this.replication =
        new OutputReplication(this.mode, settings, conf, around, outputs, events, watch);
    this.untold = new UntoldLosses(events, around.lostOn());
    this.losses =
        new LossEvents(
            outputs, replication, remaker, complaints, () -> silent.keySet(), this::lostOn);
  }

  /** Returns whether anything is watched. */
  public boolean isOn() {
    return mode != Mode.OFF;
  }

  /** Returns whether anything is done, and not only observed. */
  public boolean acts() {
    return mode == Mode.ON;
  }

  /** Returns the service that asks the hosts; it is started and stopped with the AppMaster. */
  public Service watch() {
    return watch;
  }

  /** A reduce that has read everything may fail yet, or a copy of it may begin. */
  private boolean isNeeded() {
    Job job = around.job().get();
    return job != null && job.getCompletedReduces() < job.getTotalReduces();
  }

  /** Returns those by which reduces learn of outputs; empty if they get the job's own. */
  public Optional<OutputEvents> events() {
    return acts() ? Optional.of(events) : Optional.empty();
  }

  /** Returns where an output is to be read, if its node does not serve it but another does. */
  public Optional<String> replica(TaskAttemptID output) {
    return events.replica(output);
  }

  /**
   * Returns whether an output can be read though its map runs again: its node is slow or suspect,
   * and has not lost it.
   */
  public boolean isStillRead(TaskAttemptId output) {
    return events.isKept(output);
  }

  /** Returns what ends attempts whose containers cannot be launched. */
  public LostLaunches launches() {
    return launches;
  }

  /** Returns what has replicas made. */
  public Replicator replicator() {
    return around.replicator();
  }

  /** Returns what notes the calls of attempts. */
  public Contacts contacts() {
    return contacts;
  }

  /**
   * Returns the hosts of which nothing is heard at all: neither does the node answer, nor do
   * attempts there call. What runs there has stopped, as far as the job can tell. Any thread may
   * call this.
   */
  public Set<String> deadHosts() {
    Set<String> hosts = silentHosts();
    return mode != Mode.ON || hosts.isEmpty()
        ? Set.of()
        : contacts.without(around.job().get(), hosts, quiet);
  }

  private Set<String> silentHosts() {
    Set<String> hosts = new HashSet<>(silent.keySet());
    hosts.addAll(launches.silent());
    return hosts;
  }

  private void tellLost() {
    Set<String> hosts = silentHosts();
    LOG.warn("Nodes that do not answer: {}", hosts);
    lines.write("silentNodes", Map.of("hosts", new TreeSet<>(hosts)));
    if (mode == Mode.ON) {
      around.lostHosts().accept(hosts);
    }
  }

  /** Returns whether outputs were found to come slowly from a host. Any thread may call this. */
  public boolean isSlowSource(String host) {
    return mode == Mode.ON && slow.sources().contains(host);
  }

  /**
   * Returns the hosts from and to which outputs come slowly; none while outputs there are still to
   * be made again, for which copies of reduces would take the slots. Any thread may call this.
   */
  public Set<String> slowLinks() {
    return mode == Mode.ON ? slow.links() : Set.of();
  }

  /** Handles an event of a map or reduce that the task has handled already. */
  public void onTaskEvent(Job job, TaskEvent event) {
    if (isOn() && !job.isUber()) {
      breaker.run(() -> take(job, event));
    }
  }

  private void take(Job job, TaskEvent event) {
    Task task = job.getTask(event.getTaskID());
    if (event instanceof TaskTAttemptEvent end && HadoopAttempts.isEnd(event.getType())) {
      TaskAttempt attempt = task.getAttempt(end.getTaskAttemptID());
      contacts.ended(attempt.getID());
      if (event.getType() != TaskEventType.T_ATTEMPT_SUCCEEDED) {
        replication.forget(attempt.getID());
        untold.ended(attempt.getID());
      }
      budget.grant(Math.max(0, attempt.getFinishTime() - attempt.getLaunchTime()) / MILLIS);
    }
    if (event.getType() == TaskEventType.T_ATTEMPT_SUCCEEDED) {
      slow.ended(event.getTaskID().toString());
      TaskAttempt attempt = task.getAttempt(((TaskTAttemptEvent) event).getTaskAttemptID());
      remaker.succeeded(job, attempt, ahead.remove(event.getTaskID()));
      replication.succeeded(attempt);
    }
    if (event.getTaskID().getTaskType() == TaskType.MAP
        && (HadoopAttempts.isEnd(event.getType()) || event.getType() == TaskEventType.T_RECOVER)) {
      boolean isOneEmpty = outputs.refresh(task);
      outputs.of(task).ifPresent(output -> watch.keeps(output.host(), output.address()));
      if (isOneEmpty) {
        Set<String> asked = new HashSet<>(outputs.hosts());
        asked.addAll(silent.keySet()); // they are avoided until they answer
        asked.addAll(replication.hosts());
        asked.addAll(events.keptOn());
        watch.retain(asked);
      }
    }
  }

  // --- what reduces say

  /** Takes in that a reduce could not fetch outputs, and finds out whether they can be read. */
  public void complained(JobTaskAttemptFetchFailureEvent notice) {
    if (isOn()) {
      breaker.run(() -> take(notice));
    }
  }

  private void take(JobTaskAttemptFetchFailureEvent notice) {
    List<Output> named = new ArrayList<>();
    for (TaskAttemptId map : notice.getMaps()) {
      events.end(map).or(() -> outputs.of(map)).ifPresent(named::add);
    }
    complaints.take(named, notice.getReduce().getTaskId().getId());
  }

  /** Makes outputs again that their node could not read twice. They count against the node. */
  private void unreadable(List<Output> some) {
    for (Output output : some) {
      if (outputs.of(output.id()).filter(output::equals).isPresent()) { // it has not moved since
        lostOn(output);
        String reason = "its node cannot read it, and a reduce still has to";
        if (!replication.use(output, silent.keySet(), true, reason)) {
          remaker.makeAgain(output, false, reason, Map.of());
        }
      } else if (untold.tell(events.end(output.id()).orElse(output))) {
        lostOn(output);
      }
    }
    decide();
  }

  /** Returns the event that a map attempt handles in place of another; see {@link LossEvents}. */
  public TaskAttemptEvent instead(TaskAttemptEvent event) {
    if (mode != Mode.ON || !LossEvents.isOne(event)) {
      return event;
    }
    Job job = around.job().get();
    return HadoopAttempts.isRunning(job)
        ? breaker.call(() -> losses.instead(event), event)
        : LossEvents.whenTheJobEnds(job, event);
  }

  /** Counts a loss against the node, once for each output. */
  private void lostOn(Output output) {
    if (counted.add(output.id())) {
      policy.recomputed(output.host(), now());
    }
  }

  /**
   * Takes in what a reduce gets from hosts from which outputs come slowly. Any thread may call
   * this.
   *
   * @param reduce the attempt that fetches
   * @param rates what it gets, by host
   */
  public void fetching(TaskAttemptId reduce, Map<String, Fetching> rates) {
    if (isOn()) {
      around.dispatcher().accept(() -> breaker.run(() -> take(reduce, rates)));
    }
  }

  private void take(TaskAttemptId reduce, Map<String, Fetching> rates) {
    Task task = around.job().get().getTask(reduce.getTaskId());
    Optional<String> on = HadoopAttempts.host(task.getAttempt(reduce));
    if (task.getState() == TaskState.SUCCEEDED || on.isEmpty()) {
      return;
    }
    slow.report(new Reader(task.getID().toString(), on.get()), rates);
    if (now() - decidedAt >= PAUSE_SECONDS) {
      decide();
    }
  }

  // --- hosts that do not answer

  private void silent(Map<String, Double> hosts) {
    boolean isNews = !hosts.keySet().equals(silent.keySet());
    silent = Map.copyOf(hosts);
    if (isNews) {
      tellLost();
    }
    if (isNews && mode == Mode.ON) {
      events.endOn(hosts.keySet()).forEach(untold::tell);
      useReplicas(hosts.keySet(), true, "its node does not answer");
    }
    if (isNews || (!hosts.isEmpty() && now() - decidedAt >= PAUSE_SECONDS)) {
      launches.end();
      decide();
    }
  }

  private void useReplicas(Set<String> hosts, boolean isLost, String why) {
    Set<String> useless = new HashSet<>(silent.keySet());
    useless.addAll(hosts);
    for (String host : hosts) {
      outputs.on(host).forEach(output -> replication.use(output, useless, isLost, why));
    }
  }

  /**
   * Decides which outputs get replicas, and looks at launches that take long. It is called now and
   * then, on any thread, as long as the job runs.
   */
  public void heartbeat() {
    if (isOn()) {
      around.dispatcher().accept(launches::look);
      around.dispatcher().accept(() -> breaker.run(this::replicate));
    }
  }

  private void replicate() {
    Job job = around.job().get();
    if (job == null || job.isUber() || !areNeeded(job, Set.of())) {
      around.replicator().endAll("no reduce has to read outputs");
      return;
    }
    Set<String> doubtful = new HashSet<>(policy.suspects(now()));
    doubtful.addAll(silent.keySet());
    doubtful.addAll(slow.seconds(silent.keySet(), now()).keySet());
    replication.decide(doubtful, now());
  }

  /** A job that ends reads nothing more, though its reduces have not succeeded. */
  private static boolean areNeeded(Job job, Set<String> lost) {
    return HadoopAttempts.isRunning(job) && OutputsByHost.areUnread(job, lost);
  }

  private void decide() {
    decidedAt = now();
    Set<String> doubtful = new TreeSet<>(policy.suspects(now()));
    doubtful.addAll(silent.keySet());
    Map<String, Double> crawling = slow.seconds(silent.keySet(), now());
    useReplicas(crawling.keySet(), false, "it comes slowly from its node");
    doubtful.addAll(crawling.keySet());
    doubtful.retainAll(outputs.hosts());
    boolean isNeeded = !doubtful.isEmpty() && areNeeded(around.job().get(), silent.keySet());
    boolean isAllMade = !isNeeded || makeAgain(doubtful, crawling);
    slow.decided(isAllMade, now());
  }

  /**
   * Has outputs made again.
   *
   * @param doubtful the hosts whose outputs it is about
   * @param crawling those from which they crawl, and for how many seconds
   * @return whether all of the latter are, as far as they may be
   */
  private boolean makeAgain(Set<String> doubtful, Map<String, Double> crawling) {
    double usual = crawling.isEmpty() ? 0 : remaker.usualSeconds();
    Map<String, Output> byName = new LinkedHashMap<>();
    List<KeptOutput> kept = new ArrayList<>();
    for (String host : doubtful) {
      for (Output output : outputs.on(host)) {
        if (remaker.mayMakeAgain(output)) {
          String name = output.id().toString();
          byName.put(name, output);
          RecomputationTime redo =
              RecomputationTime.ofSource(crawling.containsKey(host) ? usual : output.seconds());
          kept.add(new KeptOutput(name, replication.machines(output), output.bytes(), true, redo));
        }
      }
    }
    int free = around.freeSlots().getAsInt();
    boolean isAllMade = true;
    for (Protection decision :
        policy.decide(kept, budget, new Doubts(silent, crawling), free, now())) {
      Output output = byName.get(decision.output().task());
      if (decision.action() == Action.RECOMPUTE) {
        boolean isUsable = decision.rule() != ProtectionRule.MACHINE_SILENT;
        remaker.makeAgain(output, isUsable, decision.explain(), decision.fields());
        ahead.add(output.id().getTaskId());
      } else {
        isAllMade &= !crawling.containsKey(output.host());
      }
    }
    return isAllMade;
  }

  private static double now() {
    return System.nanoTime() / 1e9;
  }
}
