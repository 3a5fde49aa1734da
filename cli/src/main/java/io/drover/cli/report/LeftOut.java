// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.simulator.report.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;

/**
 * What a report leaves out since it cannot be read: how much that is, and what was wrong with the
 * first of it. Nothing may be left out unless the user allows it.
 */
final class LeftOut {
  private final boolean allowed;
  private int histories;
  private String firstHistory = "";
  private int directories;
  private String firstDirectory = "";

  /**
   * Starts with nothing.
   *
   * @param allowed whether something may be left out
   */
  LeftOut(boolean allowed) {
    this.allowed = allowed;
  }

  /**
   * Leaves a history out.
   *
   * @param why what is wrong with which history
   * @throws IOException if nothing may be left out
   */
  void history(String why, Throwable failure) throws IOException {
    check(why, failure);
    if (histories++ == 0) {
      firstHistory = why;
    }
  }

  /**
   * Leaves a directory out that cannot be listed, with all that is below it.
   *
   * @throws IOException if nothing may be left out
   */
  void directory(Path directory, IOException failure) throws IOException {
    String why = directory + " cannot be listed: " + failure;
    check(why, failure);
    if (directories++ == 0) {
      firstDirectory = why;
    }
  }

  private void check(String why, Throwable failure) throws IOException {
    if (!allowed) {
      throw new IOException(why + "; --skip-bad goes on without it", failure);
    }
  }

  /** Returns what was wrong with the first history; empty if none was left out. */
  String firstHistory() {
    return firstHistory;
  }

  /** Returns a sentence on the histories and one on the directories, if any was left out. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    if (histories > 0) {
      String all = Text.count(histories, "history", "histories");
      sentences.add(sentence(all + " could not be read", histories, firstHistory));
    }
    if (directories > 0) {
      String all = Text.count(directories, "directory", "directories");
      sentences.add(sentence(all + " could not be listed", directories, firstDirectory));
    }
    return sentences;
  }

  private static String sentence(String what, int count, String first) {
    return what + " and " + (count == 1 ? "was" : "were") + " left out; the first: " + first;
  }

  /** Adds the counts to the JSON of a report. */
  void addTo(ObjectNode json) {
    json.put("skipped", histories).put("skippedDirectories", directories);
  }
}
