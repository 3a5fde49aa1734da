// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Lists the outputs that cannot, and those that can, bear two attempts of a task at once or the
 * kill of an attempt.
 *
 * @param excluded class name patterns of outputs that cannot
 * @param safe class name patterns of outputs that can, even if a pattern above matches them or the
 *     format that they wrap cannot be seen
 */
public record OutputSettings(List<String> excluded, List<String> safe) {
  /** The deny-list. */
  public static final Setting<List<String>> EXCLUDED =
      Setting.list(
          JobSettings.PREFIX + "restart.excluded-outputs",
          "org.apache.hadoop.mapreduce.lib.db.DBOutputFormat,"
              + "org.apache.hadoop.mapred.lib.db.DBOutputFormat,"
              + "*Direct*Committer,*Direct*OutputFormat,"
              + "*TableOutputFormat,*EsOutputFormat,*MongoOutputFormat,*CqlOutputFormat,"
              + "*KafkaOutputFormat,*JdbcOutputFormat,*PhoenixOutputFormat,*DynamoDBOutputFormat,"
              + "*AccumuloOutputFormat",
          "Class names of output formats and committers that write to the final place before the"
              + " commit. A task that uses one must not have two attempts at once, and its attempts"
              + " must not be killed. Drover leaves such tasks alone, and does not run such jobs in"
              + " several copies. A * stands for any characters; subclasses count, and so do"
              + " formats that LazyOutputFormat, MultipleOutputs and other FilterOutputFormats"
              + " wrap.");

  /** The allow-list. */
  public static final Setting<List<String>> SAFE =
      Setting.list(
          JobSettings.PREFIX + "restart.safe-outputs",
          "",
          "Class names of output formats and committers that write nothing to the final place"
              + " before the commit, although a pattern of excluded-outputs matches them or Drover"
              + " cannot see which format they wrap. A * stands for any characters; subclasses do"
              + " not count. Each job may set this, unless the administrator marks this key and"
              + " excluded-outputs as final in mapred-site.xml.");

  /** Copies the lists. */
  public OutputSettings {
    excluded = List.copyOf(excluded);
    safe = List.copyOf(safe);
  }

  static OutputSettings read(UnaryOperator<String> conf) throws BadSettingException {
    List<String> safe = SAFE.read(conf);
    return new OutputSettings(EXCLUDED.read(conf), safe == null ? List.of() : safe);
  }
}
