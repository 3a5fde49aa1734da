// SPDX-License-Identifier: Apache-2.0
package io.drover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.demo.SampleSources;
import io.drover.scheduler.predict.EndedJobStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code drover predict}. */
class PredictMainTest {
  private static final String HEADER =
      "job,submit,start,end,outcome,user,queue,program,priority,tasks,cpu_mean,ram_mean";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path directory;

  private int run(String... line) {
    return Main.run(
        line,
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        SampleSources::source,
        new AtomicBoolean());
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private Path table(List<String> rows) throws IOException {
    return Files.write(directory.resolve("jobs.csv"), rows);
  }

  /** Three days of two programs, one of which always fails after an hour. */
  private static List<String> threeDays() {
    List<String> rows = new ArrayList<>(List.of(HEADER));
    for (int i = 0; i < 1500; i++) {
      boolean fails = i % 10 == 0;
      int at = i * 170;
      rows.add(
          String.format(
              Locale.ROOT,
              "j%d,%d,%d,%d,%s,%s,q,\"%s, nr %d\",0,4,1,1024",
              i,
              at,
              at + 5,
              at + (fails ? 3600 : 30),
              fails ? "FAILED" : "SUCCEEDED",
              fails ? "bob" : "ann",
              fails ? "report" : "load",
              i));
    }
    return rows;
  }

  @Test
  void modelsAreComparedOnJobsThatTheyHaveNotSeen() throws Exception {
    Path jobs = table(threeDays());
    Path page = directory.resolve("page.html");
    String[] line = {
      "predict",
      "evaluate",
      jobs.toString(),
      "--json",
      "--html",
      page.toString(),
      "--max-misjudged",
      "0.05" // with a hundred jobs to check it on, 0.01 calls none
    };
    int code = run(line);
    assertThat(code).as(err()).isZero();
    JsonNode models = new ObjectMapper().readTree(out()).get("models");
    assertThat(models.fieldNames()).toIterable().containsExactly("LDA", "ELDA", "QDA", "LR");
    JsonNode lr = models.get("LR");
    assertThat(lr.get("auc").asDouble()).isGreaterThan(0.99);
    assertThat(lr.get("mfn").asDouble()).isZero();
    assertThat(lr.get("fn").asDouble()).isLessThan(0.1); // they end before it costs anything
    assertThat(lr.get("recall").asDouble()).isGreaterThan(0.99);
    assertThat(lr.get("savedOfFailing").asDouble()).isBetween(0.6, 0.67); // 2,395 of 3,595 s
    assertThat(lr.get("rrw").fieldNames()).toIterable().contains("cpu", "ram", "time");
    assertThat(lr.get("rrw").get("disk").isNull()).isTrue();
    assertThat(lr.get("confidence95").get("auc")).hasSize(2);
    assertThat(err()).contains("1,500 jobs that have ended", "MFN", "No row was skipped");
    assertThat(Files.readString(page)).contains("ROC of each model", "What a grace period saves");
  }

  @Test
  void variantsAreNamedByWhatTheyDifferIn() throws Exception {
    Path jobs = table(threeDays());
    String[] line = {
      "predict",
      "evaluate",
      jobs.toString(),
      "--json",
      "--method",
      "LR",
      "--features",
      "history,static+system",
      "--window",
      "1,2",
      "--from-day",
      "1"
    };
    assertThat(run(line)).as(err()).isZero();
    assertThat(new ObjectMapper().readTree(out()).get("models").fieldNames())
        .toIterable()
        .containsExactly(
            "LR history 1d", "LR history 2d", "LR static+system 1d", "LR static+system 2d");
  }

  @Test
  void rowsThatMakeNoSenseAreCountedByWhatIsWrong() throws Exception {
    List<String> rows = threeDays();
    rows.add("j1,1,2,3,FAILED,,,,,,,"); // again
    rows.add("x1,1,2,3,BROKEN,,,,,,,");
    rows.add("x2,NaN,2,3,FAILED,,,,,,,");
    rows.add("x3,,2,3,FAILED,,,,,,,");
    rows.add("x4,100,2,3,FAILED,,,,,,,"); // ends before it starts
    rows.add("x5,1,2");
    rows.add("x6,1,2,3,FAILED,,,,,-4,,");
    rows.add("x7,1,2,3,FAILED,,,,,,Infinity,");
    Path jobs = table(rows);
    assertThat(run("predict", "train", jobs.toString(), "--json")).as(err()).isZero();
    out.reset();
    assertThat(run("predict", "evaluate", jobs.toString(), "--method", "LR", "--json")).isZero();
    JsonNode skipped = new ObjectMapper().readTree(out()).get("skipped");
    int all = 0;
    for (JsonNode count : skipped) {
      all += count.asInt();
    }
    assertThat(all).as("%s", skipped).isEqualTo(8);
    assertThat(skipped.fieldNames())
        .toIterable()
        .contains("outcome is unknown", "submit is empty", "a job that was there before");
    assertThat(err()).contains("8 rows were left out", "jobs.csv:");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "job,submit,end | lacks the column 'outcome'",
        "job,submit,end,outcome,usr | unknown column 'usr'",
        "job,submit,end,outcome | no row that makes sense",
        "job,submit,end,end,outcome | is no table of jobs",
      })
  void tableThatIsNoneIsNamed(String header, String message) throws Exception {
    Path jobs = table(List.of(header, "j,x,y,z".repeat(1)));
    assertThat(run("predict", "evaluate", jobs.toString())).isEqualTo(1);
    assertThat(err()).startsWith("drover: ").contains("jobs.csv", message).hasLineCount(1);
  }

  @Test
  void jobsOfOneKindMakeNoModel() throws Exception {
    List<String> good = threeDays().stream().filter(row -> !row.contains("FAILED")).toList();
    Path jobs = table(good);
    assertThat(run("predict", "evaluate", jobs.toString())).isEqualTo(1);
    assertThat(err()).contains("too few jobs", "10 failing and 10 other jobs");
    err.reset();
    assertThat(run("predict", "train", jobs.toString())).isEqualTo(1);
    assertThat(err()).contains("too few jobs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "evaluate nowhere.csv | option 'FILE': no such file",
        "evaluate | missing required parameter: 'FILE'",
        "evaluate FILE --method SVM | option '--method': expected one of [LDA, ELDA, QDA, LR]",
        "evaluate FILE --features static+past | unknown set of features 'past'",
        "evaluate FILE --window 0 | option '--window' needs a whole number from 1 to 365",
        "evaluate FILE --retrain 0 | option '--retrain' needs a whole number from 1 to 720",
        "evaluate FILE --max-misjudged 1 | option '--max-misjudged' needs a number above 0",
        "evaluate FILE --failing lost | unknown outcome 'lost'",
        "evaluate FILE --requests FILE | option '--requests' needs google:FILE",
        "explain j0 | missing required parameter: 'FILE'",
        "explain jx FILE | FILE has no job 'jx'",
        "trian FILE | unknown",
      })
  void wrongArgumentsAreNamedInOneLine(String line, String message) throws Exception {
    String file = table(threeDays()).toString();
    List<String> words = new ArrayList<>(List.of("predict"));
    for (String word : line.strip().split(" ")) {
      words.add(word.equals("FILE") ? file : word);
    }
    assertThat(run(words.toArray(String[]::new))).isEqualTo(2);
    assertThat(err()).startsWith("drover: ").contains(message.replace("FILE has", file + " has"));
    assertThat(err()).hasLineCount(1);
    assertThat(out.size()).isZero();
  }

  @Test
  void jobIsExplainedByWhatWasKnownWhenItArrived() throws Exception {
    Path jobs = table(threeDays());
    assertThat(run("predict", "explain", "j1000", jobs.toString(), "--json")).as(err()).isZero();
    JsonNode call = new ObjectMapper().readTree(out());
    assertThat(call.get("failing").asBoolean()).isTrue();
    assertThat(call.get("outcome").asText()).isEqualTo("failed");
    assertThat(call.get("reasons")).hasSize(36);
    assertThat(call.get("reasons").get(0).get("adds").asDouble()).isPositive();
    out.reset();
    assertThat(run("predict", "explain", "j1001", jobs.toString(), "--json")).isZero();
    assertThat(new ObjectMapper().readTree(out()).get("failing").asBoolean()).isFalse();
    err.reset();
    assertThat(run("predict", "explain", "j5", jobs.toString())).isEqualTo(1);
    assertThat(err()).contains("too few jobs had ended when j5 arrived");
  }

  @Test
  void jobsAreWrittenForAResourceManager() throws Exception {
    Path jobs = table(threeDays());
    Path kept = directory.resolve("kept");
    assertThat(run("predict", "train", jobs.toString(), "--out", kept.toString())).isZero();
    EndedJobStore store = new EndedJobStore(kept.toString(), 1, new Configuration());
    assertThat(store.read(0, 10_000)).hasSize(1500);
    assertThat(store.read(0, 10_000).get(0).arrival().program()).isEqualTo("load, nr #");
  }

  @Test
  void googleTablesAreRead() throws Exception {
    Path jobs = directory.resolve("jobs_20d.csv.gz");
    try (OutputStream zipped = new GZIPOutputStream(Files.newOutputStream(jobs))) {
      StringBuilder rows =
          new StringBuilder(
              "job,submit_s,sched_s,end_s,outcome,sched_class,user,logical_name,job_name\n");
      for (int i = 0; i < 1500; i++) {
        boolean fails = i % 10 == 0;
        int at = i * 170; // the first one before the trace
        String outcome = fails ? "FAIL" : i % 7 == 1 ? "KILL" : i == 1497 ? "NONE" : "FINISH";
        rows.append(
            String.format(
                Locale.ROOT,
                "%d,%d,%d,%s,%s,%d,%d,%d,9%n",
                i,
                at,
                at + 1,
                outcome.equals("NONE") ? "" : at + (fails ? 3600 : 30),
                outcome,
                i % 4,
                fails ? 7 : 8,
                fails ? 70 : 80));
      }
      zipped.write(rows.toString().getBytes(StandardCharsets.UTF_8));
    }
    Path requests =
        Files.writeString(
            directory.resolve("day1.csv"),
            "job,submit_s,priority,n_tasks,cpu_mean,ram_mean,disk_mean,logical_name\n"
                + "11,1,9,5,0.1,nan,0.01,80\n");
    String[] line = {
      "predict",
      "evaluate",
      "google:" + jobs,
      "--requests",
      requests.toString(),
      "--method",
      "LR",
      "--json"
    };
    assertThat(run(line)).as(err()).isZero();
    JsonNode facts = new ObjectMapper().readTree(out());
    assertThat(facts.get("jobs").asInt()).isEqualTo(1498);
    assertThat(facts.get("skipped").get("submitted before the trace").asInt()).isEqualTo(1);
    assertThat(facts.get("models").get("LR").get("auc").asDouble()).isGreaterThan(0.99);
    assertThat(facts.get("notes").toString()).contains("killed", "(1 jobs)");
  }

  @Test
  void helpTellsOfEachCommand() {
    assertThat(run("predict", "--help")).isZero();
    assertThat(out()).contains("train", "evaluate", "explain");
    for (String command : List.of("train", "evaluate", "explain")) {
      out.reset();
      assertThat(run("predict", command, "--help")).isZero();
      assertThat(out()).contains("FILE", "--json", "--html");
    }
  }
}
