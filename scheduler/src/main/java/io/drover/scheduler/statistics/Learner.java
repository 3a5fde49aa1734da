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
 * Learns from reports, as far as ended containers bear them out ({@link ClaimLedger}), and within
 * the weight of one user's jobs. What is claimed of machines that are none of the cluster's is
 * passed over. One thread at a time.
 */
final class Learner {
  /**
   * Machines on which nothing of a job was seen to end yet, and of which claims are kept all the
   * same: an AppMaster may know of an end before the ResourceManager does.
   */
  static final int MAX_AHEAD = 200;

  /** One application attempt: what it has claimed so far, and what was seen of it. */
  private static final class Job {
    private final String user;
    private final ClaimLedger ledger = new ClaimLedger();
    private final Map<String, Claim> claims = new HashMap<>();

    /** Machines of which something is claimed or was seen that has not been looked at. */
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
        // More cannot be lost than was there.
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

    /** What is claimed of the machines of which there is news. */
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
   * Knows nothing yet.
   *
   * @param isTrusted whether a user's jobs alone may make a machine slow, and say what a link
   *     bears, for everybody
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

  /** The machines and racks that there are from now on. */
  void cluster(KnownCluster now) {
    cluster = now;
  }

  /**
   * Goes on where another one ended. What jobs have said to this one is taken in again, so that a
   * snapshot that can be read late only costs nothing.
   *
   * @param now seconds, by the clock of what jobs have said
   * @throws IllegalArgumentException if the figures are none; nothing has changed then
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
   * All that is to outlive a restart.
   *
   * @param wall seconds, by the machine's clock
   */
  PersistedState state(double now, double wall) {
    return new PersistedState(machines.snapshot(), links.snapshot(now), now, wall);
  }

  /** Containers of an application that reports have ended on a machine. */
  void ended(ApplicationAttemptId attempt, String user, String machine, int containers) {
    job(attempt, user).ended(machine, containers);
    withNews.add(attempt);
  }

  private Job job(ApplicationAttemptId attempt, String user) {
    return jobs.computeIfAbsent(attempt, a -> new Job(user));
  }

  /** Takes in a report of an application of a user. */
  void onReport(ApplicationAttemptId attempt, String user, Report report, double now) {
    Job job = job(attempt, user);
    withNews.add(attempt);
    for (AttemptOutcome outcome : report.outcomes()) {
      String host = cluster.hosts().get(outcome.machine());
      String machine = host == null ? outcome.machine() : host;
      if (host != null || job.ledger.hasSeen(machine)) { // or it has just gone
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
   * Lets time pass, takes in what is new, and forgets applications that are over. What is new of a
   * job and cannot be taken in is lost; that of the others is not.
   *
   * @param failed is told of such a job, and what went wrong
   */
  void advance(
      double now,
      Predicate<ApplicationAttemptId> runs,
      BiConsumer<ApplicationAttemptId, Throwable> failed) {
    machines.advance(now);
    for (Iterator<ApplicationAttemptId> it = withNews.iterator(); it.hasNext(); ) {
      ApplicationAttemptId attempt = it.next();
      it.remove(); // before anything can go wrong with it
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

  /** How many claims are kept, of all jobs together. */
  int claims() {
    return jobs.values().stream().mapToInt(job -> job.claims.size()).sum();
  }

  /** What is known now. */
  MachineView view(double now) {
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
        machines.probability(), machines.figures(), known, machines.ownProbabilities(), own);
  }

  private static OptionalDouble or(OptionalDouble forAll, Double own) {
    return forAll.isPresent() || own == null ? forAll : OptionalDouble.of(own);
  }

  /**
   * Which machines and racks there are, at one moment: copied once a round, and not for each word
   * that is said of one.
   *
   * @param hosts by their names, each by the name itself: what is kept of a report refers to these
   *     and not to the report's own
   * @param racks in their order
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
