// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.Mode;
import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.core.placement.LinkBandwidths.Basis;
import io.drover.core.placement.Placement;
import io.drover.core.placement.PlacementProblem;
import io.drover.core.placement.ReducePlacement;
import io.drover.speculator.DecisionLogSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * Decides in which racks a job's reduces run, so that the busiest link between racks is done as
 * early as possible ({@link ReducePlacement}). The decision rests on what each reduce will read
 * from each rack.
 *
 * <p>Sources: Mantri section 5.2. For fewer than 10 reduces, KMN section 6.4: all in the rack with
 * the most map output.
 *
 * <p>Only racks with a NodeManager are chosen. Splits name the hosts that store them, and those
 * need not run one. An AppMaster knows NodeManagers from its own node, from the containers that it
 * is given, from map outputs, and from the nodes that come and go while it runs. The
 * ResourceManager reports only the number of the others. A rack without a known NodeManager is not
 * chosen. Maps ask for the racks of their splits, so a rack becomes known with the first map
 * container there, and racks are then chosen again.
 *
 * <p>It knows only what its callers pass in. It is used on the allocator's thread, except for
 * {@link #outputs} and {@link #links}, which other threads feed.
 */
public final class ReducePlacer {
  /** KMN section 6.4: fewer reduces than these are packed into one rack. */
  private static final int FEW = 10;

  /** The share of maps that must run or be done before reduces are placed. */
  private static final double ENOUGH = 0.5;

  /** The factor by which a reduce waits longer for its rack while maps run. */
  private static final int WHILE_MAPS_RUN = 6;

  /** Racks are chosen again when the number of counted maps has grown by this factor. */
  private static final double NEWS = 1.1;

  private final int reduces;
  private final MapOutputs outputs;
  private final UnaryOperator<String> rackOf;
  private final MeasuredLinks links;
  private final PlacementSettings settings;
  private final Mode mode;
  private final DecisionLogSink lines;
  private final Map<TaskId, String> wishes = new HashMap<>();
  private final Map<String, Set<String>> hosts = new TreeMap<>();

  /** Hosts with a working NodeManager, by rack; an empty set if all that were seen are gone. */
  private final Map<String, Set<String>> workers = new TreeMap<>();

  private Set<String> racksWhenPlaced = Set.of();
  private Duration gain = Duration.ZERO;
  private int knownWhenPlaced;
  private int linkNewsWhenPlaced;

  /**
   * Creates the placer of one job.
   *
   * @param rackOf returns the rack of a host
   * @param cluster reports bandwidths of links, and receives those that are measured here
   */
  ReducePlacer(
      int reduces,
      PlacementSettings settings,
      Mode mode,
      UnaryOperator<String> rackOf,
      ClusterChannel cluster,
      DecisionLogSink lines) {
    this.reduces = reduces;
    this.outputs = new MapOutputs(reduces);
    this.rackOf = rackOf;
    this.links = new MeasuredLinks(settings, rackOf, cluster, lines.in(mode));
    this.settings = settings;
    this.mode = mode;
    this.lines = lines.in(mode);
  }

  MapOutputs outputs() {
    return outputs;
  }

  MeasuredLinks links() {
    return links;
  }

  /** Returns whether racks are chosen for reduces. */
  public boolean isOn() {
    return mode != Mode.OFF && reduces > 0;
  }

  /** Returns whether the output of a map is already counted. */
  public boolean isCounted(TaskAttemptId map) {
    return outputs.knows(map.getTaskId());
  }

  /** Returns whether reduces are sent to the chosen racks. */
  public boolean acts() {
    return mode == Mode.ON;
  }

  /** Notes a host of the cluster, which may only store data, and its rack. */
  public void sees(String host, String rack) {
    hosts.computeIfAbsent(rack, r -> new TreeSet<>()).add(host);
  }

  /** Notes that a host has a working NodeManager. */
  public void works(String host, String rack) {
    sees(host, rack);
    workers.computeIfAbsent(rack, r -> new TreeSet<>()).add(host);
  }

  /** Notes that a host has a working NodeManager, before its rack has been looked up. */
  void works(String host) {
    works(host, rackOf.apply(host));
  }

  /** Notes that the NodeManager of a host no longer works. */
  public void isGone(String host, String rack) {
    workers.computeIfAbsent(rack, r -> new TreeSet<>()).remove(host);
  }

  /** Returns the racks that are known to have a NodeManager. */
  private Set<String> racks(Set<String> withOutput) {
    Set<String> racks = new TreeSet<>(hosts.keySet());
    racks.addAll(withOutput);
    racks.removeIf(rack -> !hasWorker(rack, withOutput));
    return racks;
  }

  /** Returns whether a rack has a NodeManager; if none was seen, map output there proves it. */
  private boolean hasWorker(String rack, Set<String> withOutput) {
    Set<String> seen = workers.get(rack);
    return seen != null ? !seen.isEmpty() : withOutput.contains(rack);
  }

  /**
   * Returns whether enough is known to place reduces: the output of a map is counted, and half of
   * the maps run or are done.
   *
   * @param maps number of the job's maps
   * @param placed number of maps that run or are done
   */
  public boolean knowsEnough(int maps, int placed) {
    return outputs.known() > 0 && placed >= ENOUGH * maps;
  }

  /** Returns whether there is more than one rack to choose from. */
  public boolean isWorthwhile() {
    return racks(outputs.racks()).size() > 1;
  }

  /**
   * Returns the weight of a map before its output is known.
   *
   * @param inputBytes size of its split; 0 if unknown
   */
  public static double weight(long inputBytes) {
    return Math.max(1, inputBytes);
  }

  /** Returns how long reduces are held until enough is known. */
  public Duration patience() {
    return settings.patience();
  }

  /**
   * Returns how long a reduce waits for its rack: no longer than the shuffle would gain, or a
   * multiple of that while maps run.
   *
   * @param mapsRun whether maps still run. If so, their containers may be in the way, it cannot end
   *     before them, and it loses only the start of its fetching
   */
  public Duration patience(boolean mapsRun) {
    Duration most = settings.patience();
    Duration waits = gain.compareTo(most) < 0 ? gain : most;
    return mapsRun ? waits.multipliedBy(WHILE_MAPS_RUN) : waits;
  }

  /** Returns the rack in which a reduce should run; null if none was chosen. */
  public String wish(TaskAttemptId reduce) {
    return wishes.get(reduce.getTaskId());
  }

  /** Returns the hosts of a rack that are known to have a working NodeManager. */
  public Collection<String> workers(String rack) {
    return workers.getOrDefault(rack, Set.of());
  }

  /** Returns the known hosts of a rack. */
  public Collection<String> hosts(String rack) {
    return hosts.getOrDefault(rack, Set.of());
  }

  /**
   * Chooses racks again for reduces that have no container yet.
   *
   * @param open the reduces
   * @param running input weight of the running maps in each rack, see {@link #weight(long)}
   */
  public void place(List<TaskId> open, Map<String, Double> running) {
    if (open.isEmpty()) {
      return;
    }
    Map<String, double[]> expected = outputs.expected(running);
    Set<String> racks = racks(Set.copyOf(expected.keySet()));
    if (racks.isEmpty() || expected.isEmpty() || isUpToDate(open, racks)) {
      return;
    }
    knownWhenPlaced = outputs.known();
    linkNewsWhenPlaced = links.news();
    racksWhenPlaced = racks;
    racks.forEach(rack -> expected.computeIfAbsent(rack, r -> new double[reduces]));
    if (reduces < FEW) {
      packed(open, expected, racks);
    } else {
      balanced(open, expected, racks);
    }
  }

  /** Returns whether all reduces have a rack and little has been learnt since. */
  private boolean isUpToDate(List<TaskId> open, Set<String> racks) {
    return racks.equals(racksWhenPlaced)
        && outputs.known() < NEWS * knownWhenPlaced
        && links.news() == linkNewsWhenPlaced
        && wishes.keySet().containsAll(open);
  }

  private void packed(List<TaskId> open, Map<String, double[]> expected, Set<String> racks) {
    String largest = null;
    double most = -1;
    for (String rack : racks) {
      double bytes = Arrays.stream(expected.get(rack)).sum();
      largest = bytes > most ? rack : largest;
      most = Math.max(most, bytes);
    }
    double down = links.now(List.of(largest)).down()[0];
    gain = seconds(most / down); // the output there need not be fetched
    for (TaskId reduce : open) {
      wish(reduce, largest, "few reduces: the rack with the most map output", expected);
    }
  }

  /** Balances the links. Racks that have output but can run no reduce any more get no slots. */
  private void balanced(List<TaskId> open, Map<String, double[]> expected, Set<String> working) {
    List<String> racks = new ArrayList<>(expected.keySet());
    double[][] input = new double[open.size()][racks.size()];
    for (int j = 0; j < open.size(); j++) {
      for (int r = 0; r < racks.size(); r++) {
        input[j][r] = expected.get(racks.get(r))[open.get(j).getId()];
      }
    }
    Bandwidths bandwidths = links.now(racks);
    int[] slots =
        racks.stream().mapToInt(rack -> working.contains(rack) ? open.size() : 0).toArray();
    Placement placement = solve(input, bandwidths, slots);
    boolean isShort = placement.seconds() <= settings.shortShuffle().toMillis() / 1e3;
    if (bandwidths.basis() == Basis.MEASURED && !isShort) {
      bandwidths = links.equal(racks);
      placement = solve(input, bandwidths, slots);
    }
    gain = seconds(Math.max(0, byChance(input, bandwidths.up()) - placement.seconds()));
    for (int j = 0; j < open.size(); j++) {
      String why = "the busiest link between racks finishes as early as possible";
      wish(open.get(j), racks.get(placement.rackOf(j)), why, expected);
    }
    summary(placement, bandwidths.basis(), open.size(), racks.size());
  }

  private static Placement solve(double[][] input, Bandwidths bandwidths, int[] slots) {
    PlacementProblem problem =
        new PlacementProblem(input, bandwidths.up(), bandwidths.down(), slots);
    return new ReducePlacement(1).place(problem);
  }

  /** Returns the busiest uplink's seconds if every rack got an equal share of every reduce. */
  private static double byChance(double[][] input, double[] up) {
    double most = 0;
    for (int r = 0; r < up.length; r++) {
      double output = 0;
      for (double[] reduce : input) {
        output += reduce[r];
      }
      most = Math.max(most, output * (up.length - 1) / up.length / up[r]);
    }
    return most;
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) Math.min(1e9, 1000 * seconds));
  }

  private void wish(TaskId reduce, String rack, String why, Map<String, double[]> expected) {
    String before = wishes.put(reduce, rack);
    if (rack.equals(before)) {
      return;
    }
    double local = expected.get(rack)[reduce.getId()];
    double all = expected.values().stream().mapToDouble(bytes -> bytes[reduce.getId()]).sum();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("task", reduce);
    fields.put("rack", rack);
    fields.put("reason", why);
    fields.put("bytes", Math.round(all));
    fields.put("bytesInRack", Math.round(local));
    fields.put("mapsKnown", outputs.known());
    lines.write("placed", fields);
  }

  private void summary(Placement placement, Basis basis, int open, int racks) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("reduces", open);
    fields.put("racks", racks);
    fields.put("busiestLinkSeconds", placement.seconds());
    fields.put("lowerBoundSeconds", placement.lowerBound());
    fields.put("crossRackBytes", Math.round(placement.crossRackBytes()));
    fields.put("links", basis.name().toLowerCase(Locale.ROOT));
    fields.put("gainSeconds", gain.toMillis() / 1e3);
    fields.put("mapsKnown", outputs.known());
    lines.write("placement", fields);
  }
}
