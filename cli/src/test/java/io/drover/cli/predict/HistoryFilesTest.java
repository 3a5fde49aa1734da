// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drover.cli.report.WrittenJobs;
import io.drover.core.predict.JobOutcome;
import io.drover.core.predict.JobRequests.Spread;
import io.drover.core.predict.evaluate.TraceJob;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history that Hadoop 0.23.9 wrote, if it is there: {@code ../shared/cases} of the checkout. */
class HistoryFilesTest {
  private static final String PLACE = "shared/cases/08-hadoop-0.23.9-FAILED.jhist";
  private static final String ID = "job_1399356417814_19732";

  @TempDir private Path directory;

  private static String history() throws Exception {
    Optional<Path> found =
        Stream.iterate(Path.of("").toAbsolutePath(), at -> at != null, Path::getParent)
            .map(at -> at.resolveSibling(PLACE))
            .filter(Files::isReadable)
            .findFirst();
    assumeThat(found).as("../" + PLACE + " beside the checkout").isPresent();
    return Files.readString(found.get());
  }

  private void write(String name, String text) throws Exception {
    Files.createDirectories(directory.resolve(name).getParent());
    Files.writeString(directory.resolve(name), text, StandardCharsets.UTF_8);
  }

  @Test
  void realHistoryTellsWhoRanWhatAndHowItEnded() throws Exception {
    write("2014/05/16/" + ID + "-1400251470231.jhist", history());

    TraceJob job = HistoryFiles.read(directory).jobs().get(0);

    assertThat(job.arrival().id()).isEqualTo(ID);
    assertThat(job.arrival().user()).isEqualTo("rushabhs");
    assertThat(job.arrival().queue()).isEqualTo("unfunded");
    assertThat(job.arrival().program()).isEqualTo("Fail job");
    assertThat(job.arrival().at()).isEqualTo(1400251470.231);
    assertThat(job.startedAt().orElseThrow()).isEqualTo(1400251475.763);
    assertThat(job.endedAt().orElseThrow()).isEqualTo(1400251500.181);
    assertThat(job.outcome()).contains(JobOutcome.FAILED);
    assertThat(job.requests().tasks()).isEqualTo(3);
    assertThat(job.requests().ram()).isEqualTo(Spread.UNKNOWN);
  }

  @Test
  void configurationBesideAHistoryTellsWhatTasksAskedFor() throws Exception {
    write("a.jhist", history());
    write(
        ID + "_conf.xml",
        "<configuration>"
            + "<property><name>mapreduce.map.memory.mb</name><value>1024</value></property>"
            + "<property><name>mapreduce.reduce.memory.mb</name><value>4096</value></property>"
            + "</configuration>");

    TraceJob job = HistoryFiles.read(directory).jobs().get(0);

    assertThat(job.requests().ram()).isEqualTo(Spread.of(1024, 2, 4096, 1));
    assertThat(job.requests().cpu()).isEqualTo(Spread.of(1, 2, 1, 1));
  }

  @Test
  void historiesThatEndInTheMiddleOrAreBadOrThereTwiceAreCounted() throws Exception {
    write("a.jhist", history());
    write("b.jhist", history());
    write("c.jhist", history().substring(0, history().indexOf("\"type\":\"JOB_FAILED\"")));
    write("d.jhist", "no history");
    write("e.jhist", "");
    WrittenJobs.nestedEvents(directory);

    JobTable table = HistoryFiles.read(directory);

    assertThat(table.jobs()).hasSize(1);
    assertThat(table.skipped().inWords()).contains("a job that was there before", "b.jhist");
    assertThat(table.skipped().inWords()).contains("4", "no complete history", "c.jhist");
  }

  @Test
  void directoryWithoutAHistoryIsNamed() {
    assertThatIOException()
        .isThrownBy(() -> HistoryFiles.read(directory))
        .withMessageContaining(directory.toString())
        .withMessageContaining("*.jhist");
  }
}
