// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads events in Avro's JSON encoding. It does not use the schema at the head of the file, because
 * the encoding tells all field names: histories of all versions are read alike. A value that may be
 * null is encoded as {@code {"string": "value"}}; such a wrapper is taken off.
 */
final class JsonEvents implements EventSource {
  private static final JsonFactory JSON = new JsonFactory();

  private final String file;
  private final int linesBefore;
  private final Input input;
  private final JsonParser parser;

  /** Notes whether the parser wanted to read beyond the end of the file. */
  private static final class Input extends FilterInputStream {
    private boolean ended;

    Input(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      ended |= next < 0;
      return next;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = super.read(bytes, from, length);
      ended |= count < 0;
      return count;
    }
  }

  /**
   * Starts reading.
   *
   * @param in the file, from the line after the schema
   * @param file the name of the file, for messages
   * @param linesBefore how many lines are before that one
   */
  JsonEvents(InputStream in, String file, int linesBefore) throws IOException {
    this.file = file;
    this.linesBefore = linesBefore;
    this.input = new Input(in);
    this.parser = JSON.createParser(input);
  }

  @Override
  public Optional<RecordedEvent> next() throws IOException {
    try {
      JsonToken first = parser.nextToken();
      if (first == null) {
        return Optional.empty();
      }
      if (first != JsonToken.START_OBJECT) {
        throw new HistoryFormatException(
            place() + ": found " + parser.getText() + ", expected an event, which begins with {");
      }
      return Optional.of(event());
    } catch (JsonProcessingException e) {
      if (input.ended) {
        return Optional.empty(); // the last event is incomplete
      }
      throw new HistoryFormatException(
          place() + ": this is not JSON (" + e.getOriginalMessage() + ")", e);
    }
  }

  // The Jackson of Hadoop 3.4 does not have the method that replaces this one.
  @SuppressWarnings("deprecation")
  private String place() {
    return file + ", line " + (linesBefore + parser.getCurrentLocation().getLineNr());
  }

  private RecordedEvent event() throws IOException {
    String place = place();
    String type = "";
    Map<String, Object> fields = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("type") && value == JsonToken.VALUE_STRING) {
        type = parser.getText();
      } else if (name.equals("event") && value == JsonToken.START_OBJECT) {
        readWrapped(fields);
      } else {
        parser.skipChildren();
      }
    }
    if (type.isEmpty()) {
      throw HistoryFormatException.wrong(place, "type", "nothing", "the type of an event");
    }
    return new RecordedEvent(type, place, fields);
  }

  /** Reads the fields of {@code {"RECORD": {fields}}}. */
  private void readWrapped(Map<String, Object> fields) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        readFields(fields);
      } else {
        parser.skipChildren();
      }
    }
  }

  private void readFields(Map<String, Object> fields) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (EventFields.hasCounters(name)) {
        Map<String, Long> counters = new HashMap<>();
        readCounters(name, counters);
        fields.put(name, counters);
      } else if (EventFields.isKept(name)) {
        value(name).ifPresent(value -> fields.put(name, value));
      } else {
        parser.skipChildren();
      }
    }
  }

  /** Returns a scalar or a list of numbers, without the wrapper of its type; empty if null. */
  private Optional<Object> value(String field) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> Optional.of(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Optional.of(whole(field, NumberType.LONG));
      case VALUE_TRUE -> Optional.of(true);
      case VALUE_FALSE -> Optional.of(false);
      case START_ARRAY -> Optional.of(numbers(field));
      case START_OBJECT -> wrapped(field);
      default -> Optional.empty();
    };
  }

  /** Returns the value of {@code {"TYPE": value}}. */
  private Optional<Object> wrapped(String field) throws IOException {
    Optional<Object> value = Optional.empty();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      parser.nextToken();
      value = value(field);
    }
    return value;
  }

  /** Returns a number that JSON allows, if the field can hold it too. */
  private long whole(String field, NumberType widest) throws IOException {
    if (parser.getNumberType().compareTo(widest) > 0) { // real numbers come after all whole ones
      throw HistoryFormatException.wrong(
          place(),
          field,
          parser.getText(),
          "a whole number of " + (widest == NumberType.INT ? Integer.SIZE : Long.SIZE) + " bits");
    }
    return parser.getLongValue();
  }

  private List<Integer> numbers(String field) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken().isNumeric()) {
        numbers.add((int) whole(field, NumberType.INT));
      } else {
        parser.skipChildren();
      }
    }
    return numbers;
  }

  /** Reads counters: {@code {"name": .., "groups": [{"name": .., "counts": [..]}, ..]}}. */
  private void readCounters(String field, Map<String, Long> kept) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean groups = parser.currentName().equals("groups");
      JsonToken value = parser.nextToken();
      if (groups && value == JsonToken.START_ARRAY) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          readGroup(field, kept);
        }
      } else if (value == JsonToken.START_OBJECT) { // the wrapper of a field that may be null
        readCounters(field, kept);
      }
    }
  }

  private void readGroup(String field, Map<String, Long> kept) throws IOException {
    String group = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("name") && value == JsonToken.VALUE_STRING) {
        group = parser.getText();
      } else if (name.equals("counts") && value == JsonToken.START_ARRAY) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          readCounter(field, group, kept);
        }
      } else {
        parser.skipChildren();
      }
    }
  }

  private void readCounter(String field, String group, Map<String, Long> kept) throws IOException {
    String counter = "";
    long count = 0;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("name") && value == JsonToken.VALUE_STRING) {
        counter = group + "/" + parser.getText();
      } else if (name.equals("value") && value.isNumeric()) {
        count = whole(field + " " + counter, NumberType.LONG);
      } else {
        parser.skipChildren();
      }
    }
    EventFields.keep(field, counter, count, kept);
  }
}
