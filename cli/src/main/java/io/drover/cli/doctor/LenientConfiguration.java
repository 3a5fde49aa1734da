// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/**
 * A configuration that has the default where Hadoop's throws, because a value is no number where
 * one is asked for, or has too many variables, and remembers that. So such a value keeps no check
 * from its work. With all other types, and in copies, it is as strict as Hadoop's.
 */
final class LenientConfiguration extends Configuration {
  private final SortedMap<String, Complaint> complaints = new ConcurrentSkipListMap<>();

  /**
   * What is wrong with a value.
   *
   * @param value the value
   * @param what why it cannot be read, behind "which"
   * @param right what would be right
   */
  record Complaint(String value, String what, String right) {}

  /** Creates an empty configuration, without Hadoop's defaults. */
  LenientConfiguration() {
    super(false);
  }

  /** Returns what was asked for and could not be read, by key. Any thread may add to it. */
  SortedMap<String, Complaint> complaints() {
    return complaints;
  }

  @Override
  public String get(String name) {
    return text(name, () -> super.get(name));
  }

  @Override
  public String get(String name, String defaultValue) {
    return text(name, () -> super.get(name, defaultValue));
  }

  /** Returns the text with its variables filled in, or as it is if Hadoop gives up on them. */
  private String text(String name, Supplier<String> read) {
    try {
      return read.get();
    } catch (IllegalStateException e) { // too many variables, or in a circle
      String raw = getRaw(name);
      complaints.putIfAbsent(
          name,
          new Complaint(
              raw,
              "Hadoop cannot fill in: " + e.getMessage(),
              "Write a value with fewer variables"));
      return raw;
    }
  }

  @Override
  public int getInt(String name, int defaultValue) {
    return number(name, () -> super.getInt(name, defaultValue), defaultValue, true);
  }

  @Override
  public long getLong(String name, long defaultValue) {
    return number(name, () -> super.getLong(name, defaultValue), defaultValue, true);
  }

  @Override
  public float getFloat(String name, float defaultValue) {
    return number(name, () -> super.getFloat(name, defaultValue), defaultValue, false);
  }

  @Override
  public double getDouble(String name, double defaultValue) {
    return number(name, () -> super.getDouble(name, defaultValue), defaultValue, false);
  }

  private <T> T number(String name, Supplier<T> read, T byDefault, boolean isWhole) {
    try {
      return read.get();
    } catch (NumberFormatException e) {
      complaints.putIfAbsent(
          name,
          new Complaint(
              getTrimmed(name),
              isWhole ? "is no whole number, or too large a one" : "is no number",
              "Write a " + (isWhole ? "whole " : "") + "number, without a unit"));
      return byDefault;
    }
  }
}
