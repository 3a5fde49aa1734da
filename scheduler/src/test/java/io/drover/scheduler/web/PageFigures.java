// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Answers of the scheduler's web service that are made up. */
final class PageFigures {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PageFigures() {}

  /** Nothing has happened yet. */
  static ObjectNode quiet() throws Exception {
    String text =
        """
        {"at": 1795219200000,
         "settings": {"mode": "on", "maxUtilisation": 0.7, "hysteresis": 0.05, "roundSeconds": 0.25,
           "patienceSeconds": 30, "statisticsMode": "on", "upstreamRatio": 1.05},
         "channel": {"on": false},
         "errors": [],
         "clones": {"off": false, "running": 0, "wanted": 0, "memoryMB": 0, "vCores": 0,
           "started": 0, "gaveWay": 0, "aboveCeiling": 0, "refused": 0, "wouldBeKilled": 0},
         "statistics": {"off": false, "dropped": 0, "windowSeconds": 300, "kept": false, "reporting": 0,
           "machinesKnown": 0, "machinesSlow": 0, "machines": [], "links": [],
           "ownLinks": []},
         "prediction": {"mode": "observe", "known": 7, "stopped": false, "calledFailing": 0,
           "turned": {"failedAsCalled": 0, "calledWrongly": 0, "missed": 0, "goodAsCalled": 0,
             "ended": 0}, "failing": []},
         "partitions": [], "killedLately": []}
        """;
    return (ObjectNode) JSON.readTree(text);
  }

  /** Much has happened, to names as an attacker would choose them, and longer than a line. */
  static ObjectNode large() throws Exception {
    ObjectNode figures = quiet();
    ObjectNode statistics = figures.withObject("/statistics");
    statistics.put("outlierProbability", 0.02).put("machinesKnown", 9_950).put("machinesSlow", 1);
    for (int i = 0; i < 50; i++) {
      ObjectNode machine = statistics.withArray("machines").addObject();
      if (i == 1) {
        machine
            .putArray("slowFor")
            .add("hive")
            .add("<img src=x onerror=alert(1)>")
            .add("u".repeat(60))
            .add("x");
      }
      machine
          .put("machine", i == 0 ? "<img src=x onerror=alert(1)>" : "m".repeat(60) + i)
          .put("attempts", 40)
          .put("outliers", i == 0 ? 20 : 1)
          .put("slow", i == 0)
          .put("outlierProbability", i == 0 ? 0.4 : 0.02);
    }
    statistics
        .withArray("ownLinks")
        .addObject()
        .put("rack", "/r".repeat(40))
        .put("user", "<img src=x onerror=alert(1)>")
        .put("upBytesPerSecond", 118e6);
    figures
        .withArray("partitions")
        .addObject()
        .put("partition", "p".repeat(70))
        .put("utilisation", 0.9)
        .put("cloned", 0)
        .put("admitting", false)
        .put("waiting", 3)
        .put("running", 0);
    ObjectNode prediction = figures.withObject("/prediction");
    prediction.put("mode", "on").put("stopped", true).put("misjudged", 0.031);
    prediction.withObject("/model").put("applications", 246_725).put("failures", 3_422);
    prediction.withObject("/turned").put("failedAsCalled", 75).put("ended", 1).put("missed", 22);
    for (int i = 0; i < 60; i++) {
      ObjectNode called = prediction.withArray("failing").addObject();
      called
          .put("application", i == 0 ? "javascript:alert(1)" : "application_1795219200000_" + i)
          .put("user", "<img src=x onerror=alert(1)>")
          .put("program", "p".repeat(90))
          .put("control", i == 1)
          .put("ranSeconds", 61 * i);
      called.putArray("reasons").addObject().put("feature", "user: share of failed jobs");
    }
    statistics
        .withArray("calledSlow")
        .addObject()
        .put("machine", "<img src=x onerror=alert(1)>" + "m".repeat(60))
        .put("why", "named by an operator")
        .put("told", true);
    ObjectNode one = quarantine(figures, "on", "statistics").put("closed", true);
    one.put("machine", "<img src=x onerror=alert(1)>");
    one = quarantine(figures, "on", "statistics").put("why", "<b>" + "w".repeat(90));
    one.put("machine", "m".repeat(60));
    for (int i = 0; i < 100; i++) {
      figures
          .withArray("killedLately")
          .addObject()
          .put("at", 1795219200000L - i)
          .put("application", i == 0 ? "javascript:alert(1)" : "application_1795219200000_" + i)
          .put("node", "<b>" + "n".repeat(60))
          .put("why", "Drover: the clone gave way to an ordinary request");
    }
    return figures;
  }

  /** Adds a machine in quarantine. */
  static ObjectNode quarantine(ObjectNode figures, String mode, String cause) {
    ObjectNode quarantine = figures.withObject("/quarantine").put("mode", mode).put("off", false);
    return quarantine
        .withArray("machines")
        .addObject()
        .put("machine", "n7")
        .put("cause", cause)
        .put("closed", false)
        .put("leftSeconds", 1_700)
        .put("times", 2)
        .put("why", "ordered by ann: disk");
  }
}
