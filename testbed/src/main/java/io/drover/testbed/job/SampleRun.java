// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.core.model.TaskKind;
import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.host.Host;
import io.drover.testbed.job.DemoJobSpec.SampleSpec;
import io.drover.testbed.job.RackTraffic.ShuffleLog;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Which blocks a run of {@link Scenario#SAMPLING} read where.
 *
 * @param spec K and the load
 * @param slots how many slots each host has
 * @param held how many of them the other application held, by host; a host without any is left out
 * @param uplinkBytes what the busiest uplink of a rack carried in one direction, inputs and
 *     shuffle; empty if the racks have none that count
 * @param hosts the host of each of the N blocks, by the block's number
 * @param reads what the attempts of maps read, by block
 * @param longestWait how long the job gave containers back for the sake of locality, at most; empty
 *     under stock Hadoop
 * @param choice how the outputs were chosen; empty under stock Hadoop
 */
public record SampleRun(
    SampleSpec spec,
    int slots,
    Map<String, Integer> held,
    OptionalLong uplinkBytes,
    List<String> hosts,
    List<Read> reads,
    Optional<Duration> longestWait,
    Optional<OutputChoice> choice) {

  /** The file that Drover's AppMaster writes beside the output. */
  private static final String RECORD = "_drover_sample.json";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Copies the collections. */
  public SampleRun {
    held = Map.copyOf(held);
    hosts = List.copyOf(hosts);
    reads = List.copyOf(reads);
  }

  /**
   * An attempt of a map, and the block that it read.
   *
   * @param block the block's number
   * @param attempt the attempt's id
   * @param node the host it ran on
   * @param nearness how near to the block that is
   * @param used whether the result has the block because of this attempt
   */
  public record Read(
      int block, String attempt, String node, BlockLocality nearness, boolean used) {}

  /**
   * How Drover chose K map outputs, from its decision log.
   *
   * @param maps M: how many maps the job had
   * @param done how many of them had succeeded
   * @param racks how many racks their outputs were in
   * @param reason why it waited no longer, in the words of the log
   * @param busiestLinkSeconds how long the busiest link between racks needs for the chosen outputs
   * @param lowerBoundSeconds the least that any choice could need
   * @param crossRackBytes how much of them is to go from rack to rack
   */
  public record OutputChoice(
      int maps,
      int done,
      int racks,
      String reason,
      double busiestLinkSeconds,
      double lowerBoundSeconds,
      long crossRackBytes) {}

  /** Returns M: how many maps the job had. */
  public int maps() {
    return choice.map(OutputChoice::maps).orElse(spec.needed());
  }

  /** Returns what the attempts read that the result was made from. */
  public List<Read> used() {
    return reads.stream().filter(Read::used).toList();
  }

  /** Returns what was read of a block: by the attempt whose output counts, if there is one. */
  public Optional<Read> of(int block) {
    return reads.stream()
        .filter(read -> read.block() == block)
        .max(Comparator.comparing(Read::used));
  }

  /** Returns how many of the blocks of the result were read from this near. */
  public long count(BlockLocality nearness) {
    return used().stream().filter(read -> read.nearness() == nearness).count();
  }

  /**
   * What a run met beside its own work: see the fields of {@link SampleRun}.
   *
   * @param held slots that were held, by host
   * @param uplinkBytes what the busiest uplink carried
   */
  record Beside(Map<String, Integer> held, OptionalLong uplinkBytes) {}

  /** What the result of a job is made of: the block that each attempt read, by attempt. */
  record Lineage(Map<String, Path> files) {
    /**
     * Reads the record that Drover's AppMaster leaves beside the output.
     *
     * @throws IOException if it is missing, or does not name K blocks of N
     */
    static Lineage read(FileSystem fs, Path output, int needed, int total) throws IOException {
      JsonNode json;
      try (InputStream in = fs.open(new Path(output, RECORD))) {
        json = JSON.readTree(in);
      } catch (FileNotFoundException e) {
        throw new IOException("the job left no record of its sample", e);
      }
      Map<String, Path> files = new TreeMap<>();
      for (JsonNode block : json.path("blocks")) {
        Path file = new Path(block.path("parts").path(0).path("file").asText());
        files.put(block.path("attempt").asText(), file);
      }
      boolean isOfN = json.path("total").asInt() == total;
      if (!isOfN || files.size() != needed || Set.copyOf(files.values()).size() != needed) {
        throw new IOException("the record does not name %d of %d blocks".formatted(needed, total));
      }
      return new Lineage(files);
    }
  }

  /** Reads from the logs of maps, of the input and of Drover what a run did. */
  static final class Reader {
    private static final Pattern SPLIT = Pattern.compile("Processing split: (\\S+):\\d+\\+\\d+");

    private final DroverCluster cluster;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> hosts = new ArrayList<>();

    /**
     * Creates a reader.
     *
     * @param input the directory of the whole input
     */
    Reader(DroverCluster cluster, FileSystem fs, Path input) throws IOException {
      this.cluster = cluster;
      Map<String, String> hostOf = new TreeMap<>();
      RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(input);
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        hostOf.put(file.getPath().getName(), file.getBlockLocations()[0].getHosts()[0]);
      }
      hostOf.forEach(
          (name, host) -> {
            numbers.put(name, hosts.size());
            hosts.add(host);
          });
    }

    /**
     * Returns what a run did.
     *
     * @param beside what the run met beside its own work
     * @param used the ids of the attempts whose outputs are in the result
     * @param decisions the decision log; empty under stock Hadoop
     */
    SampleRun read(
        SampleSpec spec,
        Beside beside,
        List<AttemptRecord> attempts,
        Set<String> used,
        List<String> decisions)
        throws IOException {
      List<Read> reads = new ArrayList<>();
      for (AttemptRecord attempt : attempts) {
        if (attempt.kind() == TaskKind.MAP) {
          block(attempt).ifPresent(block -> reads.add(read(block, attempt, used)));
        }
      }
      reads.sort(Comparator.comparingInt(Read::block));
      return new SampleRun(
          spec,
          cluster.containersPerHost(),
          beside.held(),
          beside.uplinkBytes(),
          hosts,
          reads,
          longestWait(decisions),
          choice(decisions));
    }

    private Read read(int block, AttemptRecord attempt, Set<String> used) {
      Host holder = cluster.host(hosts.get(block));
      BlockLocality outside =
          holder.rack().equals(attempt.rack()) ? BlockLocality.RACK : BlockLocality.ELSEWHERE;
      return new Read(
          block,
          attempt.id(),
          attempt.node(),
          holder.name().equals(attempt.node()) ? BlockLocality.MACHINE : outside,
          used.contains(attempt.id()));
    }

    /** Returns the block that an attempt read, from its log. Hadoop writes it in every mode. */
    private Optional<Integer> block(AttemptRecord attempt) throws IOException {
      for (java.nio.file.Path log :
          ShuffleLog.logs(cluster.containerLogs(attempt.node()), attempt.containerId())) {
        for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
          Matcher split = SPLIT.matcher(line);
          if (split.find()) {
            return Optional.ofNullable(numbers.get(new Path(split.group(1)).getName()));
          }
        }
      }
      return Optional.empty();
    }
  }

  /** Returns the longest wait in the lines about blocks that maps took. */
  static Optional<Duration> longestWait(List<String> decisions) {
    return lines(decisions, "blockBound").stream()
        .map(line -> Duration.ofMillis(Math.round(1000 * line.path("waited").asDouble())))
        .max(Duration::compareTo);
  }

  /** Returns the choice of outputs that held. */
  static Optional<OutputChoice> choice(List<String> decisions) {
    return lines(decisions, "outputsChosen").stream()
        .filter(line -> line.has("reason"))
        .map(
            line ->
                new OutputChoice(
                    line.path("maps").asInt(),
                    line.path("done").asInt(),
                    line.path("racks").asInt(),
                    line.path("reason").asText(),
                    line.path("busiestLinkSeconds").asDouble(),
                    line.path("lowerBoundSeconds").asDouble(),
                    line.path("crossRackBytes").asLong()))
        .reduce((earlier, later) -> later);
  }

  private static List<JsonNode> lines(List<String> decisions, String type) {
    return decisions.stream()
        .filter(line -> line.contains("\"" + type + "\""))
        .flatMap(line -> parse(line).stream())
        .filter(line -> line.path("type").asText().equals(type))
        .collect(Collectors.toList());
  }

  private static Optional<JsonNode> parse(String line) {
    try {
      return Optional.of(JSON.readTree(line));
    } catch (JsonProcessingException e) {
      return Optional.empty(); // an AppMaster died and cut the line short
    }
  }
}
