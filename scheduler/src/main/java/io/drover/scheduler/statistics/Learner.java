// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.LostOutputs;
import io.drover.channel.Outcome;
import io.drover.channel.RackBandwidth;
import io.drover.channel.Report;
import io.drover.core.machine.Claim;
import io.drover.core.machine.ClaimLedger;
import io.drover.core.machine.MachineSettings;
import io.drover.core.machine.MachineSnapshot;
import io.drover.core.machine.MachineStatistics;
import io.drover.core.machine.RackBandwidths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * Learns from reports, as far as the containers bear them out that were seen to end ({@link
 * ClaimLedger}). One thread at a time.
 */
final class Learner {
  /** One application attempt: what it has claimed so far, and what was seen of it. */
  private static final class Job {
    private final ClaimLedger ledger = new ClaimLedger();
    private final Map<String, Claim> claims = new HashMap<>();

    private void claim(String machine, Claim more) {
      claims.merge(machine, more, Claim::plus);
    }
  }

  private final Map<ApplicationAttemptId, Job> jobs = new HashMap<>();
  private final Supplier<List<String>> racks;
  private MachineStatistics machines;
  private RackBandwidths links;

  /**
   * Knows nothing yet.
   *
   * @param racks that there are now
   * @param now seconds since 1970
   */
  Learner(MachineSettings settings, Supplier<List<String>> racks, double now) {
    this.racks = racks;
    machines = new MachineStatistics(settings, now);
    links = new RackBandwidths(this::isRack);
  }

  private boolean isRack(String name) {
    return racks.get().contains(name);
  }

  /** Goes on where another one ended. */
  void restore(MachineSettings settings, Memory memory) {
    machines = MachineStatistics.restore(settings, memory.machines());
    links = RackBandwidths.restore(this::isRack, memory.links());
  }

  /** All that is to outlive a restart. */
  Memory memory(double now) {
    MachineSnapshot snapshot = machines.snapshot();
    return new Memory(snapshot, links.snapshot(now));
  }

  /** A container of an application that reports has ended on a machine. */
  void ended(ApplicationAttemptId attempt, String machine) {
    Job job = jobs.get(attempt);
    if (job != null) {
      job.ledger.containerEnded(machine);
    }
  }

  /** Takes in a report. */
  void heard(ApplicationAttemptId attempt, Report report, double now) {
    Job job = jobs.computeIfAbsent(attempt, a -> new Job());
    for (Outcome outcome : report.outcomes()) {
      job.claim(outcome.machine(), new Claim(1, outcome.outlier() ? 1 : 0, 1, 0));
    }
    for (LostOutputs lost : report.lostOutputs()) {
      job.claims.computeIfPresent(lost.machine(), (machine, claim) -> lost(claim, lost.outputs()));
    }
    String application = attempt.getApplicationId().toString();
    for (RackBandwidth link : report.bandwidths()) {
      link.up().ifPresent(up -> links.tellUp(application, link.rack(), now, up));
      link.down().ifPresent(down -> links.tellDown(application, link.rack(), now, down));
    }
  }

  /** More cannot be lost than was there. */
  private static Claim lost(Claim claim, int more) {
    long lost = Math.min(claim.outputs(), (long) claim.lost() + more);
    return new Claim(claim.judged(), claim.outliers(), claim.outputs(), (int) lost);
  }

  /** Lets time pass, and forgets applications that are over. */
  void advance(double now, Predicate<ApplicationAttemptId> runs) {
    machines.advance(now);
    jobs.values().forEach(job -> machines.observe(job.ledger, job.claims));
    jobs.keySet().removeIf(attempt -> !runs.test(attempt));
  }

  /** What is known now. */
  Learnt learnt(double now) {
    List<RackBandwidth> known = new ArrayList<>();
    for (String rack : racks.get()) {
      OptionalDouble up = links.up(rack, now);
      OptionalDouble down = links.down(rack, now);
      if (up.isPresent() || down.isPresent()) {
        known.add(new RackBandwidth(rack, up, down));
      }
    }
    return Learnt.of(machines.probability(), machines.figures(), known);
  }
}
