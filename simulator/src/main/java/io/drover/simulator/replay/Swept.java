// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.CloneKeys;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.config.RestartKeys;
import io.drover.core.config.Setting;
import io.drover.simulator.engine.SimulationSettings;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A setting, and the values that a sweep gives to it one after the other.
 *
 * @param setting the setting
 * @param values the values as in a configuration file, in rising order, each once, with the shipped
 *     default among them
 * @param byDefault the value that is the shipped default
 */
public record Swept(Setting<?> setting, List<String> values, String byDefault) {
  private static final Map<String, String> SIGNS =
      Map.of(
          RestartKeys.DELTA.key(), "delta",
          RestartKeys.RHO.key(), "rho",
          RestartKeys.MAX_RESTARTS.key(), "gamma",
          CloneKeys.EPS.key(), "eps",
          CloneKeys.SINGLE_TASK_EPS.key(), "single-task-eps",
          CloneKeys.OUTLIER_PROBABILITY.key(), "p",
          ClusterSettings.MAX_UTILISATION.key(), "tau",
          ClusterSettings.UPSTREAM_RATIO.key(), "M/K",
          SimulationSettings.REPORT_INTERVAL.key(), "report-period");

  private static final BigDecimal TWO = BigDecimal.valueOf(2);
  private static final BigDecimal FOUR = BigDecimal.valueOf(4);

  /** Returns the settings that have a range; a mode is swept if the user gives its key. */
  public static List<Setting<?>> settings() {
    return SimulationSettings.ofSchemes().stream().filter(s -> s.range().isPresent()).toList();
  }

  /** Returns the names of these settings. */
  public static List<String> names() {
    return settings().stream().map(Swept::name).toList();
  }

  /** Returns the setting with this name or key. */
  public static Optional<Setting<?>> setting(String typed) {
    return SimulationSettings.ofSchemes().stream()
        .filter(setting -> typed.equals(setting.key()) || typed.equals(name(setting)))
        .findFirst();
  }

  /**
   * Returns the name of a setting: the papers' symbol if they have one, otherwise the key without
   * {@code mapreduce.drover} or {@code yarn.drover}.
   */
  public static String name(Setting<?> setting) {
    String key = setting.key();
    for (String prefix : List.of(JobSettings.PREFIX, ClusterSettings.PREFIX)) {
      key = key.startsWith(prefix) ? key.substring(prefix.length()) : key;
    }
    return SIGNS.getOrDefault(setting.key(), key);
  }

  /**
   * Creates a sweep over the given values and the default.
   *
   * @throws BadSettingException if a value is not allowed; it names the first one
   */
  public static Swept of(Setting<?> setting, List<String> given) throws BadSettingException {
    Object usual = setting.parse(null);
    Map<Object, String> texts = new TreeMap<>(); // numbers, durations and modes have an order
    for (String text : given) {
      texts.putIfAbsent(setting.parse(text), text.strip());
    }
    texts.putIfAbsent(usual, defaultText(setting, usual));
    return new Swept(setting, List.copyOf(texts.values()), texts.get(usual));
  }

  private static String defaultText(Setting<?> setting, Object usual) {
    return setting.range().isPresent() ? text(setting, number(usual)) : setting.defaultText();
  }

  /**
   * Creates a sweep over values that suit the setting. A mode takes all its values. For a number, d
   * is the default; a is the least allowed value, or 0 if that is at most a tenth of d, or d
   * itself:
   *
   * <pre>
   *   the least allowed value,  a + (d-a)/2,  d,  a + 2 (d-a),  a + 4 (d-a)
   *   if the last exceeds the greatest allowed value g, it is g; if the fourth reaches g, (d+g)/2
   * </pre>
   */
  public static Swept around(Setting<?> setting) throws BadSettingException {
    Stream<String> values =
        setting.range().isEmpty()
            ? Arrays.stream(Mode.values()).map(mode -> mode.name().toLowerCase(Locale.ROOT))
            : around(number(setting.parse(null)), setting.range().get())
                .map(value -> text(setting, value));
    return of(setting, values.toList());
  }

  private static Stream<BigDecimal> around(BigDecimal usual, Setting.Range range) {
    BigDecimal least = range.least();
    boolean isSmall = least.multiply(BigDecimal.TEN).compareTo(usual) <= 0;
    BigDecimal from = isSmall || least.compareTo(usual) == 0 ? BigDecimal.ZERO : least;
    BigDecimal away = usual.subtract(from);
    BigDecimal twice = from.add(TWO.multiply(away));
    BigDecimal most = range.greatest().min(from.add(FOUR.multiply(away)));
    BigDecimal more = twice.compareTo(most) < 0 ? twice : usual.add(most).divide(TWO);
    return Stream.of(least, from.add(away.divide(TWO)), usual, more, most)
        .filter(value -> value.compareTo(least) >= 0);
  }

  /** Returns the value as a number; a duration is in milliseconds. */
  private static BigDecimal number(Object value) {
    return value instanceof Duration duration
        ? BigDecimal.valueOf(duration.toMillis())
        : new BigDecimal(value.toString());
  }

  private static String text(Setting<?> setting, BigDecimal number) {
    return switch (setting.type()) {
      case "integer" -> number.setScale(0, RoundingMode.HALF_UP).toPlainString();
      case "duration" -> duration(number.longValue());
      default -> number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    };
  }

  private static String duration(long millis) {
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }

  /** Returns the name of the setting. */
  public String name() {
    return name(setting);
  }

  public String key() {
    return setting.key();
  }

  public boolean isDefault(String value) {
    return value.equals(byDefault);
  }
}
