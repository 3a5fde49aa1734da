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
 * The base of experiments whose texts are in a resource {@code NAME.txt}. Its paragraphs are the
 * title, the source, and the reasons why the figures differ from the printed ones.
 */
abstract class PaperFigure implements Experiment {
  private final String name;
  private final List<String> paragraphs;

  /**
   * Creates an experiment.
   *
   * @param name the name of the experiment and of its resource
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

  /** Returns why the figures differ from the printed ones. */
  final List<String> why() {
    return why(Map.of());
  }

  /**
   * Returns why the figures differ from the printed ones, with numbers filled in.
   *
   * @param numbers the numbers of this run, by their placeholders without the braces
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
