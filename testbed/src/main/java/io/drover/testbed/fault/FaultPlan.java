// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A fault with its begin, its end and its victim.
 *
 * @param kind what goes wrong
 * @param maps the map progress of the job at which it begins, in [0,1]; with 0 it begins with the
 *     job, and with 1 when all maps are done
 * @param after how long after that
 * @param length how long it lasts; empty: until the end of the job
 * @param victim the name of the host; empty: the last but one, far from the job's AppMaster
 */
public record FaultPlan(
    FaultKind kind,
    double maps,
    Duration after,
    Optional<Duration> length,
    Optional<String> victim) {
  /** The least progress that a job shows whose first map has begun. */
  private static final double FIRST_MAP = Float.MIN_NORMAL;

  private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s|m)");
  private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d+)?)%");

  /** Checks the ranges. */
  public FaultPlan {
    Objects.requireNonNull(kind, "kind");
    if (!(maps >= 0 && maps <= 1)) {
      throw new IllegalArgumentException("maps must be 0 to 1, was " + maps);
    }
    if (after.isNegative() || length.filter(d -> d.isNegative() || d.isZero()).isPresent()) {
      throw new IllegalArgumentException("bad times: " + after + ", " + length);
    }
  }

  /** Returns a fault that begins with the job and lasts as long. */
  public static FaultPlan of(FaultKind kind) {
    return new FaultPlan(kind, 0, Duration.ZERO, Optional.empty(), Optional.empty());
  }

  /** Returns the same fault, some time after the first map has begun. */
  public FaultPlan afterFirstMap(Duration delay) {
    return new FaultPlan(kind, FIRST_MAP, delay, length, victim);
  }

  /** Returns the same fault, at some progress of the maps. */
  public FaultPlan atMaps(double share) {
    return new FaultPlan(kind, share, after, length, victim);
  }

  /** Returns the same fault, which ends after some time. */
  public FaultPlan lasting(Duration time) {
    return new FaultPlan(kind, maps, after, Optional.of(time), victim);
  }

  private FaultPlan with(String key, String value, String text) {
    return switch (key) {
      case "at" -> atMaps(share(value, text));
      case "after" -> new FaultPlan(kind, maps, time(value, text), length, victim);
      case "for" -> lasting(time(value, text));
      case "on" -> new FaultPlan(kind, maps, after, length, Optional.of(value));
      default ->
          throw new IllegalArgumentException(
              "'%s' in '%s' is not known: a fault has at, after, for and on".formatted(key, text));
    };
  }

  /**
   * Parses what people type: {@code cut-host:at=100%:after=2s:for=60s:on=n5}. All but the first
   * part may be left out.
   *
   * @throws IllegalArgumentException if it is not of this form; the message says what is wrong
   */
  public static FaultPlan parse(String text) {
    String[] parts = text.split(":", -1);
    FaultPlan plan =
        Arrays.stream(FaultKind.values())
            .filter(kind -> kind.key().equals(parts[0]))
            .findFirst()
            .map(FaultPlan::of)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no fault '%s'; the faults are %s".formatted(parts[0], kinds())));
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      String[] pair = part.split("=", 2);
      if (pair.length < 2 || pair[1].isEmpty()) {
        throw new IllegalArgumentException(
            "'%s' in '%s' must be KEY=VALUE, such as at=100%%".formatted(part, text));
      }
      plan = plan.with(pair[0], pair[1], text);
    }
    return plan;
  }

  private static String kinds() {
    return Arrays.stream(FaultKind.values()).map(FaultKind::key).collect(Collectors.joining(", "));
  }

  private static double share(String value, String text) {
    Matcher share = SHARE.matcher(value);
    if (!share.matches() || Double.parseDouble(share.group(1)) > 100) {
      throw new IllegalArgumentException(
          "at=%s in '%s' must be 0%% to 100%% of the maps".formatted(value, text));
    }
    return Double.parseDouble(share.group(1)) / 100;
  }

  private static Duration time(String value, String text) {
    Matcher time = TIME.matcher(value);
    if (!time.matches()) {
      throw new IllegalArgumentException(
          "'%s' in '%s' must be a time, such as 30s, 500ms or 2m".formatted(value, text));
    }
    long number = Long.parseLong(time.group(1));
    return switch (time.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      default -> Duration.ofMinutes(number);
    };
  }
}
