// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import io.drover.cli.doctor.RackScript.Patience;
import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.net.TableMapping;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Checks which rack each node has, for this machine and for the ResourceManager. AppMasters look
 * racks up themselves, on the node where they run.
 */
final class TopologyChecks {
  private static final String CLASS =
      CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY;
  private static final String SCRIPT =
      CommonConfigurationKeysPublic.NET_TOPOLOGY_SCRIPT_FILE_NAME_KEY;
  private static final String ARGUMENTS =
      CommonConfigurationKeysPublic.NET_TOPOLOGY_SCRIPT_NUMBER_ARGS_KEY;
  private static final String TABLE =
      CommonConfigurationKeysPublic.NET_TOPOLOGY_TABLE_MAPPING_FILE_KEY;
  private static final String DEFAULT = NetworkTopology.DEFAULT_RACK;

  private final Configuration conf;

  /** The nodes, with the racks in which the ResourceManager has them, if it has told. */
  private final Map<String, Optional<String>> nodes;

  private final UnaryOperator<String> addressOf;
  private final Patience patience;

  TopologyChecks(Configuration conf, Map<String, Optional<String>> nodes, Patience patience) {
    this(conf, nodes, NetUtils::normalizeHostName, patience);
  }

  /**
   * Creates the checks.
   *
   * @param addressOf returns the name under which Hadoop looks a node up: its IP address, or the
   *     name itself if that has none
   */
  TopologyChecks(
      Configuration conf,
      Map<String, Optional<String>> nodes,
      UnaryOperator<String> addressOf,
      Patience patience) {
    this.conf = conf;
    this.nodes = new TreeMap<>(nodes);
    this.addressOf = addressOf;
    this.patience = patience;
  }

  Checks all() {
    return new Checks().add("topology.racks", this::racks);
  }

  private void racks(Consumer<Finding> found) throws IOException {
    if (nodes.isEmpty()) {
      found.accept(
          Finding.ok(
              "topology.racks",
              "No nodes are known here, so racks are not checked: neither a ResourceManager has"
                  + " told them nor a file `workers`"));
      return;
    }
    Map<String, String> lookedUp = new LinkedHashMap<>();
    nodes.keySet().forEach(name -> lookedUp.put(name, addressOf.apply(name)));
    Optional<Map<String, String>> racks = resolve(new LinkedHashSet<>(lookedUp.values()), found);
    if (racks.isPresent()) {
      Map<String, String> byNode = new TreeMap<>();
      lookedUp.forEach(
          (name, address) -> {
            String rack = racks.get().get(address);
            if (rack != null) { // else there was no time for it
              byNode.put(name, rack);
            }
          });
      judge(byNode, namesInUpperCase(lookedUp.values(), found), found);
    }
  }

  // --- looking up

  private boolean isScript() {
    return conf.getTrimmed(CLASS, "").equals(ScriptBasedMapping.class.getName());
  }

  /**
   * Returns the rack of each name, as far as there is time; empty if there is no way to look it up,
   * which is told.
   */
  private Optional<Map<String, String>> resolve(Set<String> names, Consumer<Finding> found)
      throws IOException {
    List<String> list = List.copyOf(names);
    if (!isScript()) {
      return tableIsBad(found) ? Optional.empty() : byClass(list, found);
    }
    String script = conf.getTrimmed(SCRIPT, "");
    if (script.isEmpty()) {
      return Optional.of(list.stream().collect(Collectors.toMap(name -> name, name -> DEFAULT)));
    }
    int atOnce =
        conf.getInt(
            ARGUMENTS, CommonConfigurationKeysPublic.NET_TOPOLOGY_SCRIPT_NUMBER_ARGS_DEFAULT);
    return new RackScript(Path.of(script), atOnce, patience).resolve(list, found);
  }

  private boolean tableIsBad(Consumer<Finding> found) throws IOException {
    if (!conf.getTrimmed(CLASS, "").equals(TableMapping.class.getName())) {
      return false;
    }
    String table = conf.getTrimmed(TABLE, "");
    if (table.isEmpty() || !Files.isReadable(Path.of(table))) {
      found.accept(
          Finding.wrong(
              "topology.table",
              TABLE
                  + " is "
                  + (table.isEmpty() ? "not set" : table + ", which cannot be read on this machine")
                  + ": Hadoop puts all nodes into "
                  + DEFAULT,
              "Copy the table there, readable for all, on every machine",
              TABLE));
      return true;
    }
    List<String> bad =
        Files.readAllLines(Path.of(table)).stream()
            .map(String::trim)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .filter(line -> line.split("\\s+").length != 2)
            .toList();
    if (!bad.isEmpty()) {
      found.accept(
          Finding.warn(
              "topology.table",
              TABLE
                  + " is "
                  + table
                  + ", with lines that Hadoop leaves out: "
                  + ClusterChecks.some(bad.stream()),
              "Write one name or address and one rack into each line",
              TABLE));
    }
    return false;
  }

  private Optional<Map<String, String>> byClass(List<String> names, Consumer<Finding> found) {
    Class<?> mapping;
    try {
      mapping = conf.getClass(CLASS, null);
    } catch (RuntimeException e) { // a class that is not there
      found.accept(
          Finding.warn(
              "topology.class",
              CLASS
                  + " is "
                  + conf.getTrimmed(CLASS)
                  + ", which this command does not have: racks are not checked",
              "The ResourceManager's page of nodes shows the racks that it has found",
              CLASS));
      return Optional.empty();
    }
    DNSToSwitchMapping instance = (DNSToSwitchMapping) ReflectionUtils.newInstance(mapping, conf);
    List<String> racks = instance.resolve(names);
    if (racks == null || racks.size() != names.size()) {
      found.accept(
          Finding.wrong(
              "topology.class",
              CLASS + " is " + mapping.getName() + ", which does not tell a rack for each node",
              "Hadoop puts all nodes into " + DEFAULT + " until it does",
              CLASS));
      return Optional.empty();
    }
    Map<String, String> byName = new TreeMap<>();
    for (int i = 0; i < racks.size(); i++) {
      byName.put(names.get(i), racks.get(i));
    }
    return Optional.of(byName);
  }

  // --- judging

  /** Tells all that is known of racks that Hadoop takes; the reader may ignore a part of it. */
  private void judge(
      Map<String, String> racks, Set<String> knownInLowerCase, Consumer<Finding> found) {
    Set<String> distinct = new TreeSet<>(racks.values());
    Optional<Finding> refused = badNames(distinct).or(() -> depths(distinct));
    List<Finding> findings =
        refused.isPresent()
            ? List.of(refused.get())
            : Stream.of(
                    spellings(distinct),
                    differences(racks),
                    unresolved(racks, distinct, knownInLowerCase))
                .flatMap(Optional::stream)
                .toList();
    findings.forEach(found);
    if (findings.isEmpty()) {
      found.accept(
          Finding.ok(
              "topology.racks",
              racks.size() + " nodes are in " + distinct.size() + " racks",
              key()));
    }
  }

  private String key() {
    return isScript() ? SCRIPT : CLASS;
  }

  private static Optional<Finding> badNames(Set<String> racks) {
    List<String> bad = racks.stream().filter(rack -> !rack.startsWith("/")).toList();
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.wrong(
                "topology.rack-name",
                "racks do not begin with a slash: " + ClusterChecks.some(bad.stream()),
                "Let the mapping return /" + bad.get(0) + ": Hadoop refuses such nodes"));
  }

  private static String tidy(String rack) {
    return rack.replaceFirst("/+$", "").toLowerCase(Locale.ROOT);
  }

  private static Optional<Finding> depths(Set<String> racks) {
    Map<Long, List<String>> byDepth =
        racks.stream()
            .collect(
                Collectors.groupingBy(
                    rack -> tidy(rack).chars().filter(c -> c == '/').count(),
                    TreeMap::new,
                    Collectors.toList()));
    return byDepth.size() < 2
        ? Optional.empty()
        : Optional.of(
            Finding.wrong(
                "topology.depth",
                "racks have different depths: "
                    + byDepth.values().stream()
                        .map(rack -> rack.get(0))
                        .collect(Collectors.joining(", ")),
                "Give all the same number of parts: Hadoop refuses nodes of another depth. A name"
                    + " that the mapping does not know is in "
                    + DEFAULT));
  }

  private static Optional<Finding> spellings(Set<String> racks) {
    Map<String, List<String>> alike =
        racks.stream()
            .collect(
                Collectors.groupingBy(TopologyChecks::tidy, TreeMap::new, Collectors.toList()));
    List<String> several =
        alike.values().stream()
            .filter(spellings -> spellings.size() > 1)
            .map(spellings -> String.join(" and ", spellings))
            .toList();
    return several.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.warn(
                "topology.rack-spelling",
                "racks differ only in case or in a slash at the end: "
                    + ClusterChecks.some(several.stream()),
                "Spell each rack in one way, or its nodes count as being in different racks"));
  }

  /** AppMasters on machines with another mapping than the ResourceManager's place tasks wrongly. */
  private Optional<Finding> differences(Map<String, String> racks) {
    List<String> different = new ArrayList<>();
    racks.forEach(
        (node, rack) ->
            nodes
                .get(node)
                .filter(
                    known -> !known.replaceFirst("/+$", "").equals(rack.replaceFirst("/+$", "")))
                .ifPresent(
                    known ->
                        different.add(
                            node + " is in " + rack + " here and in " + known + " there")));
    return different.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.warn(
                "topology.rack-differs",
                "this machine and the ResourceManager put nodes into different racks: "
                    + ClusterChecks.some(different.stream()),
                "Give all machines the same net.topology settings and files; a ResourceManager"
                    + " keeps what it has read until it starts again",
                key()));
  }

  private Optional<Finding> unresolved(
      Map<String, String> racks, Set<String> distinct, Set<String> knownInLowerCase) {
    List<String> unresolved =
        racks.entrySet().stream()
            .filter(entry -> entry.getValue().equals(DEFAULT))
            .map(Map.Entry::getKey)
            .toList();
    if (unresolved.isEmpty() || racks.size() == 1) {
      return Optional.empty();
    }
    if (distinct.size() == 1) {
      return Optional.of(
          Finding.warn(
              "topology.default-rack",
              "all " + racks.size() + " nodes are in " + DEFAULT + ": reduces are not placed",
              "If the cluster has several racks, set " + SCRIPT + " (docs/appmaster.md)",
              SCRIPT,
              CLASS));
    }
    List<String> others =
        unresolved.stream().filter(name -> !knownInLowerCase.contains(name)).toList();
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.warn(
                "topology.unresolved",
                others.size()
                    + " of "
                    + racks.size()
                    + " nodes are in "
                    + DEFAULT
                    + ", because the mapping does not know them: "
                    + ClusterChecks.some(others.stream()),
                "Add them, by their IP addresses as well as by their names",
                key()));
  }

  /**
   * Returns the nodes that the mapping knows in lower case only, and tells of them. A script is
   * often written for names as DNS has them. Nodes are looked up by their names only if they have
   * no address.
   */
  private Set<String> namesInUpperCase(Collection<String> lookedUp, Consumer<Finding> found)
      throws IOException {
    List<String> upper = lookedUp.stream().filter(name -> !name.equals(lower(name))).toList();
    Set<String> both = new LinkedHashSet<>(upper);
    upper.forEach(name -> both.add(lower(name)));
    Optional<Map<String, String>> racks =
        both.isEmpty() ? Optional.empty() : resolve(both, ignored -> {});
    if (racks.isEmpty()) {
      return Set.of();
    }
    Set<String> unknown =
        upper.stream()
            .filter(name -> DEFAULT.equals(racks.get().get(name)))
            .filter(name -> !DEFAULT.equals(racks.get().getOrDefault(lower(name), DEFAULT)))
            .collect(Collectors.toCollection(TreeSet::new));
    if (!unknown.isEmpty()) {
      found.accept(
          Finding.warn(
              "topology.name-case",
              "the mapping does not know names in upper case that it knows in lower case: "
                  + ClusterChecks.some(unknown.stream()),
              "Let it compare names without regard to case, as DNS does",
              key()));
    }
    return unknown;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
