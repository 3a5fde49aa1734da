// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of a command. {@link TextReport} shows them on a terminal and {@link PageReport} in a
 * browser; programs read {@link #facts}.
 *
 * @param command the command as the user types it
 * @param headline the result in a few words
 * @param subject what was run
 * @param table all figures
 * @param conclusion what the figures mean; empty if there is nothing to add to the table
 * @param legend how to read the table
 * @param sections more sentences, each group under a title
 * @param charts the charts of the page; empty if there is nothing to draw
 * @param settings the options of the command by their names
 * @param facts everything as one JSON object
 */
public record SimulationReport(
    String command,
    String headline,
    String subject,
    Table table,
    String conclusion,
    String legend,
    List<Section> sections,
    Optional<Charts> charts,
    Map<String, String> settings,
    ObjectNode facts) {

  /** Sentences that belong together. */
  public record Section(String title, List<String> sentences) {
    /** The section that every report ends with. */
    static Section provenance(List<String> sentences) {
      return new Section("What is real, and what is modelled", sentences);
    }
  }

  /**
   * Figures in rows and columns.
   *
   * @param columns the columns from left to right, without the column of row labels; those of a
   *     group are adjacent
   * @param rows the rows from top to bottom; each has one cell per column, or none if it is a
   *     heading
   * @param hasRangeRows whether a terminal shows the range of each row on two lines below it
   */
  public record Table(List<Column> columns, List<Row> rows, boolean hasRangeRows) {
    /** A column, and the title that it shares with its neighbours (empty if none). */
    public record Column(String group, String head) {}

    /** A row and its style. */
    public record Row(Style style, String label, List<Cell> cells) {
      boolean isHeading() {
        return style == Style.HEADING;
      }
    }

    /** A figure. If it is the median of several that differ, it has the ends of their range. */
    public record Cell(String text, Optional<Range> range) {
      static Cell of(String text) {
        return new Cell(text, Optional.empty());
      }
    }

    /** The least and the greatest of several figures. */
    public record Range(String least, String greatest) {}

    /** The style of a row. */
    public enum Style {
      PLAIN,
      /** Names the rows below it. */
      HEADING,
      /** The row that the reader looks for. */
      MARKED,
      /** A scheme that no real cluster can have. */
      IDEAL
    }

    /** Returns whether a column is the first of its group. */
    boolean beginsGroup(int column) {
      return column == 0 || !group(column).equals(group(column - 1));
    }

    /** Returns whether a column is the last of its group. */
    boolean endsGroup(int column) {
      return column == columns.size() - 1 || !group(column).equals(group(column + 1));
    }

    boolean hasGroups() {
      return columns.stream().anyMatch(column -> !column.group().isEmpty());
    }

    private String group(int column) {
      return columns.get(column).group();
    }
  }

  /**
   * Charts of one kind, drawn by a script of the page.
   *
   * @param title the common title
   * @param introduction how to read them
   * @param areMany whether the charts are small and above the table; otherwise they are below it
   * @param script the resource that draws them
   * @param data the data for the script
   */
  public record Charts(
      String title,
      String introduction,
      boolean areMany,
      List<Chart> charts,
      String script,
      ObjectNode data) {}

  /**
   * One chart.
   *
   * @param note the text below the title
   * @param finding what it shows, in a sentence; empty if that is left to the reader
   * @param isMarked whether the reader should look at it first
   */
  public record Chart(String title, String note, String finding, boolean isMarked) {}
}
