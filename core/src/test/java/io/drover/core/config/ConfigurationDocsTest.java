// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

import static io.drover.core.config.ClusterSettings.STATISTICS_DIR;
import static io.drover.core.config.ClusterSettings.STATISTICS_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that the shipped defaults file and the table in the documentation match the declarations.
 * {@code mvn test -pl core -Dtest=ConfigurationDocsTest -Ddrover.docs=write} rewrites both.
 */
class ConfigurationDocsTest {
  /** The files that are generated from the declarations. */
  enum Page {
    DEFAULTS("conf/drover-default.xml") {
      @Override
      String text() {
        StringBuilder xml = new StringBuilder();
        xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append("<!-- SPDX-License-Identifier: Apache-2.0 -->\n");
        xml.append(
            "<!-- Made from the declarations in io.drover.core.config; a test keeps them equal.\n");
        xml.append("     Nothing here needs to be set: these are the values in force. -->\n");
        xml.append("<configuration>\n");
        List<Setting<?>> all = new ArrayList<>(JobSettings.ALL);
        all.addAll(ADMINISTRATORS);
        for (Setting<?> s : all) {
          xml.append("  <property>\n    <name>").append(s.key()).append("</name>\n");
          xml.append("    <value>").append(escape(s.defaultText())).append("</value>\n");
          xml.append("    <description>").append(escape(s.meaning())).append(" Allowed: ");
          xml.append(escape(s.allowed())).append(".</description>\n  </property>\n");
        }
        return xml.append("</configuration>\n").toString();
      }
    },
    TABLE("docs/configuration.md") {
      @Override
      String text() {
        StringBuilder md = new StringBuilder();
        md.append("# Configuration\n\n");
        md.append("A job's settings go into `mapred-site.xml` or onto the command line of the job");
        md.append(" (`-Dkey=value`).\nAn unknown key under `").append(JobSettings.PREFIX);
        md.append("`, or a value that is not allowed, turns Drover off for that job:\n");
        md.append("the AppMaster's log and the job's diagnostics name the key, the value and what");
        md.append(" is allowed,\nand the job runs with stock speculation.\n\n");
        table(md, JobSettings.ALL);
        md.append(
            "\n`bin/drover doctor` says what a configuration gives ([doctor.md](doctor.md)).");
        md.append(
            " To see that a job has it:\nits AppMaster's log has a line with `Drover: restart");
        md.append(" mode`, and with `mapreduce.drover.restart.mode=observe`\nits decision log");
        md.append(" shows `\"mode\":\"observe\"` ([decision-log.md](decision-log.md)).\n");
        md.append("\n## The administrator's\n\n");
        md.append("In `yarn-site.xml` of every machine, or in the ResourceManagers'");
        md.append(" `capacity-scheduler.xml`: what stands\nthere is read anew by `yarn rmadmin");
        md.append(" -refreshQueues`, but for\n`").append(STATISTICS_WINDOW.key());
        md.append("`, `").append(STATISTICS_DIR.key()).append("` and `");
        md.append(PredictionSettings.DIR.key());
        md.append("`, which\nhold until a ResourceManager becomes active anew, and of the channel");
        md.append(" the period only. A key");
        md.append(" under `").append(ClusterSettings.PREFIX).append("` that is\nnot known, or a");
        md.append(" value that is not allowed, is refused with the key, the value and what is");
        md.append(" allowed: when a\nResourceManager becomes active all of Drover is off in it");
        md.append(" ([scheduler.md](scheduler.md#limits)),\nlater the old");
        md.append(" settings stay. No job can change them.\n\n");
        table(md, ADMINISTRATORS);
        md.append("\nTo see that they are in force: [scheduler.md](scheduler.md).\n");
        return md.toString();
      }

      private void table(StringBuilder md, List<Setting<?>> settings) {
        md.append(
            "| key | type | default | allowed | meaning |\n| --- | --- | --- | --- | --- |\n");
        for (Setting<?> s : settings) {
          String byDefault = s.defaultText().isEmpty() ? "" : "`" + s.defaultText() + "`";
          md.append("| `").append(s.key()).append("` | ").append(s.type()).append(" | ");
          md.append(byDefault.replace(",", "`, `")).append(" | ").append(s.allowed());
          md.append(" | ").append(s.meaning()).append(" |\n");
        }
      }
    };

    private static final List<Setting<?>> ADMINISTRATORS =
        Stream.concat(ClusterSettings.ALL.stream(), ChannelSettings.ALL.stream()).toList();

    private final String file;

    Page(String file) {
      this.file = file;
    }

    abstract String text();

    private static String escape(String text) {
      return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
  }

  @ParameterizedTest
  @EnumSource
  void pageSaysWhatTheDeclarationsSay(Page page) throws IOException {
    Path file = Path.of("..").resolve(page.file);
    if ("write".equals(System.getProperty("drover.docs"))) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, page.text());
    }
    assertThat(file).hasContent(page.text());
  }

  /** Whoever only wants to watch must not find a part switched on. */
  @Test
  void fragmentWatchesWithAllPartsButSampling() throws IOException {
    String fragment = Files.readString(Path.of("..", "conf", "mapred-site-appmaster.xml"));
    List<String> modes =
        JobSettings.ALL.stream()
            .map(Setting::key)
            .filter(key -> key.endsWith(".mode") && !key.contains(".sample."))
            .toList();
    assertThat(modes)
        .hasSizeGreaterThan(5)
        .allSatisfy(
            key ->
                assertThat(fragment)
                    .containsPattern("<name>" + key + "</name>\\s*<value>observe</value>"));
  }
}
