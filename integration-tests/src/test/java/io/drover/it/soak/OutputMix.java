// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import io.drover.it.soak.DyingAppMaster.Moment;
import io.drover.testbed.fault.FaultKind;
import io.drover.testbed.fault.FaultPlan;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.DemoJobSpec.DemoWorkload;
import io.drover.testbed.job.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A job, and what becomes of its map outputs, its hosts and its AppMaster. A part of the outputs is
 * on {@value #FLAKY}, of which the cluster knows that it loses outputs, so that they are replicated
 * on {@code n6}, the other host of that rack. The largest map goes on meanwhile.
 *
 * <p>What is drawn is what a job can survive on six hosts, with two copies of its input in HDFS:
 *
 * <ul>
 *   <li>At most one host or rack is lost. Its DataNode is lost with it, and a second one might have
 *       the other copy.
 *   <li>At most one disk is full: from a third of the nodes on, Hadoop keeps a job's tasks off none
 *       of those on which many have failed, and one may fail there four times.
 *   <li>Nothing befalls {@code n1}, the host of the AppMaster, and its rack is not cut. If that
 *       host is out of reach, the ResourceManager starts another AppMaster after ten minutes, and
 *       there again.
 *   <li>An AppMaster dies once, as a job has two; with encrypted outputs it has only one, and none
 *       dies.
 * </ul>
 *
 * <p>Nor is a wrong clock drawn: it changes nothing about outputs.
 *
 * @param spec the job, and what goes wrong with hosts and outputs
 * @param conf settings of the job
 * @param death when its AppMaster dies; empty if it does not
 * @param deathAt how much of the maps must be done before that, in [0,1]
 */
record OutputMix(
    DemoJobSpec spec, SortedMap<String, String> conf, Optional<Moment> death, double deathAt) {
  /** The host that is known to lose outputs. */
  static final String FLAKY = "n5";

  /** Hosts that are struck: mostly the flaky one, and the one that holds its replicas. */
  private static final List<String> VICTIMS = List.of(FLAKY, FLAKY, FLAKY, "n6", "n6", "n4", "n3");

  private static final Set<FaultKind> DAMAGES =
      EnumSet.of(FaultKind.LOST_OUTPUTS, FaultKind.CORRUPT_OUTPUTS, FaultKind.TRUNCATED_OUTPUTS);

  private static final Set<FaultKind> LOSSES =
      EnumSet.of(FaultKind.NM_DEATH, FaultKind.HOST_DEATH, FaultKind.CUT_HOST, FaultKind.CUT_RACK);

  private static final Set<FaultKind> CUTS = EnumSet.of(FaultKind.CUT_HOST, FaultKind.CUT_RACK);

  private static final Set<FaultKind> BURDENS =
      EnumSet.of(
          FaultKind.STARVED_HOST,
          FaultKind.STOPPED_TASKS,
          FaultKind.PAUSING_TASKS,
          FaultKind.SLOW_HOST_LINK,
          FaultKind.SLOW_UPLINK,
          FaultKind.FULL_DISK);

  /** Kinds of which Hadoop counts no attempt as failed, and so Drover must not cause any to be. */
  private static final Set<FaultKind> FAILING_NOTHING =
      EnumSet.of(
          FaultKind.LOST_OUTPUTS,
          FaultKind.CORRUPT_OUTPUTS,
          FaultKind.TRUNCATED_OUTPUTS,
          FaultKind.NM_DEATH);

  /**
   * Draws a mix. The seed and the number say all of it.
   *
   * @param hosts what the hosts of the cluster are; on namespaces there are more faults
   */
  static OutputMix draw(long seed, int number, HostKind hosts) {
    long ofSeed = new SplittableRandom(seed).nextLong(); // else near seeds would draw the same
    long ofNumber = new SplittableRandom(ofSeed ^ number).nextLong();
    SplittableRandom random = new SplittableRandom(ofNumber);
    List<FaultPlan> faults = faults(random, hosts);
    boolean isEncrypted = random.nextInt(5) == 0;
    SortedMap<String, String> conf = new TreeMap<>();
    conf.put("mapreduce.map.output.compress", Boolean.toString(random.nextBoolean()));
    conf.put("mapreduce.job.encrypted-intermediate-data", Boolean.toString(isEncrypted));
    conf.put("mapreduce.job.reduce.slowstart.completedmaps", random.nextBoolean() ? "1.0" : "0.05");
    DemoJobSpec spec =
        DemoJobSpec.of(scenario(faults))
            .with()
            .workload(random.nextBoolean() ? DemoWorkload.SORT : DemoWorkload.WORD_COUNT)
            .tasks(random.nextInt(11, 15), random.nextInt(1, 4))
            .bytesPerMap(random.nextInt(50_000, 500_000), 0)
            .pace(Duration.ofSeconds(4), Duration.ofSeconds(2))
            .faultTask(0) // the largest map is on n1, where nothing befalls it
            .faults(faults)
            .build();
    Optional<Moment> death =
        isEncrypted || random.nextInt(4) > 0 ? Optional.empty() : Optional.of(moment(random));
    double deathAt = death.equals(Optional.of(Moment.MAPS)) ? 0.4 + random.nextDouble(0.6) : 0;
    return new OutputMix(spec, conf, death, deathAt);
  }

  /** Half of the deaths fall when there are replicas to be made, or just made. */
  private static Moment moment(SplittableRandom random) {
    if (random.nextBoolean()) {
      return Moment.MAPS;
    }
    return random.nextInt(3) == 0 ? Moment.WORKER : Moment.COPY;
  }

  /** Only the inputs of some scenarios have two copies, and their maps run elsewhere more often. */
  private static Scenario scenario(List<FaultPlan> faults) {
    return faults.stream()
            .map(FaultPlan::kind)
            .anyMatch(kind -> LOSSES.contains(kind) || kind == FaultKind.STARVED_HOST)
        ? Scenario.SKEW
        : Scenario.FLAKY_OUTPUTS;
  }

  private static List<FaultPlan> faults(SplittableRandom random, HostKind hosts) {
    List<FaultPlan> faults = new ArrayList<>();
    List<String> victims = VICTIMS;
    if (random.nextInt(3) == 0) {
      FaultPlan loss = fault(LOSSES, victims, hosts, random);
      faults.add(loss);
      // What is lost cannot be damaged, and its disk is out of reach.
      victims = victims.stream().filter(host -> !loss.victim().equals(Optional.of(host))).toList();
    }
    if (random.nextInt(3) == 0) {
      faults.add(fault(BURDENS, victims, hosts, random));
    }
    for (int i = random.nextInt(faults.isEmpty() ? 1 : 0, 3); i > 0; i--) {
      faults.add(fault(DAMAGES, victims, hosts, random));
    }
    return faults;
  }

  /** Draws a fault. Half of them begin when all maps but the largest one are about done. */
  private static FaultPlan fault(
      Set<FaultKind> kinds, List<String> victims, HostKind hosts, SplittableRandom random) {
    FaultKind kind = oneOf(drawn(kinds, hosts), random);
    int percent = random.nextBoolean() ? random.nextInt(30, 93) : random.nextInt(93, 101);
    Duration after = Duration.ofMillis(random.nextInt(0, 4000));
    Optional<Duration> length =
        random.nextBoolean() && (CUTS.contains(kind) || BURDENS.contains(kind))
            ? Optional.of(Duration.ofSeconds(random.nextInt(10, 60)))
            : Optional.empty();
    return new FaultPlan(kind, percent / 100.0, after, length, Optional.of(oneOf(victims, random)));
  }

  private static List<FaultKind> drawn(Set<FaultKind> kinds, HostKind hosts) {
    return Arrays.stream(FaultKind.values())
        .filter(kinds::contains)
        .filter(kind -> hosts == HostKind.NAMESPACES || !kind.needsNamespaces())
        .toList();
  }

  private static <T> T oneOf(List<T> all, SplittableRandom random) {
    return all.get(random.nextInt(all.size()));
  }

  /** Returns whether a host is lost, at least for a time. */
  boolean losesHost() {
    return has(LOSSES);
  }

  /** Returns whether a host is cut off, so that what runs there ends late. */
  boolean cutsHost() {
    return has(CUTS);
  }

  /**
   * Returns whether an attempt may be FAILED, and not only KILLED, without any fault of Drover's.
   */
  boolean mayFailAttempts() {
    return !spec.faults().stream().allMatch(fault -> FAILING_NOTHING.contains(fault.kind()));
  }

  private boolean has(Set<FaultKind> kinds) {
    return spec.faults().stream().anyMatch(fault -> kinds.contains(fault.kind()));
  }

  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    words.add("%s %d+%d".formatted(spec.workload().key(), spec.maps(), spec.reduces()));
    spec.faults().forEach(fault -> words.add(words(fault)));
    conf.forEach((key, value) -> words.add(key.replaceAll(".*\\.", "") + "=" + value));
    death.ifPresent(moment -> words.add("AppMaster dies: %s %.2f".formatted(moment, deathAt)));
    return String.join(" ", words);
  }

  private static String words(FaultPlan fault) {
    return "%s:at=%.0f%%:after=%dms%s:on=%s"
        .formatted(
            fault.kind().key(),
            100 * fault.maps(),
            fault.after().toMillis(),
            fault.length().map(time -> ":for=" + time.toSeconds() + "s").orElse(""),
            fault.victim().orElseThrow());
  }
}
