// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;
import org.w3c.dom.NodeList;

/** The page on Hadoop's settings has all of them, once, and the tests that it names. */
class HadoopSettingsPageTest {
  /** Surefire tells where the module is; tests work in a directory below it. */
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();

  private static final Path PAGE = ROOT.resolve("docs/hadoop-settings.md");
  private static final String UNCHANGING = "## Settings that change none of this";

  /** The keys that can change scheduling, attempts or failures begin so. */
  private static final List<String> PREFIXES =
      List.of(
          "mapreduce.job.",
          "mapreduce.map.",
          "mapreduce.reduce.",
          "mapreduce.task.",
          "mapreduce.am.",
          "mapreduce.fileoutputcommitter.",
          "mapreduce.outputcommitter.",
          "yarn.app.mapreduce.am.");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST = Pattern.compile("(\\w+(?:Test|IT))(?:\\.(\\w+))?");

  /** A row of a table: the keys, and what shows that it is true. */
  private record Row(String keys, String hadoop, String drover, String evidence) {
    static Row of(String line) {
      String[] cells = line.split("\\s*\\|\\s*", -1);
      assertThat(cells).as("cells of %s", line).hasSize(6); // with the empty ones at both ends
      return new Row(cells[1], cells[2], cells[3], cells[4]);
    }
  }

  private static List<String> code(String text) {
    return CODE.matcher(text).results().map(code -> code.group(1)).toList();
  }

  private static List<Row> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.startsWith("| `"))
        .map(Row::of)
        .toList();
  }

  private static List<String> unchanging() throws IOException {
    String page = Files.readString(PAGE);
    return code(page.substring(page.indexOf(UNCHANGING)));
  }

  /** All that the page has, in the tables or in the list. */
  private static List<String> keys() throws IOException {
    List<String> keys = new ArrayList<>(unchanging());
    rows().forEach(row -> keys.addAll(code(row.keys())));
    return keys;
  }

  private static boolean concerns(String key) {
    return PREFIXES.stream().anyMatch(key::startsWith) && !PREFIXES.contains(key);
  }

  /** As {@code mapred-default.xml} and {@code MRJobConfig} have them; a prefix ends in a dot. */
  private static SortedSet<String> hadoopsKeys() throws Exception {
    SortedSet<String> keys = new TreeSet<>();
    // not by way of a Configuration, which leaves out keys without a value
    try (InputStream defaults =
        MRJobConfig.class.getClassLoader().getResourceAsStream("mapred-default.xml")) {
      NodeList names =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(defaults)
              .getElementsByTagName("name");
      for (int i = 0; i < names.getLength(); i++) {
        keys.add(names.item(i).getTextContent().trim());
      }
    }
    for (Field field : MRJobConfig.class.getFields()) {
      if (field.getType() == String.class && field.get(null) != null) {
        keys.add((String) field.get(null));
      }
    }
    keys.removeIf(Predicate.not(HadoopSettingsPageTest::concerns));
    return keys;
  }

  private static Predicate<String> isThere(List<String> page) {
    return key ->
        page.contains(key)
            || page.stream()
                .filter(there -> there.endsWith("*"))
                .anyMatch(there -> key.startsWith(begin(there)));
  }

  @Test
  void eachOfHadoopsKeysIsOnThePage() throws Exception {
    SortedSet<String> hadoops = hadoopsKeys();
    assertThat(hadoops).as("as many as Hadoop 3.5.0 has, or more").hasSizeGreaterThan(240);
    assertThat(hadoops).allMatch(isThere(keys()), "is on the page");
  }

  @Test
  void pageHasNoKeyTwiceAndNoneThatHadoopDoesNotHave() throws Exception {
    assertThat(keys()).doesNotHaveDuplicates();
    SortedSet<String> hadoops = hadoopsKeys();
    assertThat(keys())
        .allMatch(
            key ->
                key.endsWith("*")
                    ? hadoops.stream().anyMatch(has -> has.startsWith(begin(key)))
                    : hadoops.contains(key),
            "Hadoop has it");
  }

  /** What all keys have in common that a * stands for. */
  private static String begin(String key) {
    return key.substring(0, key.length() - 1);
  }

  @Test
  void eachRowSaysAllAndNamesWhatShowsIt() throws Exception {
    assertThat(rows())
        .isNotEmpty()
        .allSatisfy(
            row -> {
              assertThat(row.hadoop()).as(row.keys()).isNotBlank();
              assertThat(row.drover()).as(row.keys()).isNotBlank();
              boolean isHadoops = row.evidence().contains("as Hadoop: ");
              assertThat(isHadoops || TEST.matcher(row.evidence()).find()).as(row.keys()).isTrue();
            });
  }

  @Test
  void eachTestThatIsNamedIsThere() throws Exception {
    String page = Files.readString(PAGE);
    List<MatchResult> named =
        code(page).stream()
            .filter(code -> TEST.matcher(code).matches())
            .map(code -> TEST.matcher(code).results().findFirst().orElseThrow())
            .toList();
    assertThat(named).hasSizeGreaterThan(20);
    for (MatchResult test : named) {
      String source = Files.readString(source(test.group(1) + ".java"));
      if (test.group(2) != null) {
        assertThat(source).as("%s", test.group()).contains("void " + test.group(2) + "(");
      }
    }
  }

  /** The source of a test class, in whatever module it is. */
  private static Path source(String file) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path tests : modules.map(module -> module.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            files.filter(path -> path.endsWith(file)).forEach(found::add);
          }
        }
      }
    }
    assertThat(found).as(file).hasSize(1);
    return found.get(0);
  }

  @Test
  void listOfThoseThatChangeNothingIsSorted() throws Exception {
    String page = Files.readString(PAGE);
    String[] groups = page.substring(page.indexOf(UNCHANGING)).split("\n\\* ");
    assertThat(groups).hasSizeGreaterThan(2);
    Arrays.stream(groups).map(HadoopSettingsPageTest::code).forEach(g -> assertThat(g).isSorted());
  }
}
