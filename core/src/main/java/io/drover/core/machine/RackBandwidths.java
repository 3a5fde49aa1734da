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
 * Estimates the long-term bandwidths of the links between racks from what jobs have measured
 * ({@link io.drover.core.placement.LinkMeter}):
 *
 * <pre>
 *   bandwidth of a link = median of what the last {@value #MEASUREMENTS} jobs measured, one value a job
 * </pre>
 *
 * <p>Source: Mantri section 5.2 needs the available bandwidths and does not say how to estimate
 * them. The median limits a job: whatever it reports and however often, it moves the estimate no
 * further than to the next value of another job. It could move a mean anywhere. Values older than
 * {@value #DAYS} days do not count. If fewer than {@value #LEAST} jobs have measured a link, its
 * bandwidth is unknown.
 *
 * <p>A user may have many jobs, so users are limited too. Of one user's values only the newest
 * count, and fewer of them than all other users have reported. So the median moves no further than
 * to the next value of another user. With two users there is no way to tell which of them is right,
 * so three users must have reported, or one trusted user. When there is no room for more values,
 * the oldest value of a user with more than a third of them is dropped first.
 *
 * <p>The bound protects other users ({@link UserWeight}). If it leaves no estimate, a user's own
 * jobs get the median of that user's values. So links are also known if one user has all jobs.
 *
 * <p>A job measures what other jobs leave to it. So the estimate is what one job can expect to get,
 * which is what a placement needs.
 */
public final class RackBandwidths {
  /** The number of jobs remembered for each link; odd, so that one of them is the median. */
  static final int MEASUREMENTS = 15;

  /** The number of jobs that must have reported. Of two, one could move the median anywhere. */
  static final int LEAST = 3;

  /** The number of users that must have reported if none is trusted. Of two, one would be half. */
  private static final int LEAST_USERS = 3;

  static final int DAYS = 7;

  private static final double LONGEST = DAYS * 86_400.0;

  /**
   * The largest plausible bandwidth, in bytes per second. The channel checks reports by this
   * constant too, so every value that it accepts is accepted here.
   */
  public static final double MAX_BANDWIDTH = 1e15;

  private final Predicate<String> isRack;
  private final Predicate<String> isTrusted;
  private final Map<String, Deque<Measurement>> up = new TreeMap<>();
  private final Map<String, Deque<Measurement>> down = new TreeMap<>();

  /**
   * The bandwidth that one job measured for one link.
   *
   * @param user the job's user; null in snapshots of older versions, which stands for one user with
   *     an empty name
   * @param application the application that reported it
   * @param at seconds
   * @param bytesPerSecond above 0, at most {@value #MAX_BANDWIDTH}
   */
  public record Measurement(String user, String application, double at, double bytesPerSecond) {
    /** Checks the ranges above. */
    public Measurement {
      user = user == null ? "" : user;
      if (application == null) {
        throw new IllegalArgumentException("a measurement must name its application");
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
   * All measurements, to be written and read again.
   *
   * @param version {@link #VERSION}
   * @param up measurements of the links out of racks, by rack, the oldest first
   * @param down measurements of the links into racks, by rack, the oldest first
   */
  public record Snapshot(
      int version, Map<String, List<Measurement>> up, Map<String, List<Measurement>> down) {
    /** The version of the meaning of these fields. */
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
        throw new IllegalArgumentException(
            name + " lacks its racks, or a rack lacks its measurements", e);
      }
      return Collections.unmodifiableMap(copy);
    }
  }

  /**
   * Creates an instance without measurements.
   *
   * @param isRack whether there is such a rack now; reports about others are ignored, so memory is
   *     bounded by the number of racks
   * @param isTrusted whether the reports of a user's jobs alone count for everybody
   */
  public RackBandwidths(Predicate<String> isRack, Predicate<String> isTrusted) {
    this.isRack = isRack;
    this.isTrusted = isTrusted;
  }

  /**
   * Takes in the measurements of a snapshot, for all racks: when a ResourceManager starts, no node
   * has registered, so none of its racks is known yet. Measurements of racks that never come back
   * get too old to count, and are then left out of snapshots.
   */
  public void restore(Snapshot snapshot) {
    snapshot.up().forEach((rack, measurements) -> measurements.forEach(w -> add(up, rack, w)));
    snapshot.down().forEach((rack, measurements) -> measurements.forEach(w -> add(down, rack, w)));
  }

  /**
   * Records what a job has measured for the link out of a rack, in place of its earlier value.
   *
   * @param now seconds
   * @param bytesPerSecond above 0, at most {@value #MAX_BANDWIDTH}
   * @throws IllegalArgumentException if the bandwidth is out of range
   */
  public void tellUp(
      String user, String application, String rack, double now, double bytesPerSecond) {
    record(up, rack, new Measurement(user, application, now, bytesPerSecond));
  }

  /** Records what a job has measured for the link into a rack; see {@link #tellUp}. */
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

  /** Returns the number of measurements of each user who is not trusted. */
  private Map<String, Long> untrusted(Collection<Measurement> measurements) {
    return measurements.stream()
        .map(Measurement::user)
        .filter(user -> !isTrusted.test(user))
        .collect(Collectors.groupingBy(user -> user, Collectors.counting()));
  }

  /** Returns the bandwidth out of a rack, bytes per second, if enough jobs measured it lately. */
  public OptionalDouble up(String rack, double now) {
    return median(bounded(recent(up.get(rack), now)));
  }

  /** Returns the bandwidth into a rack, bytes per second, if enough jobs measured it lately. */
  public OptionalDouble down(String rack, double now) {
    return median(bounded(recent(down.get(rack), now)));
  }

  /**
   * Returns the bandwidth out of a rack by what each user's own jobs have measured.
   *
   * @return bytes per second by user; empty if {@link #up} is known
   */
  public Map<String, Double> ownUp(String rack, double now) {
    return own(recent(up.get(rack), now));
  }

  /**
   * Returns the bandwidth into a rack by what each user's own jobs have measured; as {@link
   * #ownUp}.
   */
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

  /** Returns what counts for everybody: fewer values of an untrusted user than of all others. */
  private List<Measurement> bounded(List<Measurement> measurements) {
    Map<String, Long> untrusted = untrusted(measurements);
    boolean isAnyTrusted = measurements.stream().anyMatch(w -> !untrusted.containsKey(w.user()));
    if (!isAnyTrusted && untrusted.size() < LEAST_USERS) {
      return List.of();
    }
    if (untrusted.isEmpty()) {
      return measurements;
    }
    // Only the user with the most measurements can have as many as all others together.
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

  /** Returns all measurements that still count. */
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
