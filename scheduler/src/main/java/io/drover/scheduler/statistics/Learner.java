// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.AttemptOutcome;
import io.drover.channel.RackBandwidth;
import io.drover.channel.Report;
import io.drover.channel.Report.LostOutputs;
import io.drover.core.machine.Claim;
import io.drover.core.machine.ClaimLedger;
import io.drover.core.machine.MachineSettings;
import io.drover.core.machine.MachineStatistics;
import io.drover.core.machine.RackBandwidths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/**
 * Learns from reports. What a job claims counts only as far as its ended containers bear it out
 * ({@link ClaimLedger}), and one user's jobs have a limited weight. Claims about machines that are
 * not in the cluster are ignored. Used by one thread at a time.
 */
final class Learner {
  /**
   * How many machines a job may make claims about beyond those on which its containers were seen to
   * end. An AppMaster may know of an end before the ResourceManager does.
   */
  static final int MAX_AHEAD = 200;

  /** One application attempt: what it has claimed so far, and where its containers have ended. */
  private static final class Job {
    private final String user;
    private final ClaimLedger ledger = new ClaimLedger();
    private final Map<String, Claim> claims = new HashMap<>();

    /** Machines whose claims or ended containers have changed since the last {@link #takeNews}. */
    private final Set<String> news = new HashSet<>();

    private Job(String user) {
      this.user = user;
    }

    private void claim(String machine, Claim more) {
      boolean isKept = claims.containsKey(machine) || claims.size() < ledger.machines() + MAX_AHEAD;
      if (isKept) {
        claims.merge(machine, more, Claim::plus);
        news.add(machine);
      }
    }

    private void lost(LostOutputs lost) {
      Claim claim = claims.get(lost.machine());
      if (claim != null) {
        // No more outputs can be lost than there were.
        long all = Math.min(claim.outputs(), (long) claim.lost() + lost.outputs());
        claims.put(
            lost.machine(),
            new Claim(claim.judged(), claim.outliers(), claim.outputs(), (int) all));
        news.add(lost.machine());
      }
    }

    private void ended(String machine, int containers) {
      for (int i = 0; i < containers; i++) {
        ledger.containerEnded(machine);
      }
      if (claims.containsKey(machine)) {
        news.add(machine);
      }
    }

    /** Returns the claims about the machines in {@link #news}, and clears it. */
    private Map<String, Claim> takeNews() {
      Map<String, Claim> some = new HashMap<>();
      news.forEach(machine -> some.put(machine, claims.get(machine)));
      news.clear();
      return some;
    }
  }

  private final Map<ApplicationAttemptId, Job> jobs = new HashMap<>();
  private final Set<ApplicationAttemptId> withNews = new LinkedHashSet<>();
  private final Predicate<String> isTrusted;
  private final MachineSettings settings;
  private KnownCluster cluster = KnownCluster.EMPTY;
  private MachineStatistics machines;
  private RackBandwidths links;

  /**
   * Creates a learner that knows nothing yet.
   *
   * @param isTrusted whether the jobs of one user alone may make a machine slow, or determine the
   *     bandwidth of a link, for everybody
   * @param now seconds
   */
  Learner(MachineSettings settings, Predicate<String> isTrusted, double now) {
    this.settings = settings;
    this.isTrusted = isTrusted;
    machines = new MachineStatistics(settings, now);
    links = new RackBandwidths(this::isRack, isTrusted);
  }

  private boolean isRack(String name) {
    return cluster.racks().contains(name);
  }

  /** Sets the machines and racks of the cluster. */
  void cluster(KnownCluster now) {
    cluster = now;
  }

  /**
   * Continues from a snapshot of an earlier learner. Then it learns again what jobs have reported
   * to this one, so that nothing is lost if a snapshot can only be read late.
   *
   * @param now seconds, by the clock of the reports
   * @throws IllegalArgumentException if the figures are invalid; nothing has changed then
   */
  void restore(PersistedState state, double now) {
    machines = MachineStatistics.restore(settings, state.machines());
    RackBandwidths.Snapshot said = links.snapshot(now);
    links = new RackBandwidths(this::isRack, isTrusted);
    links.restore(state.links());
    links.restore(said);
    jobs.forEach(
        (attempt, job) -> {
          job.ledger.readmit();
          job.news.addAll(job.claims.keySet());
          withNews.add(attempt);
        });
  }

  /**
   * Returns everything that must outlive a restart.
   *
   * @param wall seconds, by the machine's clock
   */
  PersistedState state(double now, double wall) {
    return new PersistedState(machines.snapshot(), links.snapshot(now), now, wall);
  }

  /** Returns the names of the cluster's machines. */
  Set<String> hosts() {
    return cluster.hosts().keySet();
  }

  /** Notes that containers of an application that reports have ended on a machine. */
  void ended(ApplicationAttemptId attempt, String user, String machine, int containers) {
    job(attempt, user).ended(machine, containers);
    withNews.add(attempt);
  }

  private Job job(ApplicationAttemptId attempt, String user) {
    return jobs.computeIfAbsent(attempt, a -> new Job(user));
  }

  /** Takes in a report of a user's application. */
  void onReport(ApplicationAttemptId attempt, String user, Report report, double now) {
    Job job = job(attempt, user);
    withNews.add(attempt);
    for (AttemptOutcome outcome : report.outcomes()) {
      String host = cluster.hosts().get(outcome.machine());
      String machine = host == null ? outcome.machine() : host;
      if (host != null || job.ledger.hasSeen(machine)) { // or it has just left
        int outputs = outcome.keptOutput() ? 1 : 0;
        job.claim(machine, new Claim(1, outcome.outlier() ? 1 : 0, outputs, 0));
      }
    }
    report.lostOutputs().forEach(job::lost);
    String application = attempt.getApplicationId().toString();
    for (RackBandwidth link : report.bandwidths()) {
      link.up().ifPresent(up -> links.tellUp(user, application, link.rack(), now, up));
      link.down().ifPresent(down -> links.tellDown(user, application, link.rack(), now, down));
    }
  }

  /**
   * Advances the time, learns from what is new, and forgets applications that have ended. If the
   * news of one job cannot be processed, it is lost; that of the others is not.
   *
   * @param failed called with such a job and with what went wrong
   */
  void advance(
      double now,
      Predicate<ApplicationAttemptId> runs,
      BiConsumer<ApplicationAttemptId, Throwable> failed) {
    machines.advance(now);
    for (Iterator<ApplicationAttemptId> it = withNews.iterator(); it.hasNext(); ) {
      ApplicationAttemptId attempt = it.next();
      it.remove(); // first, so that a failure does not repeat itself
      try {
        observe(jobs.get(attempt));
      } catch (Throwable cause) {
        failed.accept(attempt, cause);
      }
    }
    jobs.keySet().removeIf(attempt -> !runs.test(attempt));
  }

  private void observe(Job job) {
    Map<String, Claim> news = job.takeNews();
    if (isTrusted.test(job.user)) {
      machines.observe(job.ledger, news);
    } else {
      machines.observe(job.user, job.ledger, news);
    }
  }

  /** Returns how many claims are kept, of all jobs together. */
  int claims() {
    return jobs.values().stream().mapToInt(job -> job.claims.size()).sum();
  }

  /**
   * Returns what is known now.
   *
   * @param called by machine of the cluster that others call slow, why
   */
  MachineView view(double now, Map<String, String> called) {
    List<RackBandwidth> known = new ArrayList<>();
    Map<String, List<RackBandwidth>> own = new HashMap<>();
    for (String rack : cluster.racks()) {
      OptionalDouble up = links.up(rack, now);
      OptionalDouble down = links.down(rack, now);
      if (up.isPresent() || down.isPresent()) {
        known.add(new RackBandwidth(rack, up, down));
      }
      Map<String, Double> ownUp = links.ownUp(rack, now);
      Map<String, Double> ownDown = links.ownDown(rack, now);
      Set<String> users = new HashSet<>(ownUp.keySet());
      users.addAll(ownDown.keySet());
      for (String user : users) {
        own.computeIfAbsent(user, u -> new ArrayList<>())
            .add(new RackBandwidth(rack, or(up, ownUp.get(user)), or(down, ownDown.get(user))));
      }
    }
    return MachineView.of(
        machines.probability(),
        machines.figures(),
        known,
        machines.ownProbabilities(),
        machines.ownLossProbabilities(),
        own,
        called);
  }

  private static OptionalDouble or(OptionalDouble forAll, Double own) {
    return forAll.isPresent() || own == null ? forAll : OptionalDouble.of(own);
  }

  /**
   * The machines and racks of the cluster at one moment. They are copied once a round, and not
   * looked up for each entry of a report.
   *
   * @param hosts the hosts' names, each mapped to itself, so that what is kept of a report refers
   *     to these strings and not to the report's own
   * @param racks the names of the racks, sorted
   */
  record KnownCluster(Map<String, String> hosts, Set<String> racks) {
    static final KnownCluster EMPTY = new KnownCluster(Map.of(), Set.of());

    static KnownCluster of(Collection<? extends SchedulerNode> nodes) {
      Map<String, String> hosts = new HashMap<>();
      Set<String> racks = new TreeSet<>();
      for (SchedulerNode node : nodes) {
        String host = node.getNodeID().getHost();
        hosts.put(host, host);
        racks.add(node.getRackName());
      }
      return new KnownCluster(hosts, racks);
    }
  }
}
