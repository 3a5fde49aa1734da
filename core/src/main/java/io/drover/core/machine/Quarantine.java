// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import io.drover.core.machine.MachineStatistics.MachineFigures;
import io.drover.core.machine.MachineStatistics.WindowEvidence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides which machines are quarantined, so that they get no new containers for a while. A machine
 * is quarantined because of its statistics if all of these hold:
 *
 * <pre>
 *   p_m &gt;= max(least, 4 p)                       for the time {@code after}
 *   outliers &gt;= least * attempts, outliers &gt; 0   in the complete windows of that time, at least two
 *   n &gt;= leastMachines                           n machines in the cluster, and in its partition
 *   quarantined + 1 &lt;= max(1, share n)           in the cluster, and in its partition
 * </pre>
 *
 * <p>Why 0.4 for the least p_m: an outlier occupies its slot for at least two median run times
 * (Dolly footnote 4), and the copy that replaces it occupies one more elsewhere. So an attempt on
 * the machine costs 1 + p_m run times there and yields 1 - p_m net. Its slots yield (1 - p_m) / (1
 * + p_m) of what they would without outliers: 43 % at 0.4. A quarantine costs these 43 %, and its
 * benefit is the time that jobs do not wait for outliers. p_m is at most 1/2 while p is ({@link
 * MixtureEstimator}); at 0.4 the machine is slow with a probability of about 3/4. The factor 4 is
 * twice that of {@link SlowMachineRule}: if many attempts are outliers everywhere, no machine is to
 * blame. The papers avoid machines for copies only; this is not in them.
 *
 * <p>New outliers are needed because p_m fades slowly: after a quarantine it is still high, though
 * nobody knows how the machine is by now. A window without attempts says nothing, and neither does
 * one that began before the end of the machine's last quarantine. One with few outliers starts the
 * time {@code after} again. Attempts and outliers are weighted by their users ({@link UserWeight}),
 * and the outliers must be those of at least two users, or of a trusted one: the weight alone would
 * let one user prolong a quarantine if no other job ran there.
 *
 * <p>A quarantine ends by itself. The n-th one of a machine lasts {@code time * 2^(n-1)}, at most
 * {@code longest}; n starts again at 1 when the machine has needed none for the time {@code
 * longest}, or when an operator has lifted one. Operators may quarantine machines as well. No
 * quarantine, not even an operator's, counts while it would take more than half of the machines of
 * the cluster, the partition or the rack: {@link #effective} leaves out the latest ones then.
 *
 * <p>The caller tells the time, in seconds of a clock that goes on through restarts. Not
 * thread-safe.
 */
public final class Quarantine {
  /** Twice the factor by which a slow machine's p_m exceeds p. */
  private static final double FACTOR = 2 * SlowMachineRule.DEFAULT.factor();

  /** Who has quarantined a machine. */
  public enum Cause {
    /** The machine's statistics. */
    STATISTICS,
    /** An operator. */
    OPERATOR
  }

  /**
   * The place of a machine.
   *
   * @param partition the partition of nodes, empty for the default one
   * @param rack the name of its rack
   */
  public record Place(String partition, String rack) {}

  /**
   * A quarantine, in force until a time, or over and remembered for a while.
   *
   * @param machine the machine's name
   * @param cause who has quarantined it
   * @param since when it began, in seconds
   * @param until when it ends, in seconds
   * @param times how many quarantines the machine has had, this one included, at least 1
   * @param why the reason in words
   */
  public record Term(
      String machine, Cause cause, double since, double until, int times, String why) {
    /** Checks the ranges. */
    public Term {
      Objects.requireNonNull(machine, "machine");
      Objects.requireNonNull(cause, "cause");
      Objects.requireNonNull(why, "why");
      if (!(Double.isFinite(since) && Double.isFinite(until) && since <= until)) {
        throw new IllegalArgumentException(
            machine + ": since and until must be times, were " + since + " and " + until);
      }
      if (times < 1) {
        throw new IllegalArgumentException(machine + ": times must be at least 1, was " + times);
      }
    }

    boolean isOver(double now) {
      return now >= until;
    }

    Term shifted(double seconds) {
      return new Term(machine, cause, since + seconds, until + seconds, times, why);
    }
  }

  private final Map<String, Term> terms = new TreeMap<>();

  /** What machines are suspected of that are not quarantined. */
  private final Map<String, Suspicion> badSince = new HashMap<>();

  /**
   * Why a machine may soon be quarantined.
   *
   * @param since since when it is bad, in seconds
   * @param window when the first window began in which it was, in seconds
   * @param accusers who has reported outliers since
   */
  private record Suspicion(double since, double window, Set<String> accusers) {
    boolean isShared() {
      return accusers.size() > 1 || accusers.contains(WindowEvidence.TRUSTED);
    }
  }

  private QuarantineSettings settings;

  /** Creates a quarantine of no machine. */
  public Quarantine(QuarantineSettings settings) {
    this.settings = settings;
  }

  /** Applies new settings. Quarantines that have begun keep their ends. */
  public void configure(QuarantineSettings now) {
    settings = now;
  }

  /**
   * Continues from what {@link #terms} returned. What has begun since stays.
   *
   * @param later how many seconds later the quarantines are on this clock than when they were kept
   */
  public void restore(Collection<Term> kept, double later) {
    kept.forEach(term -> terms.putIfAbsent(term.machine(), term.shifted(later)));
  }

  /** Goes on after the clock has been set, by a number of seconds that may be negative. */
  public void clockSet(double seconds) {
    terms.replaceAll((machine, term) -> term.shifted(seconds));
    badSince.clear(); // at most the time {@code after} begins again
  }

  /** Returns all quarantines, those that are over but remembered included. */
  public List<Term> terms() {
    return List.copyOf(terms.values());
  }

  /** Returns the quarantines that are not over, in the order of the machines' names. */
  public List<Term> running(double now) {
    return terms.values().stream().filter(term -> !term.isOver(now)).toList();
  }

  /**
   * Advances the time, and quarantines the machines whose statistics are bad enough.
   *
   * @param p the probability that an attempt in the cluster is an outlier; empty if it is not known
   * @param figures of the machines that are known
   * @param cluster the machines of the cluster
   * @return the quarantines that have begun, the worst machine first
   */
  public List<Term> advance(
      double now, OptionalDouble p, List<MachineFigures> figures, Map<String, Place> cluster) {
    double forget = settings.longest().toSeconds();
    terms.values().removeIf(term -> now >= term.until() + forget);
    badSince.keySet().retainAll(cluster.keySet());
    if (p.isEmpty()) {
      badSince.clear();
      return List.of();
    }
    SlowMachineRule rule = new SlowMachineRule(FACTOR, settings.outlierProbability());
    List<MachineFigures> candidates = new ArrayList<>();
    for (MachineFigures machine : figures) {
      if (cluster.containsKey(machine.machine())
          && isBadForLong(machine, rule, p.getAsDouble(), now)) {
        candidates.add(machine);
      }
    }
    candidates.sort(
        Comparator.<MachineFigures>comparingDouble(machine -> -machine.probability().orElse(0))
            .thenComparing(MachineFigures::machine));
    List<Term> begun = new ArrayList<>();
    Groups groups = new Groups(cluster);
    for (MachineFigures machine : candidates) {
      if (leavesEnough(machine.machine(), groups, now)) {
        Term term = begin(machine, p.getAsDouble(), now);
        terms.put(term.machine(), term);
        badSince.remove(term.machine());
        begun.add(term);
      }
    }
    return begun;
  }

  private boolean isBadForLong(MachineFigures machine, SlowMachineRule rule, double p, double now) {
    String name = machine.machine();
    Term term = terms.get(name);
    boolean isQuarantined = term != null && !term.isOver(now);
    WindowEvidence evidence = machine.evidence();
    boolean isOld = term != null && evidence.begin() < term.until();
    boolean isSilent = isOld || evidence.attempts() == 0;
    double bad = settings.outlierProbability() * evidence.attempts();
    if (isQuarantined
        || !rule.isSlow(machine.probability().orElse(0), p)
        || (!isSilent && evidence.outliers() < bad)) {
      badSince.remove(name);
      return false;
    }
    if (isSilent) {
      return false;
    }
    Suspicion suspicion =
        badSince.computeIfAbsent(
            name, m -> new Suspicion(now, evidence.begin(), new HashSet<>(evidence.accusers())));
    suspicion.accusers().addAll(evidence.accusers());
    return now - suspicion.since() >= seconds(settings.after())
        && evidence.begin() > suspicion.window()
        && suspicion.isShared();
  }

  private Term begin(MachineFigures machine, double p, double now) {
    Term before = terms.get(machine.machine());
    int times = before == null ? 1 : before.times() + 1;
    double pm = machine.probability().orElseThrow();
    String why =
        String.format(
            Locale.ROOT,
            "an attempt there is an outlier with probability %.2f, %.1f times the cluster's %.3f;"
                + " in the last window %d of %d were",
            pm,
            pm / p,
            p,
            machine.outliers(),
            machine.attempts());
    double length =
        Math.min(
            seconds(settings.longest()),
            seconds(settings.time()) * Math.pow(2, Math.min(times, 30) - 1));
    return new Term(machine.machine(), Cause.STATISTICS, now, now + length, times, why);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }

  /** Returns whether one more machine may be quarantined because of its statistics. */
  private boolean leavesEnough(String machine, Groups groups, double now) {
    Set<String> all = new LinkedHashSet<>();
    running(now).stream().map(Term::machine).filter(groups.places::containsKey).forEach(all::add);
    all.add(machine); // last, so that it does not count if there are too many
    String partition = groups.places.get(machine).partition();
    long inPartition =
        all.stream().filter(m -> groups.places.get(m).partition().equals(partition)).count();
    return all.size() <= mostOf(groups.places.size())
        && inPartition <= mostOf(groups.sizes.get(Groups.partition(partition)))
        && groups.halves(all).contains(machine);
  }

  private int mostOf(int machines) {
    return machines < settings.leastMachines()
        ? 0
        : Math.max(1, (int) Math.floor(settings.share() * machines));
  }

  /**
   * Returns the machines of the cluster whose quarantine counts. It leaves out the latest ones of a
   * cluster, a partition or a rack of which more than half would be quarantined, because machines
   * have left or have yet to register.
   *
   * @param cluster the machines of the cluster
   */
  public List<Term> effective(double now, Map<String, Place> cluster) {
    List<Term> running =
        running(now).stream().filter(term -> cluster.containsKey(term.machine())).toList();
    if (running.isEmpty()) {
      return running;
    }
    Set<String> effective =
        new Groups(cluster)
            .halves(
                running.stream()
                    .sorted(
                        Comparator.comparing(Term::cause, Comparator.reverseOrder())
                            .thenComparingDouble(Term::since))
                    .map(Term::machine)
                    .toList());
    return running.stream().filter(term -> effective.contains(term.machine())).toList();
  }

  /**
   * Quarantines a machine because an operator says so. It replaces a quarantine of the machine that
   * is not over.
   *
   * @param length how long
   * @param why the reason in words
   * @return why it is refused; empty if it is not
   */
  public Optional<String> add(
      String machine, double now, Duration length, String why, Map<String, Place> cluster) {
    if (!cluster.containsKey(machine)) {
      return Optional.of("the cluster has no machine '" + machine + "'");
    }
    Term before = terms.get(machine);
    Term term =
        new Term(
            machine,
            Cause.OPERATOR,
            now,
            now + seconds(length),
            before == null ? 1 : before.times(),
            why);
    terms.put(machine, term);
    if (!effective(now, cluster).contains(term)) {
      if (before == null) {
        terms.remove(machine);
      } else {
        terms.put(machine, before);
      }
      return Optional.of(
          "more than half of the machines of the cluster, of its partition or of its rack would be"
              + " quarantined");
    }
    badSince.remove(machine);
    return Optional.empty();
  }

  /**
   * Ends a machine's quarantine because an operator says so, and forgets earlier ones. Does nothing
   * if the machine is not quarantined.
   *
   * @return whether the machine was quarantined
   */
  public boolean lift(String machine, double now) {
    Term term = terms.get(machine);
    boolean isQuarantined = term != null && !term.isOver(now);
    if (isQuarantined) {
      terms.remove(machine);
      badSince.remove(machine);
    }
    return isQuarantined;
  }

  /** The cluster, its partitions and its racks, and how many machines each of them has. */
  private static final class Groups {
    private final Map<String, Place> places;
    private final Map<String, Integer> sizes = new HashMap<>();

    Groups(Map<String, Place> places) {
      this.places = places;
      places.values().forEach(place -> of(place).forEach(g -> sizes.merge(g, 1, Integer::sum)));
    }

    static String partition(String name) {
      return "partition " + name;
    }

    private static List<String> of(Place place) {
      return List.of("cluster", partition(place.partition()), "rack " + place.rack());
    }

    /** Returns those of some machines that leave each group half of its machines. */
    Set<String> halves(Collection<String> inOrder) {
      Map<String, Integer> out = new HashMap<>();
      Set<String> taken = new HashSet<>();
      for (String machine : inOrder) {
        List<String> groups = of(places.get(machine));
        if (groups.stream().allMatch(g -> 2 * (out.getOrDefault(g, 0) + 1) <= sizes.get(g))) {
          groups.forEach(group -> out.merge(group, 1, Integer::sum));
          taken.add(machine);
        }
      }
      return taken;
    }
  }
}
