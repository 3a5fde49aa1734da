// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One setting: its key, its default and the values that are allowed.
 *
 * @param <T> the type of its value
 */
public final class Setting<T> {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");
  private static final Pattern ADDRESS =
      Pattern.compile("([^\\s:/,@]+|\\[[0-9a-fA-F:.]+\\]):(\\d{1,5})");

  private final String key;
  private final String type;
  private final String defaultText;
  private final String allowed;
  private final String meaning;
  private final Function<String, T> parser;
  private final Optional<Range> range;

  /**
   * The range of a number, an integer or a duration; durations are in milliseconds.
   *
   * @param least the smallest allowed value
   * @param greatest the largest allowed value
   */
  public record Range(BigDecimal least, BigDecimal greatest) {}

  private Setting(
      String key,
      String type,
      String defaultText,
      String allowed,
      String meaning,
      Function<String, T> parser) {
    this(key, type, defaultText, allowed, meaning, parser, Optional.empty());
  }

  private Setting(
      String key,
      String type,
      String defaultText,
      String allowed,
      String meaning,
      Function<String, T> parser,
      Optional<Range> range) {
    this.key = key;
    this.type = type;
    this.defaultText = defaultText;
    this.allowed = allowed;
    this.meaning = meaning;
    this.parser = parser;
    this.range = range;
  }

  static Setting<Mode> mode(String key, Mode byDefault, String meaning) {
    String name = byDefault.name().toLowerCase(Locale.ROOT);
    return new Setting<>(
        key,
        "mode",
        name,
        "off, observe, on",
        meaning,
        text ->
            Arrays.stream(Mode.values())
                .filter(m -> m.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such mode")));
  }

  static Setting<Boolean> flag(String key, boolean byDefault, String meaning) {
    return new Setting<>(
        key,
        "boolean",
        Boolean.toString(byDefault),
        "true, false",
        meaning,
        text -> {
          if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException("neither true nor false");
          }
          return Boolean.valueOf(text);
        });
  }

  /** Creates a setting whose value is a whole number. */
  public static Setting<Integer> integer(
      String key, int byDefault, int min, int max, String meaning) {
    return new Setting<>(
        key,
        "integer",
        Integer.toString(byDefault),
        min + " to " + max,
        meaning,
        text -> within(Integer.valueOf(text), min, max),
        range(BigDecimal.valueOf(min), BigDecimal.valueOf(max)));
  }

  static Setting<Double> number(
      String key, double byDefault, double min, double max, String meaning) {
    return new Setting<>(
        key,
        "number",
        Double.toString(byDefault),
        min + " to " + max,
        meaning,
        text -> within(Double.valueOf(text), min, max),
        range(BigDecimal.valueOf(min), BigDecimal.valueOf(max)));
  }

  /** Creates a setting for a whole number, which has no value if it is not set. */
  static Setting<Integer> optionalInteger(String key, int min, int max, String meaning) {
    return integer(key, min, min, max, meaning).withoutDefault();
  }

  /** Creates a setting for a number, which has no value if it is not set. */
  static Setting<Double> optionalNumber(String key, double min, double max, String meaning) {
    return number(key, min, min, max, meaning).withoutDefault();
  }

  private Setting<T> withoutDefault() {
    return new Setting<>(key, type, "", allowed, meaning, parser, range);
  }

  /** Creates a setting for a time, written as a whole number and a unit: ms, s, m, h or d. */
  static Setting<Duration> duration(
      String key, String byDefault, Duration min, Duration max, String meaning) {
    return new Setting<>(
        key,
        "duration",
        byDefault,
        "a whole number and ms, s, m, h or d: " + text(min) + " to " + text(max),
        meaning,
        text -> within(durationOf(text), min, max),
        range(BigDecimal.valueOf(min.toMillis()), BigDecimal.valueOf(max.toMillis())));
  }

  private static Optional<Range> range(BigDecimal least, BigDecimal greatest) {
    return Optional.of(new Range(least, greatest));
  }

  /**
   * Returns a time that is written as settings are: a whole number and ms, s, m, h or d.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static Duration durationOf(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a duration");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  private static String text(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }

  static Setting<List<String>> list(String key, String byDefault, String meaning) {
    return new Setting<>(
        key,
        "list",
        byDefault,
        "names separated by commas",
        meaning,
        text ->
            Arrays.stream(text.split(","))
                .map(String::trim)
                .filter(s -> !s.isEmpty())
                .collect(Collectors.toUnmodifiableList()));
  }

  static Setting<Map<String, PlacementSettings.Link>> links(String key, String meaning) {
    return new Setting<>(
        key,
        "list",
        "",
        "entries rack=up:down separated by commas, bandwidths above 0",
        meaning,
        text -> PlacementSettings.parse(Arrays.stream(text.split(",")).map(String::trim).toList()));
  }

  /** Creates a setting whose value is one of some words, in any case. */
  static Setting<String> oneOf(String key, List<String> words, String byDefault, String meaning) {
    return new Setting<>(
        key,
        "word",
        byDefault,
        String.join(", ", words),
        meaning,
        text -> {
          String word = text.toLowerCase(Locale.ROOT);
          if (!words.contains(word)) {
            throw new IllegalArgumentException("no such word");
          }
          return word;
        });
  }

  static Setting<String> text(String key, String byDefault, String allowed, String meaning) {
    return new Setting<>(key, "text", byDefault, allowed, meaning, text -> text);
  }

  /** Creates a setting whose value is a host and a port; port 0 stands for any free one. */
  static Setting<String> address(String key, String meaning) {
    return new Setting<>(
        key,
        "address",
        "",
        "host:port, port 0 to 65535",
        meaning,
        text -> {
          Matcher matcher = ADDRESS.matcher(text);
          if (!matcher.matches()) {
            throw new IllegalArgumentException("not an address");
          }
          within(Integer.valueOf(matcher.group(2)), 0, 65_535);
          return text;
        });
  }

  private static <C extends Comparable<C>> C within(C value, C min, C max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException("out of range");
    }
    return value;
  }

  /** Returns this setting for one of several instances, whose id is appended to the key. */
  public Setting<T> of(String id) {
    return new Setting<>(key + "." + id, type, defaultText, allowed, meaning, parser, range);
  }

  /**
   * Returns the value for a given text.
   *
   * @param text the text in the configuration; null or blank stands for the default
   * @return the value; null if there is none and the default is empty
   * @throws BadSettingException if the text is not an allowed value
   */
  public T parse(String text) throws BadSettingException {
    String given = text == null || text.isBlank() ? defaultText : text.trim();
    if (given.isEmpty()) {
      return null;
    }
    try {
      return parser.apply(given);
    } catch (IllegalArgumentException e) {
      throw new BadSettingException(
          key + " is '" + given + "'; allowed: " + allowed + " (default " + defaultText + ")");
    }
  }

  /**
   * Returns the value of this setting in a configuration.
   *
   * @param conf returns the text of a key, or null if it is not set
   * @throws BadSettingException if the text is not an allowed value
   */
  T read(UnaryOperator<String> conf) throws BadSettingException {
    return parse(conf.apply(key));
  }

  /**
   * Rejects unknown keys.
   *
   * @param keys all keys of a configuration
   * @param prefix the prefix of the keys to check
   * @param known the settings under the prefix
   * @param conf returns the text of a key
   * @throws BadSettingException if a key is unknown; names it, its value and the nearest known key
   */
  static void refuseUnknown(
      Collection<String> keys, String prefix, List<Setting<?>> known, UnaryOperator<String> conf)
      throws BadSettingException {
    for (String key : keys) {
      if (key.startsWith(prefix) && known.stream().noneMatch(s -> s.key().equals(key))) {
        String nearest =
            known.stream()
                .map(Setting::key)
                .min(Comparator.comparingInt(candidate -> distance(candidate, key)))
                .orElseThrow();
        throw new BadSettingException(
            "%s (value '%s') is no setting of Drover's; nearest: %s"
                .formatted(key, conf.apply(key), nearest));
      }
    }
  }

  /**
   * Returns all that is wrong with the settings under a prefix, and not only the first.
   *
   * @return the message for each bad key, in the order of the keys
   */
  static SortedMap<String, String> complaints(
      Collection<String> keys,
      String prefix,
      Collection<Setting<?>> known,
      UnaryOperator<String> conf) {
    SortedMap<String, String> complaints = new TreeMap<>();
    for (String key : keys) {
      try {
        refuseUnknown(List.of(key), prefix, List.copyOf(known), conf);
        for (Setting<?> setting : known) {
          if (setting.key().equals(key)) {
            setting.read(conf);
          }
        }
      } catch (BadSettingException e) {
        complaints.put(key, e.getMessage());
      }
    }
    return complaints;
  }

  /** Returns Levenshtein's edit distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }

  /** Returns the key. */
  public String key() {
    return key;
  }

  /** Returns the kind of value, in a word. */
  public String type() {
    return type;
  }

  /** Returns the default as it is written in a configuration file; empty if there is none. */
  public String defaultText() {
    return defaultText;
  }

  /** Returns the allowed values, in words. */
  public String allowed() {
    return allowed;
  }

  /** Returns the allowed range of a number, an integer or a duration; empty for all other types. */
  public Optional<Range> range() {
    return range;
  }

  /** Returns what the setting does, with its unit and source. */
  public String meaning() {
    return meaning;
  }
}
