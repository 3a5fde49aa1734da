// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An experiment whose texts lie beside it, in {@code NAME.txt}: the title, the source, and why its
 * figures differ from the print, each a paragraph.
 */
abstract class PaperFigure implements Experiment {
  private final String name;
  private final List<String> paragraphs;

  /**
   * An experiment.
   *
   * @param name of it and of its text
   */
  PaperFigure(String name) {
    this.name = name;
    this.paragraphs = read(name + ".txt");
  }

  private static List<String> read(String resource) {
    try (InputStream in = PaperFigure.class.getResourceAsStream(resource)) {
      String text =
          new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(text.strip().split("\n\n")).map(p -> p.replace('\n', ' ')).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String title() {
    return paragraphs.get(0);
  }

  @Override
  public final String source() {
    return paragraphs.get(1);
  }

  /** Why the figures differ from the print. */
  final List<String> why() {
    return why(Map.of());
  }

  /**
   * The same with numbers.
   *
   * @param numbers of this run, by what stands for them in braces
   */
  final List<String> why(Map<String, String> numbers) {
    return paragraphs.subList(2, paragraphs.size()).stream()
        .map(
            sentence -> {
              String filled = sentence;
              for (Map.Entry<String, String> number : numbers.entrySet()) {
                filled = filled.replace("{" + number.getKey() + "}", number.getValue());
              }
              return filled;
            })
        .toList();
  }
}
