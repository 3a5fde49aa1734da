// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.config.BadSettingException;
import io.drover.simulator.SampleWorkloads;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.JobOutcome;
import io.drover.simulator.scheme.Schemes.NoSpeculation;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Overheads;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests runs with results worked out by hand. A byte takes a second. */
class SimulationTest {
  private static final Offset<Double> EXACTLY = within(1e-6);
  private static final ClusterShape TWO_SLOTS = ClusterShape.of(2, 1, 1);

  private static SchemeOutcome run(ClusterShape shape, JobSpec... jobs) {
    return SampleWorkloads.run(List.of(jobs), shape, SampleWorkloads.EVEN, new NoSpeculation());
  }

  private static double seconds(SchemeOutcome outcome, int job) {
    return outcome.jobs().get(job).seconds();
  }

  @Test
  void tasksRunInWavesOnTheSlotsThereAre() {
    SchemeOutcome outcome = run(TWO_SLOTS, SampleWorkloads.maps("a", 5, 10, 10, 10));
    assertThat(seconds(outcome, 0)).isEqualTo(20, EXACTLY);
    assertThat(outcome.slotSeconds()).isEqualTo(30, EXACTLY);
  }

  @Test
  void startAndLeastWorkComeOnTop() {
    SimulationSettings settings = SimulationSettings.defaults(1).with(new Overheads(2, 1, 0, 0));
    SchemeOutcome outcome =
        SampleWorkloads.run(
            SampleWorkloads.workload(
                List.of(SampleWorkloads.maps("a", 0, 10), SampleWorkloads.maps("empty", 0, 0))),
            TWO_SLOTS,
            SampleWorkloads.EVEN,
            new NoSpeculation(),
            settings);
    assertThat(seconds(outcome, 0)).isEqualTo(12, EXACTLY);
    assertThat(seconds(outcome, 1)).isEqualTo(3, EXACTLY);
  }

  @Test
  void slotsAreSharedFairly() {
    SchemeOutcome outcome =
        run(
            TWO_SLOTS,
            SampleWorkloads.maps("large", 0, 10, 10, 10, 10),
            SampleWorkloads.maps("small", 1, 10));
    assertThat(seconds(outcome, 1))
        .as("gets the first slot that comes free")
        .isEqualTo(19, EXACTLY);
    assertThat(seconds(outcome, 0)).isEqualTo(30, EXACTLY);
  }

  @Test
  void reducesBeginAfterTheLastMapAndFetchThroughTheirCard() {
    ClusterShape shape = new ClusterShape(4, 1, 1, 10, 1);
    SchemeOutcome outcome =
        run(shape, SampleWorkloads.mapReduce("a", 0, new long[] {10, 20}, new long[] {30}));
    double card = 30.0 / 10;
    assertThat(seconds(outcome, 0)).isEqualTo(20 + card + 30, EXACTLY);
  }

  /** Runs maps of 10 s and 40 s and a reduce of 100 bytes. A card carries 10 bytes a second. */
  private static SchemeOutcome slowStart(String share) throws BadSettingException {
    SimulationSettings settings =
        SimulationSettings.read(1, Map.of(SimulationSettings.SLOW_START, share))
            .with(Overheads.NONE);
    List<JobSpec> jobs =
        List.of(SampleWorkloads.mapReduce("a", 0, new long[] {10, 40}, new long[] {100}));
    ClusterShape shape = new ClusterShape(3, 1, 1, 10, 1);
    return SampleWorkloads.run(
        SampleWorkloads.workload(jobs), shape, SampleWorkloads.EVEN, new NoSpeculation(), settings);
  }

  @Test
  void aReduceThatStartsSlowlyFetchesWhatIsThereMeanwhile() throws BadSettingException {
    double of50 = 100.0 / 10;
    assertThat(seconds(slowStart("1"), 0)).isEqualTo(40 + of50 + 100, EXACTLY);
    // At 10, a fifth of the output exists. It is fetched by 12, the rest from 40 on.
    SchemeOutcome early = slowStart("0.5");
    assertThat(seconds(early, 0)).isEqualTo(40 + of50 * 4 / 5 + 100, EXACTLY);
    assertThat(early.slotSeconds()).isEqualTo(50 + (40 - 10) + 8 + 100, EXACTLY);
  }

  @Test
  void aReduceThatStartedEarlyGivesWayToTheMapThatItWaitsFor() throws BadSettingException {
    // Two slots. When the long map is killed at 12, its slot goes to the job that has none. The
    // reduce, which has had the other slot since 10, would wait for a map that waits for a slot.
    SimulationSettings settings =
        SimulationSettings.read(1, Map.of(SimulationSettings.SLOW_START, "0.5"))
            .with(Overheads.NONE);
    List<JobSpec> jobs =
        List.of(
            SampleWorkloads.mapReduce("a", 0, new long[] {10, 40}, new long[] {10}),
            SampleWorkloads.maps("newcomer", 11, 100));
    ClusterShape shape = new ClusterShape(2, 1, 1, 1000, 1);
    SchemeOutcome outcome =
        SampleWorkloads.run(
            SampleWorkloads.workload(jobs),
            shape,
            SampleWorkloads.EVEN,
            new RestartsTheLongMap(),
            settings);
    assertThat(seconds(outcome, 0)).isEqualTo(12 + 40 + 10 / 1000.0 + 10, EXACTLY);
    assertThat(seconds(outcome, 1)).isEqualTo(1 + 100, EXACTLY);
  }

  /** Restarts the long map of the first job once its reduce has begun. */
  private static final class RestartsTheLongMap implements Scheme {
    @Override
    public String name() {
      return "restarts";
    }

    @Override
    public double firstScan(PhaseRun phase) {
      return phase.job().number() == 0 && phase.index() == 0 ? 12 : Double.POSITIVE_INFINITY;
    }

    @Override
    public double scan(PhaseRun phase, Actions actions) {
      if (actions.now() == 12) {
        actions.restart(phase.tasks().get(1).live().get(0));
      }
      return 1000;
    }
  }

  @Test
  void whatCrossesRacksSharesTheirLinks() {
    // Two racks of one machine each. A link carries a tenth of a card.
    ClusterShape shape = new ClusterShape(2, 1, 2, 100, 10);
    SchemeOutcome outcome =
        run(shape, SampleWorkloads.mapReduce("a", 0, new long[] {50, 50}, new long[] {100, 100}));
    double crossing = 100 / 2 / 10.0;
    assertThat(seconds(outcome, 0)).isEqualTo(50 + crossing + 100, EXACTLY);
  }

  @Test
  void flowsOnALinkShareItEvenly() {
    // All maps are in rack 0, which has the slots; reduces of 100 and 300 bytes are in rack 1.
    RackLinks links = new RackLinks(new ClusterShape(2, 1, 2, 10, 1));
    EventQueue queue = new EventQueue();
    Link link = links.up(0);
    double[] ends = new double[2];
    Ends small = new Ends(ends, 0);
    Ends large = new Ends(ends, 1);
    link.begin(new Link.Flow(link, small, 100), 0);
    link.begin(new Link.Flow(link, large, 300), 5);
    links.changed(link);
    links.schedule(queue, 5);
    while (!queue.isEmpty()) {
      double now = queue.nextTime();
      queue.remove().happen(now);
      links.schedule(queue, now);
    }
    // 50 bytes alone until 5, the other 50 at half the pace until 15, then the large one alone.
    assertThat(ends[0]).isEqualTo(15, EXACTLY);
    assertThat(ends[1]).isEqualTo(15 + 250 / 10.0, EXACTLY);
    assertThat(link.carried()).isEqualTo(400, within(1e-2));
  }

  @Test
  void whatFlowsHaveStillToBringFallsAsTheLinkCarries() {
    RackLinks links = new RackLinks(new ClusterShape(2, 1, 2, 10, 1));
    Link link = links.up(0);
    Ends ends = new Ends(new double[1], 0);
    assertThat(link.left(3)).isZero();
    link.begin(new Link.Flow(link, ends, 100), 0);
    assertThat(link.left(4)).isEqualTo(60, EXACTLY);
    Link.Flow large = new Link.Flow(link, ends, 300);
    link.begin(large, 5);
    assertThat(link.left(5)).isEqualTo(350, EXACTLY);
    assertThat(link.left(15)).isEqualTo(250, EXACTLY);
    link.giveUp(large, 15);
    assertThat(link.left(15)).isZero();
  }

  /** Records when flows end. */
  private record Ends(double[] ends, int index) implements Link.Receiver {
    @Override
    public void flowIsOver(double now) {
      ends[index] = now;
    }
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    List<JobSpec> jobs =
        IntStream.range(0, 50).mapToObj(i -> SampleWorkloads.maps("j" + i, i, 5, 7, 9)).toList();
    ClusterShape shape = ClusterShape.of(10, 2, 2);
    SchemeOutcome once =
        SampleWorkloads.run(jobs, shape, SampleWorkloads.EVEN, new NoSpeculation());
    SchemeOutcome again =
        SampleWorkloads.run(jobs, shape, SampleWorkloads.EVEN, new NoSpeculation());
    assertThat(once).isEqualTo(again);
  }

  @Test
  void jobsOutOfOrderAreRefused() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                run(
                    TWO_SLOTS,
                    SampleWorkloads.maps("late", 5, 1),
                    SampleWorkloads.maps("early", 1, 1)))
        .withMessageContaining("early");
  }

  @Test
  void utilisationIsOfTheTimeInWhichJobsCome() {
    SchemeOutcome outcome =
        run(TWO_SLOTS, SampleWorkloads.maps("a", 0, 10), SampleWorkloads.maps("b", 20, 10));
    assertThat(outcome.utilisation()).isEqualTo(10.0 / (20 * 2), EXACTLY);
  }

  /** M/M/c: the mean wait before c servers is C(c, a) / (c mu - lambda); C is Erlang's formula. */
  @Test
  void theQueueWaitsAsErlangSays() {
    int servers = 10;
    double load = 8;
    int count = 400_000;
    double mean = 1_000_000;
    double now = 0;
    java.util.SplittableRandom random = new java.util.SplittableRandom(3);
    JobSpec[] jobs = new JobSpec[count];
    double[] service = new double[count];
    for (int i = 0; i < count; i++) {
      now += -Math.log(1 - random.nextDouble()) * mean / load;
      long bytes = Math.round(-Math.log(1 - random.nextDouble()) * mean);
      service[i] = bytes;
      jobs[i] = SampleWorkloads.maps("j" + i, now, bytes);
    }
    SchemeOutcome outcome = run(ClusterShape.of(servers, 1, 1), jobs);
    double waited = 0;
    for (JobOutcome job : outcome.jobs()) {
      waited += job.seconds() - service[job.job()];
    }
    double expected = erlangC(servers, load) * mean / (servers - load);
    assertThat(waited / count).isCloseTo(expected, within(0.05 * expected));
    assertThat(outcome.utilisation()).isCloseTo(load / servers, within(0.01));
  }

  private static double erlangC(int servers, double load) {
    double term = 1;
    double sum = 1;
    for (int k = 1; k < servers; k++) {
      term *= load / k;
      sum += term;
    }
    double last = term * load / servers * servers / (servers - load);
    return last / (sum + last);
  }

  @Test
  void aSlotThatIsTakenTwiceIsSeen() {
    Slots slots = new Slots(TWO_SLOTS, 1);
    int slot = slots.any();
    slots.take(slot);
    assertThatIllegalStateException().isThrownBy(() -> slots.take(slot));
    slots.giveBack(slot);
    assertThatIllegalStateException().isThrownBy(() -> slots.giveBack(slot));
  }

  /** Dolly section 3.1: a job of n tasks with c copies meets an outlier with 1 - (1 - p^c)^n. */
  @Test
  void clonesMeetOutliersAsDollysFormulaSays() {
    int tasks = 5;
    int copies = 2;
    double p = 0.2;
    int count = 20_000;
    long[] bytes = new long[tasks];
    Arrays.fill(bytes, 10);
    List<JobSpec> jobs =
        IntStream.range(0, count)
            .mapToObj(i -> SampleWorkloads.maps("j" + i, i * 200.0, bytes))
            .toList();
    Scheme cloning =
        new Scheme() {
          @Override
          public String name() {
            return "two of each";
          }

          @Override
          public int copiesFromTheStart(PhaseRun phase) {
            return copies;
          }
        };
    SchemeOutcome outcome =
        SampleWorkloads.run(
            jobs,
            ClusterShape.of(50, 1, 1),
            SampleWorkloads.slowness(
                (phase, task, attempt, machine) -> chance(phase, task, attempt) < p ? 10 : 1),
            cloning);
    double met = outcome.jobs().stream().filter(job -> job.seconds() > 50).count() / (double) count;
    double expected = 1 - Math.pow(1 - Math.pow(p, copies), tasks);
    double error = Math.sqrt(expected * (1 - expected) / count);
    assertThat(met).isCloseTo(expected, within(4 * error));
  }

  private static double chance(long phase, int task, int attempt) {
    long mixed = io.drover.simulator.world.Chance.mix(phase, task * 64L + attempt);
    return io.drover.simulator.world.Chance.uniform(mixed);
  }
}
