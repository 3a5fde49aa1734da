// SPDX-License-Identifier: Apache-2.0
package io.drover.client.sampling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.client.sampling.SampleBlock.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The K of N blocks that a job's result was computed from. The AppMaster writes it beside the job's
 * output, as {@value #FILE}, before the output is committed. It serves error estimates, and a later
 * job can read the same blocks ({@code mapreduce.drover.sample.record}).
 *
 * @param job the job's id
 * @param needed K
 * @param total N
 * @param lateBinding whether maps took their blocks when their containers came; if not, the blocks
 *     were drawn before the job started
 * @param blocks the K blocks, by index
 * @param mapSeconds how long each map that succeeded took, also those that were not chosen; a later
 *     run goes by it if it is told to ({@code mapreduce.drover.sample.history})
 */
public record SampleLineage(
    String job,
    int needed,
    int total,
    boolean lateBinding,
    List<UsedBlock> blocks,
    List<Double> mapSeconds) {
  /** Name of the file in the job's output directory. */
  public static final String FILE = "_drover_sample.json";

  private static final int FORMAT = 1;

  /**
   * A block that was read.
   *
   * @param node host on which it was read; empty if that is not known
   * @param attempt the attempt that read it
   * @param rank how many maps of the sample had succeeded with this one, from 1 to K
   */
  public record UsedBlock(SampleBlock block, String node, String attempt, int rank) {}

  /** Copies the lists, and checks that there are K blocks of N. */
  public SampleLineage {
    blocks = List.copyOf(blocks);
    mapSeconds = List.copyOf(mapSeconds);
    if (needed < 1 || needed > total || blocks.size() != needed) {
      throw new IllegalArgumentException(
          "a sample of %d blocks, with K = %d and N = %d".formatted(blocks.size(), needed, total));
    }
  }

  /**
   * Reads a job's record.
   *
   * @param path the job's output directory, or the file itself
   * @throws IOException if there is no file, or it is not a record of a sample
   */
  public static SampleLineage read(Configuration conf, Path path) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    Path file = fs.getFileStatus(path).isDirectory() ? new Path(path, FILE) : path;
    try (FSDataInputStream in = fs.open(file)) {
      return parse(in.readAllBytes());
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is not a record of a sample: " + e.getMessage(), e);
    }
  }

  /** Writes the record into a job's output directory, which must exist. */
  public void write(Configuration conf, Path output) throws IOException {
    Path file = new Path(output, FILE);
    try (FSDataOutputStream out = file.getFileSystem(conf).create(file, true)) {
      out.write(toJson());
    }
  }

  /** Returns the text of the file. */
  public byte[] toJson() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode json = mapper.createObjectNode();
    json.put("format", FORMAT).put("job", job).put("needed", needed).put("total", total);
    json.put("lateBinding", lateBinding);
    mapSeconds.forEach(json.putArray("mapSeconds")::add);
    ArrayNode list = json.putArray("blocks");
    for (UsedBlock used : blocks) {
      ObjectNode block = list.addObject();
      block.put("index", used.block.index());
      ArrayNode parts = block.putArray("parts");
      for (Part part : used.block.parts()) {
        parts
            .addObject()
            .put("file", part.file())
            .put("offset", part.offset())
            .put("length", part.length());
      }
      block.put("length", used.block.length());
      used.block.hosts().forEach(block.putArray("hosts")::add);
      block.put("node", used.node).put("attempt", used.attempt).put("rank", used.rank);
    }
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(json);
  }

  private static SampleLineage parse(byte[] text) throws IOException {
    JsonNode json = new ObjectMapper().readTree(text);
    if (json == null || json.path("format").asInt() != FORMAT) {
      throw new IllegalArgumentException("expected format " + FORMAT);
    }
    List<UsedBlock> blocks = new ArrayList<>();
    for (JsonNode block : json.path("blocks")) {
      List<Part> parts = new ArrayList<>();
      for (JsonNode part : block.path("parts")) {
        parts.add(
            new Part(
                part.path("file").asText(),
                part.path("offset").asLong(),
                part.path("length").asLong()));
      }
      List<String> hosts = new ArrayList<>();
      block.path("hosts").forEach(host -> hosts.add(host.asText()));
      blocks.add(
          new UsedBlock(
              new SampleBlock(
                  block.path("index").asInt(), parts, block.path("length").asLong(), hosts),
              block.path("node").asText(),
              block.path("attempt").asText(),
              block.path("rank").asInt()));
    }
    List<Double> seconds = new ArrayList<>();
    json.path("mapSeconds").forEach(map -> seconds.add(map.asDouble()));
    return new SampleLineage(
        json.path("job").asText(),
        json.path("needed").asInt(),
        json.path("total").asInt(),
        json.path("lateBinding").asBoolean(),
        blocks,
        seconds);
  }
}
