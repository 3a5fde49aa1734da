// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.commons.math3.stat.StatUtils;

/**
 * What the links between racks bear in the long run, by what jobs have measured of them ({@link
 * io.drover.core.placement.LinkMeter}):
 *
 * <pre>
 *   bandwidth of a link = median of what the last {@value #WORDS} jobs said of it, one word a job
 * </pre>
 *
 * <p>Source: Mantri section 5.2 asks for the bandwidths that are available and does not say how
 * they are estimated. The median, so that one job can move the estimate no further than to the next
 * of what other jobs said, whatever it says and however often; a mean could be dragged anywhere.
 * What is older than {@value #DAYS} days is forgotten, and of a link of which fewer than {@value
 * #LEAST} jobs have said something nothing is known.
 *
 * <p>What a job measures is what it was left by others. So this is what one job can expect to have,
 * which is what a placement wants.
 */
public final class RackBandwidths {
  /** Jobs that are remembered of each link; odd, so that one of them is the median. */
  static final int WORDS = 15;

  /** Jobs that must have spoken: of three, one alone is never the median's only source. */
  static final int LEAST = 3;

  static final int DAYS = 7;

  private static final double LONGEST = DAYS * 86_400.0;

  /**
   * The largest bandwidth that is believed, bytes per second. The one place of this bound: the
   * channel checks by it too, so what passes there is taken here.
   */
  public static final double MAX_BANDWIDTH = 1e15;

  private final Predicate<String> isRack;
  private final Map<String, Deque<Word>> up = new TreeMap<>();
  private final Map<String, Deque<Word>> down = new TreeMap<>();

  /**
   * What one job said of one link.
   *
   * @param application that said so
   * @param at seconds
   * @param bytesPerSecond above 0, at most {@value #MAX_BANDWIDTH}
   */
  public record Word(String application, double at, double bytesPerSecond) {
    /** Checks the ranges above. */
    public Word {
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
  public record Snapshot(int version, Map<String, List<Word>> up, Map<String, List<Word>> down) {
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

    private static Map<String, List<Word>> checked(String name, Map<String, List<Word>> links) {
      Map<String, List<Word>> copy = new TreeMap<>();
      try {
        links.forEach((rack, words) -> copy.put(rack, List.copyOf(words)));
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
   */
  public RackBandwidths(Predicate<String> isRack) {
    this.isRack = isRack;
  }

  /**
   * What was said when a snapshot was taken, of all racks: when a ResourceManager starts no node
   * has registered, so none of its racks is known yet. Words of racks that never come back are too
   * old one day, and go.
   */
  public static RackBandwidths restore(Predicate<String> isRack, Snapshot snapshot) {
    RackBandwidths restored = new RackBandwidths(isRack);
    snapshot.up().forEach((rack, words) -> words.forEach(w -> add(restored.up, rack, w)));
    snapshot.down().forEach((rack, words) -> words.forEach(w -> add(restored.down, rack, w)));
    return restored;
  }

  /**
   * A job says what the link out of a rack bears; its last word counts.
   *
   * @param now seconds
   * @param bytesPerSecond above 0, at most {@value #MAX_BANDWIDTH}
   * @throws IllegalArgumentException if it is no such number
   */
  public void tellUp(String application, String rack, double now, double bytesPerSecond) {
    tell(up, rack, new Word(application, now, bytesPerSecond));
  }

  /** A job says what the link into a rack bears; as {@link #tellUp}. */
  public void tellDown(String application, String rack, double now, double bytesPerSecond) {
    tell(down, rack, new Word(application, now, bytesPerSecond));
  }

  private void tell(Map<String, Deque<Word>> links, String rack, Word word) {
    if (isRack.test(rack)) {
      add(links, rack, word);
    }
  }

  private static void add(Map<String, Deque<Word>> links, String rack, Word word) {
    Deque<Word> words = links.computeIfAbsent(rack, r -> new ArrayDeque<>());
    words.removeIf(w -> w.application().equals(word.application()));
    words.addLast(word);
    if (words.size() > WORDS) {
      words.removeFirst();
    }
  }

  /** Bandwidth out of a rack, bytes per second, if enough jobs have said something of late. */
  public OptionalDouble up(String rack, double now) {
    return median(up.get(rack), now);
  }

  /** Bandwidth into a rack, bytes per second, if enough jobs have said something of late. */
  public OptionalDouble down(String rack, double now) {
    return median(down.get(rack), now);
  }

  private static OptionalDouble median(Deque<Word> words, double now) {
    if (words == null) {
      return OptionalDouble.empty();
    }
    double[] recent =
        words.stream()
            .filter(w -> now - w.at() <= LONGEST)
            .mapToDouble(Word::bytesPerSecond)
            .toArray();
    return recent.length < LEAST
        ? OptionalDouble.empty()
        : OptionalDouble.of(StatUtils.percentile(recent, 50));
  }

  /** All that was said and still counts. */
  public Snapshot snapshot(double now) {
    return new Snapshot(Snapshot.VERSION, recent(up, now), recent(down, now));
  }

  private static Map<String, List<Word>> recent(Map<String, Deque<Word>> links, double now) {
    Map<String, List<Word>> recent = new TreeMap<>();
    links.forEach(
        (rack, words) -> {
          List<Word> kept = new ArrayList<>(words);
          kept.removeIf(w -> now - w.at() > LONGEST);
          if (!kept.isEmpty()) {
            recent.put(rack, kept);
          }
        });
    return recent;
  }
}
