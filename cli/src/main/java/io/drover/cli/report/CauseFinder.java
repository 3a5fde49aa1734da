// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.cli.report.MachinePaces.Pace;
import io.drover.cli.report.ProgressProfile.Stop;
import io.drover.core.model.TaskKind;
import io.drover.testbed.history.AttemptFigures;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.TaskRecord;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Names the probable cause of each slow task of a phase. The causes are tried in an order in which
 * the surer come first: what the history says outright (an output or a machine was lost, an attempt
 * failed), then what belongs to the task (its data, its work), then what its attempt spent the time
 * on (fetching, standing still), then its place (the machine), then its start. A cause is named if
 * it explains at least half of the time that the task took beyond the median.
 */
final class CauseFinder {
  /** The share of the excess that a cause must explain. Chosen: it then explains the most. */
  private static final double EXPLAINS = 0.5;

  /** A task's data or work is no cause unless it is larger than usual by this factor. */
  private static final double LARGER = 1.25;

  /** Processor times are compared by byte of tasks whose bytes are within this factor of usual. */
  private static final double COMPARABLE = 2;

  /**
   * Fewer other tasks on a machine do not tell that it computes slowly: they may have more work.
   */
  private static final int LEAST_OTHERS = 2;

  /** The share of a machine's tasks that are nearly all. Chosen: three of four. */
  private static final double NEARLY_ALL = 0.75;

  /** The share of a reduce's progress in which it fetches (Hadoop's ReduceTask). */
  private static final double FETCHES = 1 / 3.0;

  private static final OptionalDouble NONE = OptionalDouble.empty();

  /** What Hadoop says of attempts that it ends by a time-out: since 3.4, before, and before 2. */
  private static final Pattern TIMED_OUT =
      Pattern.compile(
          "(?m)^AttemptID:\\S+ task timeout set: .*(taskTimedOut|taskStuck): true"
              + "|^AttemptID:\\S+ Timed out after"
              + "|failed to report status for \\d+ seconds");

  /** What Hadoop says of attempts on a machine that it has lost (RMContainerAllocator). */
  private static final Pattern LOST_MACHINE =
      Pattern.compile("(?i)on a \\*?lost\\*? node|unusable node");

  /** What Hadoop says of containers that it took away (SchedulerUtils). */
  private static final Pattern PREEMPTED = Pattern.compile("(?i)preempted");

  private final PhaseTimes phase;
  private final MachinePaces machines;
  private final OptionalDouble bytes;
  private final OptionalDouble records;
  private final OptionalDouble cpu;
  private final OptionalDouble cpuPerByte;
  private final double usualPart;
  private final OptionalDouble startup;
  private final OptionalDouble fetch;

  /** A cause, the attempt in which it shows, and the figures behind it. */
  record Finding(Cause cause, AttemptRecord attempt, String evidence) {}

  /** Creates the finder of one phase. */
  CauseFinder(PhaseTimes phase, MachinePaces machines) {
    this.phase = phase;
    this.machines = machines;
    this.bytes = median(a -> toDouble(a.figures().bytesRead()));
    this.records = median(a -> toDouble(a.figures().records()));
    this.cpu = median(a -> toDouble(a.figures().cpuMillis()));
    this.cpuPerByte = median(this::cpuPerByte);
    this.usualPart =
        median(
                a ->
                    ProgressProfile.of(a, Double.NaN)
                        .map(ProgressProfile::partSeconds)
                        .orElse(NONE))
            .orElse(Double.NaN);
    this.startup = median(this::startSeconds);
    this.fetch = median(a -> phase.isTimed(a) ? phase.fetchSeconds(a) : NONE);
  }

  private OptionalDouble median(Function<AttemptRecord, OptionalDouble> figure) {
    double[] known =
        phase.tasks().stream()
            .flatMap(task -> task.winner().stream())
            .map(figure)
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .toArray();
    return known.length < PhaseTimes.LEAST_TASKS
        ? OptionalDouble.empty()
        : OptionalDouble.of(StatUtils.percentile(known, 50));
  }

  private static OptionalDouble toDouble(OptionalLong value) {
    return value.isPresent()
        ? OptionalDouble.of((double) value.getAsLong())
        : OptionalDouble.empty();
  }

  /** Returns the attempt that made a slow task slow, more than its others; else its last. */
  private AttemptRecord slowAttempt(TaskRecord task, List<Turn> turns) {
    double usual = phase.median().orElseThrow();
    return turns.stream()
        .max(Comparator.comparingDouble(turn -> turn.excess(usual)))
        .map(Turn::attempt)
        .orElseGet(() -> task.attempts().get(task.attempts().size() - 1));
  }

  /** Names the cause of a slow task. */
  Finding find(int index) {
    TaskRecord task = phase.tasks().get(index);
    List<Turn> turns = Turn.of(phase, index);
    AttemptRecord attempt = slowAttempt(task, turns);
    double excess = phase.seconds(index) - phase.median().orElseThrow();
    return ranAgain(turns, excess)
        .or(() -> largerInput(attempt, excess))
        .or(() -> moreWork(task, attempt, excess))
        .or(() -> slowFetch(attempt, excess))
        .or(() -> stoodStill(task, attempt, excess))
        .or(() -> slowMachine(task, attempt))
        .or(() -> slowStart(attempt, excess))
        .or(() -> slowRead(attempt))
        .orElseGet(
            () ->
                new Finding(
                    Cause.SLOW_ATTEMPT,
                    attempt,
                    "nothing in the history explains it, and other attempts on "
                        + attempt.node()
                        + " were not slow"));
  }

  /** What made the task run again, if that explains the excess. */
  private Optional<Finding> ranAgain(List<Turn> turns, double excess) {
    double usual = phase.median().orElseThrow();
    return most(turns, a -> a.outcome() == Outcome.OUTPUT_LOST, t -> t.lost(usual), excess)
        .map(
            lost ->
                new Finding(
                    Cause.LOST_OUTPUT,
                    lost,
                    "its output on " + lost.node() + " was lost, so it ran again"))
        .or(
            () ->
                most(turns, a -> isKilled(a, LOST_MACHINE), Turn::seconds, excess)
                    .map(
                        lost ->
                            new Finding(
                                Cause.LOST_MACHINE,
                                lost,
                                lost.node() + " was lost while it ran there")))
        .or(
            () ->
                most(turns, a -> isKilled(a, PREEMPTED), Turn::seconds, excess)
                    .map(
                        taken ->
                            new Finding(
                                Cause.PREEMPTED,
                                taken,
                                "its container on %s was taken away for others after %s"
                                    .formatted(taken.node(), Figures.seconds(taken.duration())))))
        .or(
            () ->
                most(turns, CauseFinder::isFailed, Turn::seconds, excess)
                    .map(failed -> failed(turns, failed)));
  }

  /** Returns the dearest attempt of a sort, if those of that sort together explain the excess. */
  private static Optional<AttemptRecord> most(
      List<Turn> turns,
      Predicate<AttemptRecord> sort,
      ToDoubleFunction<Turn> seconds,
      double excess) {
    List<Turn> ofSort = turns.stream().filter(turn -> sort.test(turn.attempt())).toList();
    return ofSort.stream().mapToDouble(seconds).sum() >= EXPLAINS * excess
        ? ofSort.stream().max(Comparator.comparingDouble(seconds)).map(Turn::attempt)
        : Optional.empty();
  }

  /** Returns whether an attempt was killed, through no fault of its own, for a reason. */
  private static boolean isKilled(AttemptRecord attempt, Pattern why) {
    return attempt.outcome() == Outcome.KILLED && why.matcher(attempt.diagnostics()).find();
  }

  private static boolean isFailed(AttemptRecord attempt) {
    return attempt.outcome() == Outcome.FAILED;
  }

  private static Finding failed(List<Turn> turns, AttemptRecord attempt) {
    if (TIMED_OUT.matcher(attempt.diagnostics()).find()) {
      return new Finding(
          Cause.STOPPED,
          attempt,
          "its attempt on %s was silent until it was ended by the time-out, after %s"
              .formatted(attempt.node(), Figures.seconds(attempt.duration())));
    }
    long failed = turns.stream().filter(turn -> isFailed(turn.attempt())).count();
    String why = attempt.diagnostics().strip().lines().findFirst().orElse("");
    return new Finding(
        Cause.FAILED,
        attempt,
        failed
            + (failed == 1 ? " attempt failed" : " attempts failed")
            + (why.isEmpty() ? "" : ": " + Figures.shortened(why)));
  }

  /** The task's data explains its time if a task of so much data usually takes so long. */
  private Optional<Finding> largerInput(AttemptRecord attempt, double excess) {
    Optional<Finding> byBytes =
        larger(toDouble(attempt.figures().bytesRead()), bytes, excess)
            .map(
                factor ->
                    new Finding(
                        Cause.MORE_DATA,
                        attempt,
                        Figures.times(factor) + " as many bytes as the median task"));
    return byBytes.or(
        () ->
            larger(toDouble(attempt.figures().records()), records, excess)
                .map(
                    factor ->
                        new Finding(
                            Cause.MORE_DATA,
                            attempt,
                            Figures.times(factor) + " as many records as the median task")));
  }

  private Optional<Double> larger(OptionalDouble own, OptionalDouble usual, double excess) {
    if (own.isEmpty() || usual.isEmpty() || !(usual.getAsDouble() > 0)) {
      return Optional.empty();
    }
    double factor = own.getAsDouble() / usual.getAsDouble();
    boolean explains = (factor - 1) * phase.median().orElseThrow() >= EXPLAINS * excess;
    return factor >= LARGER && explains ? Optional.of(factor) : Optional.empty();
  }

  /** The task has more to do if each of its attempts was slow, or computed for longer. */
  private Optional<Finding> moreWork(TaskRecord task, AttemptRecord attempt, double excess) {
    List<AttemptRecord> slow =
        task.attempts().stream()
            .filter(a -> phase.seconds(a) > PhaseTimes.SLOW * phase.median().orElseThrow())
            .toList();
    long machinesUsed = slow.stream().map(AttemptRecord::node).distinct().count();
    if (machinesUsed >= 2 && slow.contains(task.winner().orElse(attempt))) {
      return Optional.of(
          new Finding(
              Cause.MORE_WORK,
              attempt,
              "it was slow on " + machinesUsed + " machines, on as much data"));
    }
    AttemptRecord finished = task.winner().orElse(attempt);
    return larger(toDouble(finished.figures().cpuMillis()), cpu, excess)
        .map(
            factor ->
                severalSlow(task, finished)
                    .or(() -> slowProcessor(task, finished))
                    .orElseGet(
                        () ->
                            new Finding(
                                Cause.MORE_WORK,
                                attempt,
                                Figures.times(factor)
                                    + " as much processor time as the median task")));
  }

  /**
   * A machine is to blame for what a task has more to compute if most other tasks there were slow.
   * Those do not count whose own data or processor time explains that they were. But a processor
   * that is throttled or shared takes more time for the same work, so if nearly all tasks there
   * took more, it is the machine's.
   */
  private Optional<Finding> severalSlow(TaskRecord task, AttemptRecord attempt) {
    List<Pace> others = machines.others(attempt.node(), task);
    boolean allCompute =
        areNearlyAll(others.stream().filter(this::hasMoreToCompute).count(), others.size());
    List<Pace> telling =
        others.stream()
            .filter(pace -> !hasMoreData(pace) && (allCompute || !hasMoreToCompute(pace)))
            .toList();
    List<Pace> slow = telling.stream().filter(Pace::isSlow).toList();
    long slowTasks = slow.stream().map(pace -> pace.task().name()).distinct().count();
    return slowTasks >= LEAST_OTHERS && 2 * slow.size() > telling.size()
        ? Optional.of(slowMachine(attempt, tookLonger(MachinePaces.median(telling).getAsDouble())))
        : Optional.empty();
  }

  /** Returns whether so many of a task's others on its machine are, with it, nearly all there. */
  private static boolean areNearlyAll(long some, int others) {
    return some + 1 >= NEARLY_ALL * (others + 1);
  }

  private boolean hasMoreData(Pace pace) {
    return isOfPhase(pace) && largerInput(finished(pace), excess(pace)).isPresent();
  }

  private boolean hasMoreToCompute(Pace pace) {
    OptionalDouble own = toDouble(finished(pace).figures().cpuMillis());
    return isOfPhase(pace) && pace.isSlow() && larger(own, cpu, excess(pace)).isPresent();
  }

  private boolean isOfPhase(Pace pace) {
    return pace.attempt().kind() == phase.kind();
  }

  /** Returns the attempt that tells what a task had to do. */
  private static AttemptRecord finished(Pace pace) {
    return pace.task().winner().orElse(pace.attempt());
  }

  private double excess(Pace pace) {
    return (pace.factor() - 1) * phase.median().orElseThrow();
  }

  /** What nearly all tasks on a machine have more to compute for their data is due to it, too. */
  private Optional<Finding> slowProcessor(TaskRecord task, AttemptRecord attempt) {
    double[] others = computingOfOthers(attempt.node(), task);
    long slow = Arrays.stream(others).filter(factor -> factor > PhaseTimes.SLOW).count();
    return slow >= LEAST_OTHERS && areNearlyAll(slow, others.length)
        ? Optional.of(
            slowMachine(
                attempt,
                " took %s as much processor time as usual for their data"
                    .formatted(Figures.times(StatUtils.percentile(others, 50)))))
        : Optional.empty();
  }

  /**
   * Returns how many times as much processor time as usual each other task on a machine took for
   * its bytes; nothing if it is not known what is usual.
   */
  private double[] computingOfOthers(String machine, TaskRecord task) {
    return phase.tasks().stream()
        .filter(other -> other.number() != task.number())
        .flatMap(other -> other.winner().stream())
        .filter(attempt -> attempt.node().equals(machine))
        .flatMapToDouble(attempt -> cpuPerByte(attempt).stream())
        .flatMap(own -> cpuPerByte.stream().map(usual -> own / usual))
        .toArray();
  }

  /**
   * Returns the processor time of a byte; empty if it is not known or the task has far more or less
   * data than usual. To start takes processor time too, which few bytes would be charged with.
   */
  private OptionalDouble cpuPerByte(AttemptRecord attempt) {
    OptionalLong time = attempt.figures().cpuMillis();
    double read = toDouble(attempt.figures().bytesRead()).orElse(0);
    double usual = bytes.orElse(0);
    boolean comparable = read > 0 && read >= usual / COMPARABLE && read <= usual * COMPARABLE;
    return time.isPresent() && comparable ? OptionalDouble.of(time.getAsLong() / read) : NONE;
  }

  private Optional<Finding> slowMachine(TaskRecord task, AttemptRecord attempt) {
    String others = othersThere(task, attempt);
    return others.isEmpty() ? Optional.empty() : Optional.of(slowMachine(attempt, others));
  }

  private static Finding slowMachine(AttemptRecord attempt, String others) {
    return new Finding(Cause.SLOW_MACHINE, attempt, "other attempts on " + attempt.node() + others);
  }

  /** Returns by how much the attempts of other tasks on a machine were slow; empty if not. */
  private String othersThere(TaskRecord task, AttemptRecord attempt) {
    OptionalDouble others = machines.ofOthers(attempt.node(), task);
    return others.orElse(1) > PhaseTimes.SLOW ? tookLonger(others.getAsDouble()) : "";
  }

  private static String tookLonger(double factor) {
    return " took " + Figures.times(factor) + " as long as usual";
  }

  private Optional<Finding> slowStart(AttemptRecord attempt, double excess) {
    OptionalDouble own = startSeconds(attempt);
    if (own.isEmpty() || startup.isEmpty()) {
      return Optional.empty();
    }
    double late = own.getAsDouble() - startup.getAsDouble();
    return late >= EXPLAINS * excess
        ? Optional.of(
            new Finding(
                Cause.SLOW_START,
                attempt,
                "it took %s to its first progress on %s, the median task %s"
                    .formatted(
                        Figures.seconds(own.getAsDouble()),
                        attempt.node(),
                        Figures.seconds(startup.getAsDouble()))))
        : Optional.empty();
  }

  private OptionalDouble startSeconds(AttemptRecord attempt) {
    return ProgressProfile.of(attempt, usualPart)
        .map(profile -> OptionalDouble.of(profile.startSeconds()))
        .orElse(NONE);
  }

  private Optional<Finding> slowFetch(AttemptRecord attempt, double excess) {
    OptionalDouble own = phase.fetchSeconds(attempt);
    if (phase.kind() == TaskKind.REDUCE && own.isPresent() && fetch.isPresent()) {
      double late = own.getAsDouble() - fetch.getAsDouble();
      if (late >= EXPLAINS * excess) {
        return Optional.of(
            new Finding(
                Cause.SLOW_LINK,
                attempt,
                "it fetched for %s on %s, the median reduce for %s"
                    .formatted(
                        Figures.seconds(own.getAsDouble()),
                        attempt.node(),
                        Figures.seconds(fetch.getAsDouble()))));
      }
    }
    return Optional.empty();
  }

  /** A map that read its input from elsewhere, and hardly computed meanwhile, waited for it. */
  private Optional<Finding> slowRead(AttemptRecord attempt) {
    AttemptFigures figures = attempt.figures();
    boolean elsewhere =
        figures.locality().equals("OFF_SWITCH") || figures.locality().equals("RACK_LOCAL");
    if (!elsewhere || cpu.isEmpty() || figures.cpuMillis().isEmpty()) {
      return Optional.empty();
    }
    double share = figures.cpuMillis().getAsLong() / 1e3 / phase.seconds(attempt);
    double usual = cpu.getAsDouble() / 1e3 / phase.median().orElseThrow();
    return share < usual / 2
        ? Optional.of(
            new Finding(
                Cause.SLOW_LINK,
                attempt,
                "it read its input from another %s and computed for %.0f %% of its time, the median"
                        .formatted(
                            figures.locality().equals("OFF_SWITCH") ? "rack" : "machine",
                            100 * share)
                    + String.format(Locale.ROOT, " map for %.0f %%", 100 * usual)))
        : Optional.empty();
  }

  private Optional<Finding> stoodStill(TaskRecord task, AttemptRecord attempt, double excess) {
    Optional<Stop> stop =
        ProgressProfile.of(attempt, usualPart).flatMap(ProgressProfile::longestStop);
    double usual = Double.isNaN(usualPart) ? 0 : usualPart;
    return stop.map(still -> isFetching(still) ? afterTheMaps(still, attempt) : still)
        .filter(still -> still.seconds() - usual >= EXPLAINS * excess)
        .map(
            still -> {
              String others = othersThere(task, attempt);
              return new Finding(
                  isFetching(still) ? Cause.SLOW_LINK : Cause.STOPPED,
                  attempt,
                  "%s for %s at about %d %% on %s%s"
                      .formatted(
                          isFetching(still) ? "it waited for its input" : "it stood still",
                          Figures.seconds(still.seconds()),
                          Math.round(100 * still.progress()),
                          attempt.node(),
                          others.isEmpty() ? "" : "; other attempts there" + others));
            });
  }

  /** A reduce that stands still in the first third of its progress waits for input. */
  private boolean isFetching(Stop stop) {
    return phase.kind() == TaskKind.REDUCE && stop.progress() < FETCHES;
  }

  /**
   * While maps ran it waited for them; and where the end of its fetches is known, that tells more.
   */
  private Stop afterTheMaps(Stop stop, AttemptRecord attempt) {
    boolean hasFetched = attempt.shuffleFinish().isPresent();
    return new Stop(
        stop.progress(), hasFetched ? 0 : Math.min(stop.seconds(), phase.seconds(attempt)));
  }
}
