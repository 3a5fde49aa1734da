// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Nearest;
import io.drover.simulator.replay.SimulationOptions.InputChoice;
import io.drover.simulator.replay.SimulationOptions.SourceChoice;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.workload.SampledWorkload.Sampling;
import io.drover.simulator.world.Losses.LossSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the options of the simulator that are more than a number or a file. */
final class Choices {
  private Choices() {}

  /** The text before and after the first separator. The second part is empty if there is none. */
  private record Parts(String head, Optional<String> tail) {
    static Parts of(String typed, char sign) {
      int at = typed.indexOf(sign);
      return at < 0
          ? new Parts(typed, Optional.empty())
          : new Parts(typed.substring(0, at), Optional.of(typed.substring(at + 1)));
    }
  }

  /** Parses {@code KIND}, or {@code KIND:FILE} with a readable file. */
  private static SourceChoice source(
      String what, String typed, List<String> alone, List<String> ofFile) {
    Parts parts = Parts.of(typed, ':');
    String kind = parts.head();
    if (ofFile.contains(kind)) {
      Path file =
          Path.of(
              parts
                  .tail()
                  .filter(name -> !name.isEmpty())
                  .orElseThrow(() -> bad("%s needs a file: %s:FILE", kind, kind)));
      if (!Files.isReadable(file)) {
        throw bad("no such file or directory (or not readable): %s", file);
      }
      return new SourceChoice(kind, Optional.of(file));
    }
    if (!alone.contains(kind)) {
      List<String> kinds = new ArrayList<>(alone);
      kinds.addAll(ofFile);
      throw unknown(what, kind, kinds);
    }
    if (parts.tail().isPresent()) {
      throw bad("%s takes no file", kind);
    }
    return SourceChoice.of(kind);
  }

  private static double number(String typed, double least, double most, String need) {
    try {
      double number = Double.parseDouble(typed.strip());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException ignored) {
      // the error below says what is expected
    }
    throw bad("%s, not '%s'", need, typed);
  }

  private static TypeConversionException unknown(String what, String typed, List<String> words) {
    return new TypeConversionException(Nearest.unknown(what, typed, words));
  }

  private static TypeConversionException bad(String format, Object... values) {
    return new TypeConversionException(String.format(Locale.ROOT, format, values));
  }

  /** Parses {@code --workload}. */
  static final class Workload implements ITypeConverter<SourceChoice> {
    @Override
    public SourceChoice convert(String typed) {
      return source("workload", typed, List.of("synthetic"), List.of("swim", "coflow", "history"));
    }
  }

  /** Parses {@code --slowness}. */
  static final class Slowness implements ITypeConverter<SourceChoice> {
    @Override
    public SourceChoice convert(String typed) {
      return source("slowness", typed, List.of("published", "history", "none"), List.of("google"));
    }
  }

  /** Parses {@code --losses}: {@code none} or {@code published}, and rates of further losses. */
  static final class Losses implements ITypeConverter<LossSettings> {
    private static final Map<String, Double> MOST =
        Map.of(
            "failures", LossSettings.MOST_FAILURES_PER_DAY, "evictions", LossSettings.MOST_EVICTED);

    @Override
    public LossSettings convert(String typed) {
      String[] words = typed.split(",", -1);
      String kind = words[0].strip();
      if (!List.of("none", "published").contains(kind)) {
        throw unknown("losses", kind, List.of("none", "published"));
      }
      Map<String, Double> rates = new HashMap<>();
      for (String word : List.of(words).subList(1, words.length)) {
        Parts parts = Parts.of(word.strip(), '=');
        String name = parts.head();
        if (!MOST.containsKey(name)) {
          throw unknown("losses", name, List.of("failures", "evictions"));
        }
        String need = name + " needs a number from 0 to " + MOST.get(name);
        if (rates.put(name, number(parts.tail().orElse(""), 0, MOST.get(name), need)) != null) {
          throw bad("%s is given twice", name);
        }
      }
      return new LossSettings(
          kind.equals("published"),
          rates.getOrDefault("failures", 0.0),
          rates.getOrDefault("evictions", 0.0));
    }
  }

  /** The value of {@code --inputs}, empty if maps read at the same speed everywhere. */
  record Inputs(Optional<InputChoice> choice) {}

  /** Parses {@code --inputs}: {@code anywhere}, {@code disk}, or {@code memory:5} with a wait. */
  static final class Input implements ITypeConverter<Inputs> {
    private static final double MOST_SECONDS = 3600;

    @Override
    public Inputs convert(String typed) {
      Parts parts = Parts.of(typed, ':');
      InputChoice usual =
          switch (parts.head()) {
            case "disk" -> InputChoice.Kind.DISK.usual();
            case "memory" -> InputChoice.Kind.MEMORY.usual();
            case "anywhere" -> null;
            default -> throw unknown("inputs", parts.head(), List.of("anywhere", "disk", "memory"));
          };
      if (parts.tail().isEmpty()) {
        return new Inputs(Optional.ofNullable(usual));
      }
      if (usual == null) {
        throw bad("anywhere takes no seconds");
      }
      double seconds =
          number(
              parts.tail().get(), 0, MOST_SECONDS, "needs seconds from 0 to 3600 after the colon");
      return new Inputs(
          Optional.of(new InputChoice(usual.kind(), usual.inputs().withLocalitySeconds(seconds))));
    }
  }

  /** Parses {@code --sampled}: {@code K/N} or {@code K/N:SHARE}. */
  static final class SampledJobs implements ITypeConverter<Sampling> {
    @Override
    public Sampling convert(String typed) {
      Parts parts = Parts.of(typed, ':');
      return new Sampling(
          number(parts.head(), Sampling.LEAST_RATIO, 1, "needs K/N from 0.01 to 1, such as 0.1"),
          number(
              parts.tail().orElse("1"),
              0.001,
              1,
              "needs a share of the jobs from 0.001 to 1 after the colon"));
    }
  }

  /** Parses the name of a scheme, and lists all names for completion. */
  static final class SchemeName implements ITypeConverter<String>, Iterable<String> {
    @Override
    public String convert(String typed) {
      String name = typed.strip();
      if (!Schemes.names().contains(name)) {
        throw unknown("scheme", name, Schemes.names());
      }
      return name;
    }

    @Override
    public Iterator<String> iterator() {
      return Schemes.names().iterator();
    }
  }
}
