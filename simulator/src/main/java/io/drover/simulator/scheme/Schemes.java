// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.SimulationSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Lists all schemes by name, in their usual order. */
public final class Schemes {
  /** The scheme that all others are compared with. */
  public static final String BASELINE = "none";

  private static final Map<String, Function<SimulationSettings, Scheme>> ALL =
      new LinkedHashMap<>();

  static {
    ALL.put(BASELINE, s -> new NoSpeculation());
    ALL.put("hadoop", s -> new HadoopDefault());
    ALL.put("hadoop-2010", s -> new Hadoop2010());
    ALL.put("late", s -> new Late(false));
    ALL.put("late-early", s -> new Late(true));
    ALL.put("dryad", s -> new Dryad());
    ALL.put("mapreduce", s -> new GoogleMapReduce());
    ALL.put("mantri", s -> new Mantri(s.job()));
    ALL.put("dolly", s -> new Dolly(s.job().clones()));
    ALL.put("dolly-job", s -> new DollyJob(s.job().clones()));
    ALL.put("drover", s -> new Drover(s.job(), s.sampling()));
    ALL.put("kmn", s -> new Kmn(s.sampling(), s.job().placement()));
    ALL.put("no-skew", s -> new NoSkew(false));
    ALL.put("no-skew-chop-tail", s -> new NoSkew(true));
    ALL.put("protect-only", s -> new ProtectOnly(s.job().protect()));
    ALL.put("ideal-recompute", s -> new IdealRecompute());
    ALL.put("ideal-local", s -> new IdealLocal());
    ALL.put("place-only", s -> new PlaceOnly(s.job().placement(), Bandwidths.HYBRID));
    ALL.put("ideal-reduce", s -> new IdealReduce(s.job().placement()));
    ALL.put("informed", s -> new Informed(s.job()));
    ALL.put("clairvoyant", s -> new Clairvoyant(s.job()));
  }

  private Schemes() {}

  /** Returns the names of all schemes. */
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /** Returns whether a scheme uses knowledge that no real cluster has. */
  public static boolean isIdeal(String name) {
    return name.equals("clairvoyant")
        || name.equals("informed")
        || name.startsWith("no-skew")
        || name.startsWith("ideal-");
  }

  /** Creates a scheme for one run; empty if no scheme has this name. */
  public static Optional<Scheme> create(String name, SimulationSettings settings) {
    return Optional.ofNullable(ALL.get(name)).map(make -> make.apply(settings));
  }

  /** Does nothing about outliers. All other schemes are measured against it. */
  public static final class NoSpeculation implements Scheme {
    @Override
    public String name() {
      return "none";
    }
  }

  /**
   * The ideal that "uses future knowledge of which tasks will wait for their inputs to be
   * recomputed and acts to ensure that they do not happen" (Mantri section 6.1), and "has perfect
   * future knowledge of loss" (section 6.5): no reader ever misses an output, at no cost. It does
   * nothing else about outliers, so its gain over the baseline is the cost of losses.
   */
  public static final class IdealRecompute implements Scheme {
    @Override
    public String name() {
      return "ideal-recompute";
    }

    @Override
    public boolean neverMissesOutputs() {
      return true;
    }
  }

  /**
   * The ideal that "assigns memory locality for all the tasks in the input phase" (KMN section
   * 2.3): every map reads its block as fast as beside it, at no cost. Departure: the paper's also
   * balances the links between racks perfectly.
   */
  public static final class IdealLocal implements Scheme {
    @Override
    public String name() {
      return "ideal-local";
    }

    @Override
    public boolean readsAllLocally() {
      return true;
    }
  }
}
