// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * Reads events in Avro's binary encoding, the default of Hadoop 3. Each file is read by the schema
 * that stands at its head, so the events of all versions are understood.
 */
final class BinaryEvents implements EventSource {
  static {
    // A damaged length would otherwise be allocated before anything else is read. Avro reads these
    // limits once. No field of a history comes near them.
    limit("org.apache.avro.limits.string.maxLength", 64 << 20);
    limit("org.apache.avro.limits.bytes.maxLength", 64 << 20);
    limit("org.apache.avro.limits.collectionItems.maxLength", 1 << 20);
  }

  private final String file;
  private final GenericDatumReader<GenericRecord> reader;
  private final BinaryDecoder decoder;
  private long events;

  /**
   * Starts reading.
   *
   * @param in the file, from behind the line with the schema
   * @param schema the schema
   * @param file the name of the file, for messages
   */
  BinaryEvents(InputStream in, String schema, String file) throws IOException {
    this.file = file;
    try {
      this.reader = new GenericDatumReader<>(new Schema.Parser().parse(schema));
    } catch (AvroRuntimeException e) {
      throw new HistoryFormatException(
          file + ": the schema at its head cannot be read (" + e.getMessage() + ")", e);
    }
    this.decoder = DecoderFactory.get().binaryDecoder(in, null);
  }

  private static void limit(String property, int most) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(most));
    }
  }

  @Override
  public Optional<RecordedEvent> next() throws IOException {
    events++;
    String place = file + ", event " + events;
    try {
      if (decoder.isEnd()) {
        return Optional.empty();
      }
      GenericRecord record = reader.read(null, decoder);
      Map<String, Object> fields = new HashMap<>();
      if (record.get("event") instanceof GenericRecord event) {
        read(event, fields);
      }
      return Optional.of(new RecordedEvent(String.valueOf(record.get("type")), place, fields));
    } catch (EOFException e) {
      return Optional.empty(); // the last event is incomplete
    } catch (AvroRuntimeException
        | UnsupportedOperationException
        | IndexOutOfBoundsException
        | ClassCastException
        | IOException e) {
      throw new HistoryFormatException(
          place + ": the data is damaged (" + e.getMessage() + "), expected an event", e);
    }
  }

  private static void read(GenericRecord event, Map<String, Object> fields) {
    for (Schema.Field field : event.getSchema().getFields()) {
      String name = field.name();
      Object value = event.get(field.pos());
      if (EventFields.hasCounters(name)) {
        fields.put(name, counters(name, value));
      } else if (EventFields.isKept(name) && value != null) {
        fields.put(name, plain(value));
      }
    }
  }

  /** Returns a value with Java's types in place of Avro's. */
  private static Object plain(Object value) {
    if (value instanceof Integer number) {
      return number.longValue();
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value;
    }
    return value instanceof List<?> list
        ? list.stream().filter(Integer.class::isInstance).map(Integer.class::cast).toList()
        : value.toString();
  }

  private static Map<String, Long> counters(String field, Object value) {
    Map<String, Long> kept = new HashMap<>();
    for (GenericRecord group : records(value, "groups")) {
      for (GenericRecord counter : records(group, "counts")) {
        String name = group.get("name") + "/" + counter.get("name");
        if (counter.get("value") instanceof Number count) {
          EventFields.keep(field, name, count.longValue(), kept);
        }
      }
    }
    return kept;
  }

  private static List<GenericRecord> records(Object value, String field) {
    // Hadoop 3.4.1 has an Avro whose records have no hasField.
    return value instanceof GenericRecord record
            && record.getSchema().getField(field) != null
            && record.get(field) instanceof List<?> list
        ? list.stream()
            .filter(GenericRecord.class::isInstance)
            .map(GenericRecord.class::cast)
            .toList()
        : List.of();
  }
}
