// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.evidence;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the machines of the cluster that others name. A NodeManager says itself what its host is
 * called; operators and HDFS may write the same host otherwise. A name is a machine's
 *
 * <ul>
 *   <li>if the two are equal, except for upper and lower case and a dot at the end; or else
 *   <li>if one of them is short, that is without a domain, and equals the other without its domain.
 *       Short names that two machines of the cluster share name neither of them.
 * </ul>
 *
 * <p>Addresses are names like others, and have no short form.
 */
public final class MachineNames {
  private final Map<String, String> byName = new HashMap<>();

  /** Machines by their names without a domain; empty for names that several machines share. */
  private final Map<String, Optional<String>> byShortName = new HashMap<>();

  /** Creates an index of the cluster's machines, by the names of their NodeManagers. */
  public MachineNames(Collection<String> machines) {
    for (String machine : machines) {
      String name = plain(machine);
      byName.put(name, machine);
      byShortName.merge(
          shortName(name),
          Optional.of(machine),
          (one, other) -> one.equals(other) ? one : Optional.empty());
    }
  }

  /** Returns the machine with a name; empty if none has it, or if it may be one of several. */
  public Optional<String> find(String name) {
    String plain = plain(name);
    String machine = byName.get(plain);
    if (machine != null) {
      return Optional.of(machine);
    }
    String shortName = shortName(plain);
    return byShortName
        .getOrDefault(shortName, Optional.empty())
        .filter(found -> plain.equals(shortName) || plain(found).equals(shortName));
  }

  private static String plain(String name) {
    String lower = name.strip().toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private static String shortName(String plain) {
    int dot = plain.indexOf('.');
    boolean isAddress = plain.indexOf(':') >= 0 || plain.chars().noneMatch(Character::isLetter);
    return dot < 0 || isAddress ? plain : plain.substring(0, dot);
  }
}
