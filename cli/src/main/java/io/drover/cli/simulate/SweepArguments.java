// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.core.config.BadSettingException;
import io.drover.core.config.Setting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads {@code --sweep}. */
final class SweepArguments {
  /** What sweeps every setting that has a range and is not set. */
  static final String ALL = "all";

  private static final String OPTION = "--sweep";

  private final Arguments arguments;

  SweepArguments(Arguments arguments) {
    this.arguments = arguments;
  }

  /** The options of a sweep, if they make sense together. */
  SweepOptions options(List<String> typed, SimulateOptions common) {
    List<Swept> swept = typed.contains(ALL) ? all(typed, common) : each(typed, common);
    return new SweepOptions(common, swept);
  }

  private List<Swept> all(List<String> typed, SimulateOptions common) {
    if (typed.size() > 1) {
      throw bad(ALL + " sweeps every setting, and goes with no other");
    }
    List<Swept> all = new ArrayList<>();
    for (Setting<?> setting : Sweepable.all()) {
      if (!common.settings().containsKey(setting.key())) {
        all.add(around(setting));
      }
    }
    return all;
  }

  private List<Swept> each(List<String> typed, SimulateOptions common) {
    List<Swept> all = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    for (String text : typed) {
      Swept swept = read(text);
      if (!keys.add(swept.key())) {
        throw bad(swept.name() + " is swept twice");
      }
      if (common.settings().containsKey(swept.key())) {
        throw bad(swept.name() + " is swept, and set by --set as well");
      }
      all.add(swept);
    }
    return all;
  }

  private Swept read(String typed) {
    int equals = typed.indexOf('=');
    String name = (equals < 0 ? typed : typed.substring(0, equals)).strip();
    if (name.equals(ALL)) {
      throw bad(ALL + " takes no values");
    }
    Setting<?> setting = Sweepable.of(name).orElseThrow(() -> unknown(name));
    return equals < 0 ? around(setting) : given(setting, typed.substring(equals + 1));
  }

  private RuntimeException unknown(String name) {
    List<String> words = new ArrayList<>(Sweepable.names());
    words.add(ALL);
    return arguments.unknown("setting", name, words);
  }

  private Swept given(Setting<?> setting, String typed) {
    List<String> values = List.of(typed.split(",", -1));
    if (values.stream().anyMatch(String::isBlank)) {
      throw bad(
          Sweepable.name(setting) + " needs values, separated by commas, not '" + typed + "'");
    }
    try {
      return checked(Swept.of(setting, values));
    } catch (BadSettingException e) {
      throw bad(e.getMessage());
    }
  }

  private Swept around(Setting<?> setting) {
    try {
      return checked(Swept.around(setting));
    } catch (BadSettingException e) {
      throw new IllegalStateException("what is around a default is not allowed", e);
    }
  }

  private Swept checked(Swept swept) {
    if (swept.values().size() < 2) {
      throw bad(swept.name() + " needs another value than its default, " + swept.byDefault());
    }
    return swept;
  }

  private RuntimeException bad(String message) {
    return arguments.bad("option '" + OPTION + "': " + message);
  }
}
