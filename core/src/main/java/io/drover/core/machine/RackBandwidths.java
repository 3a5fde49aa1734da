// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The long-term bandwidths of the links between racks, by what jobs have measured ({@link
 * io.drover.core.placement.LinkMeter}):
 *
 * <pre>
 *   bandwidth of a link = median of what the last {@value #MEASUREMENTS} jobs measured, one value a job
 * </pre>
 *
 * <p>Source: Mantri section 5.2 needs the available bandwidths and does not say how to estimate
 * them. The median limits a job: whatever it reports and however often, it moves the estimate no
 * further than to the next value of another job. It could move a mean anywhere. Values older than
 * {@value #DAYS} days are forgotten. If fewer than {@value #LEAST} jobs have measured a link, its
 * bandwidth is unknown.
 *
 * <p>One user has many jobs, so the same holds for users: of one user's values, fewer count than
 * all other users have reported, the newest ones. So the median moves no further than to the next
 * value of another user. With two users nobody could tell which of them is right, so three must
 * have reported, or one that is trusted. When there is no room for more values, those of a user
 * with more than a third of them go first.
 *
 * <p>The bound protects other users ({@link UserWeight}). Where it leaves no estimate, a user's own
 * jobs get the median of that user's values. So links are also known where all jobs are one user's.
 *
 * <p>A job measures what other jobs leave to it. So the estimate is what one job can expect to get,
 * which is what a placement needs.
 */
public final class RackBandwidths {
  /** Jobs that are remembered of each link; odd, so that one of them is the median. */
  static final int MEASUREMENTS = 15;

  /** Jobs that must have spoken: of three, one alone is never the median's only source. */
  static final int LEAST = 3;

  /** Users of whom one must have spoken if none of them is trusted: else one is half of them. */
  private static final int LEAST_USERS = 3;

  static final int DAYS = 7;

  private static final double LONGEST = DAYS * 86_400.0;

  /**
   * The largest bandwidth that is believed, bytes per second. The one place of this bound: the
   * channel checks by it too, so what passes there is taken here.
   */
  public static final double MAX_BANDWIDTH = 1e15;

  private final Predicate<String> isRack;
  private final Predicate<String> isTrusted;
  private final Map<String, Deque<Measurement>> up = new TreeMap<>();
  private final Map<String, Deque<Measurement>> down = new TreeMap<>();

  /**
   * What one job said of one link.
   *
   * @param user whose job it is; in a snapshot of an older version null, which is taken for one
   *     user whose name is empty
   * @param application that said so
   * @param at seconds
   * @param bytesPerSecond above 0, at most {@value #MAX_BANDWIDTH}
   */
  public record Measurement(String user, String application, double at, double bytesPerSecond) {
    /** Checks the ranges above. */
    public Measurement {
      user = user == null ? "" : user;
      if (application == null) {
        throw new IllegalArgumentException("a word must say whose it is");
      }
      if (!(bytesPerSecond > 0 && bytesPerSecond <= MAX_BANDWIDTH) || !Double.isFinite(at)) {
        throw new IllegalArgumentException(
            String.format(
                "a bandwidth must lie between 0 and %.0e bytes per second, was %s at %s",
                MAX_BANDWIDTH, bytesPerSecond, at));
      }
    }
  }

  /**
   * All that was said, to be written down and read again.
   *
   * @param version {@link #VERSION}
   * @param up by rack, the oldest word first
   * @param down likewise
   */
  public record Snapshot(
      int version, Map<String, List<Measurement>> up, Map<String, List<Measurement>> down) {
    /** Of the meaning of these fields. */
    public static final int VERSION = 1;

    /** Checks the version, and that nothing is missing. */
    public Snapshot {
      if (version != VERSION) {
        throw new IllegalArgumentException("version must be " + VERSION + ", was " + version);
      }
      up = checked("up", up);
      down = checked("down", down);
    }

    private static Map<String, List<Measurement>> checked(
        String name, Map<String, List<Measurement>> links) {
      Map<String, List<Measurement>> copy = new TreeMap<>();
      try {
        links.forEach((rack, measurements) -> copy.put(rack, List.copyOf(measurements)));
      } catch (NullPointerException e) {
        throw new IllegalArgumentException(name + " lacks racks, or a rack its words", e);
      }
      return Collections.unmodifiableMap(copy);
    }
  }

  /**
   * Of nothing yet.
   *
   * @param isRack whether there is such a rack now; of others nothing is heard, so memory is
   *     bounded by the number of racks
   * @param isTrusted whether what a user's jobs alone say counts for everybody
   */
  public RackBandwidths(Predicate<String> isRack, Predicate<String> isTrusted) {
    this.isRack = isRack;
    this.isTrusted = isTrusted;
  }

  /**
   * Takes in what was said when a snapshot was taken, of all racks: when a ResourceManager starts
   * no node has registered, so none of its racks is known yet. Words of racks that never come back
   * are too old one day, and go.
   */
  public void restore(Snapshot snapshot) {
    snapshot.up().forEach((rack, measurements) -> measurements.forEach(w -> add(up, rack, w)));
    snapshot.down().forEach((rack, measurements) -> measurements.forEach(w -> add(down, rack, w)));
  }

  /**
   * A job says what the link out of a rack bears; its last word counts.
   *
   * @param now seconds
   * @param bytesPerSecond above 0, at most {@value #MAX_BANDWIDTH}
   * @throws IllegalArgumentException if it is no such number
   */
  public void tellUp(
      String user, String application, String rack, double now, double bytesPerSecond) {
    record(up, rack, new Measurement(user, application, now, bytesPerSecond));
  }

  /** A job says what the link into a rack bears; as {@link #tellUp}. */
  public void tellDown(
      String user, String application, String rack, double now, double bytesPerSecond) {
    record(down, rack, new Measurement(user, application, now, bytesPerSecond));
  }

  private void record(Map<String, Deque<Measurement>> links, String rack, Measurement measurement) {
    if (isRack.test(rack)) {
      add(links, rack, measurement);
    }
  }

  private void add(Map<String, Deque<Measurement>> links, String rack, Measurement measurement) {
    Deque<Measurement> measurements = links.computeIfAbsent(rack, r -> new ArrayDeque<>());
    measurements.removeIf(w -> w.application().equals(measurement.application()));
    measurements.addLast(measurement);
    if (measurements.size() > MEASUREMENTS) {
      Map<String, Long> untrusted = untrusted(measurements);
      Measurement first =
          measurements.stream()
              .filter(w -> untrusted.getOrDefault(w.user(), 0L) > MEASUREMENTS / 3)
              .findFirst()
              .orElse(measurements.getFirst());
      measurements.remove(first);
    }
  }

  /** How many words each user has who is not trusted. */
  private Map<String, Long> untrusted(Collection<Measurement> measurements) {
    return measurements.stream()
        .map(Measurement::user)
        .filter(user -> !isTrusted.test(user))
        .collect(Collectors.groupingBy(user -> user, Collectors.counting()));
  }

  /** Bandwidth out of a rack, bytes per second, if enough jobs have said something of late. */
  public OptionalDouble up(String rack, double now) {
    return median(bounded(recent(up.get(rack), now)));
  }

  /** Bandwidth into a rack, bytes per second, if enough jobs have said something of late. */
  public OptionalDouble down(String rack, double now) {
    return median(bounded(recent(down.get(rack), now)));
  }

  /**
   * Bandwidth out of a rack for the jobs of single users, by what their own jobs have said.
   *
   * @return bytes per second by user; empty where {@link #up} is known
   */
  public Map<String, Double> ownUp(String rack, double now) {
    return own(recent(up.get(rack), now));
  }

  /** Bandwidth into a rack for the jobs of single users; as {@link #ownUp}. */
  public Map<String, Double> ownDown(String rack, double now) {
    return own(recent(down.get(rack), now));
  }

  private Map<String, Double> own(List<Measurement> measurements) {
    Map<String, Double> own = new TreeMap<>();
    if (median(bounded(measurements)).isEmpty()) {
      measurements.stream()
          .collect(Collectors.groupingBy(Measurement::user))
          .forEach((user, said) -> median(said).ifPresent(m -> own.put(user, m)));
    }
    return own;
  }

  /** What counts for everybody: of an untrusted user fewer words than of all others. */
  private List<Measurement> bounded(List<Measurement> measurements) {
    Map<String, Long> untrusted = untrusted(measurements);
    boolean isAnyTrusted = measurements.stream().anyMatch(w -> !untrusted.containsKey(w.user()));
    if (!isAnyTrusted && untrusted.size() < LEAST_USERS) {
      return List.of();
    }
    if (untrusted.isEmpty()) {
      return measurements;
    }
    // Nobody but the one with the most can have as many as all others.
    String user = Collections.max(untrusted.entrySet(), Map.Entry.comparingByValue()).getKey();
    Map<Boolean, List<Measurement>> byUser =
        measurements.stream().collect(Collectors.partitioningBy(w -> w.user().equals(user)));
    List<Measurement> most = byUser.get(true);
    List<Measurement> counting = new ArrayList<>(byUser.get(false));
    int few = Math.min(most.size(), counting.size() - 1);
    counting.addAll(most.subList(most.size() - few, most.size()));
    return counting;
  }

  private static OptionalDouble median(List<Measurement> measurements) {
    return measurements.size() < LEAST
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            StatUtils.percentile(
                measurements.stream().mapToDouble(Measurement::bytesPerSecond).toArray(), 50));
  }

  private static List<Measurement> recent(Collection<Measurement> measurements, double now) {
    return measurements == null
        ? List.of()
        : measurements.stream().filter(w -> now - w.at() <= LONGEST).toList();
  }

  /** All that was said and still counts. */
  public Snapshot snapshot(double now) {
    return new Snapshot(Snapshot.VERSION, recent(up, now), recent(down, now));
  }

  private static Map<String, List<Measurement>> recent(
      Map<String, Deque<Measurement>> links, double now) {
    Map<String, List<Measurement>> recent = new TreeMap<>();
    links.forEach(
        (rack, measurements) -> {
          List<Measurement> kept = recent(measurements, now);
          if (!kept.isEmpty()) {
            recent.put(rack, kept);
          }
        });
    return recent;
  }
}
