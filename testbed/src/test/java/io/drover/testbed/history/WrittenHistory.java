// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.hadoop.mapreduce.jobhistory.Event;
import org.apache.hadoop.mapreduce.jobhistory.HistoryEvent;

/** A history of Hadoop's own events, encoded as Hadoop's EventWriter encodes them. */
final class WrittenHistory {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final SpecificDatumWriter<Event> writer = new SpecificDatumWriter<>(Event.class);
  private final boolean json;
  private final Encoder encoder;

  WrittenHistory(boolean json) throws IOException {
    this.json = json;
    print((json ? "Avro-Json" : "Avro-Binary") + "\n" + Event.SCHEMA$ + "\n");
    this.encoder =
        json
            ? EncoderFactory.get().jsonEncoder(Event.SCHEMA$, out)
            : EncoderFactory.get().binaryEncoder(out, null);
  }

  void write(HistoryEvent event) throws IOException {
    Event wrapper = new Event();
    wrapper.setType(event.getEventType());
    wrapper.setEvent(event.getDatum());
    writer.write(wrapper, encoder);
    encoder.flush();
    if (json) {
      print("\n");
    }
  }

  private void print(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  int size() {
    return out.size();
  }

  JobRecord read() throws IOException {
    return readFirst(out.size());
  }

  /** Reads only the first bytes, as if the file were cut off there. */
  JobRecord readFirst(int bytes) throws IOException {
    return read(Arrays.copyOf(out.toByteArray(), bytes));
  }

  /** Reads other bytes. */
  static JobRecord read(byte[] bytes) throws IOException {
    return JobHistory.read(new ByteArrayInputStream(bytes), "j.jhist");
  }

  byte[] bytes() {
    return out.toByteArray();
  }
}
