// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.simulator.experiment.Experiments;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Option;

/** What {@code drover simulate} can do instead of comparing schemes. */
final class InsteadOptions {
  /** What may be typed after {@code --experiment}. */
  static final class ExperimentNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Experiments.names().iterator();
    }
  }

  /** What may be typed after {@code --sweep}. */
  static final class SweptNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Sweepable.names().iterator();
    }
  }

  @Option(
      names = "--sweep",
      paramLabel = "NAME[=V,...]",
      completionCandidates = SweptNames.class,
      description =
          "Run one scheme (--schemes, drover by default) at several values of a setting instead, and"
              + " say what its shipped default is worth; may be repeated. NAME is a key, or one of"
              + " ${COMPLETION-CANDIDATES}; all sweeps every one of these. Without values: the"
              + " default, half of it, twice and four times as much, and what is allowed at least.")
  private List<String> sweep = new ArrayList<>();

  @Option(
      names = "--scaling",
      description =
          "Run one scheme on 1, 2, 4, 8 and 16 times as many synthetic jobs (--jobs at first)"
              + " instead, and say whether the time grows faster than n log n.")
  private boolean scaling;

  @Option(
      names = "--experiment",
      paramLabel = "NAME",
      completionCandidates = ExperimentNames.class,
      description =
          "Compute a table or figure of a paper instead, and set it beside the print:"
              + " ${COMPLETION-CANDIDATES}; list tells about them. Goes with --seed, --repeat and"
              + " --json alone.")
  private String experiment;

  /** The experiment's name, as typed; null if none is wished. */
  String experiment() {
    return experiment;
  }

  /** What is to be swept, as typed; empty if nothing is. */
  List<String> sweep() {
    return sweep;
  }

  /** Whether it is to be measured how the time grows. */
  boolean scaling() {
    return scaling;
  }
}
