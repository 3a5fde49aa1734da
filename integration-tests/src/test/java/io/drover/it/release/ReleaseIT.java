// SPDX-License-Identifier: Apache-2.0
package io.drover.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the tarball of a release holds. */
class ReleaseIT {
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  /** Where classes of Drover's are, and the adapters, which must be in Hadoop's own packages. */
  private static final Pattern FOR_CLUSTERS =
      Pattern.compile(
          "io/drover/(core|channel|speculator|appmaster|client|scheduler)/.*|org/apache/hadoop/.*"
              + "|META-INF/.*|io/|io/drover/|org/|org/apache/");

  @TempDir private static Path place;
  private static UnpackedRelease release;

  @BeforeAll
  static void unpack() throws Exception {
    release = UnpackedRelease.in(place);
  }

  @Test
  void theChecksumBesideItIsRight() throws Exception {
    Path tarball = release.tarball();
    String line = Files.readString(Path.of(tarball + ".sha512")).strip();

    assertThat(line).isEqualTo(sha512(tarball) + " *" + tarball.getFileName());
  }

  @Test
  void everythingThatAUserNeedsIsInIt() throws IOException {
    String version = release.directory().getFileName().toString().replace("drover-", "");

    assertThat(release.files())
        .contains(
            "drover-" + version + ".jar",
            "bin/drover",
            "bom.json",
            "conf/drover-default.xml",
            "conf/mapred-site-appmaster.xml",
            "conf/mapred-site.xml",
            "conf/yarn-site.xml",
            "docs/images/demo.png",
            "docs/upgrading.md",
            "lib/drover-cli-" + version + ".jar",
            "lib/drover-simulator-" + version + ".jar",
            "lib/drover-testbed-" + version + ".jar",
            "lib/hadoop-jdk17.args",
            "licenses/README.md",
            "licenses/uPlot.txt",
            "CHANGELOG.md",
            "LICENSE",
            "NOTICE",
            "README.md")
        .noneMatch(file -> file.contains("SNAPSHOT"));
    assertThat(release.directory().resolve("bin/drover")).isExecutable();
  }

  @Test
  void everyLinkOfItsPagesLeadsToAFile() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (String page : release.files()) {
      if (!page.endsWith(".md")) {
        continue;
      }
      Path file = release.directory().resolve(page);
      Matcher link = LINK.matcher(Files.readString(file));
      while (link.find()) {
        links++;
        if (!Files.exists(file.resolveSibling(link.group(1)))) {
          broken.add(page + ": " + link.group(1));
        }
      }
    }

    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(100);
  }

  @Test
  void theJarForClustersHoldsNoCommandLineAndNothingOfOthers() throws IOException {
    Path jar = release.directory().resolve(release.directory().getFileName() + ".jar");
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<String> names = zip.stream().map(ZipEntry::getName).toList();

      assertThat(names)
          .contains("io/drover/appmaster/DroverAppMaster.class")
          .contains("io/drover/scheduler/DroverCapacityScheduler.class")
          .contains("META-INF/LICENSE", "META-INF/NOTICE")
          .allMatch(name -> FOR_CLUSTERS.matcher(name).matches());
    }
  }

  /** A second version of a library on one class path is a source of errors that nobody can see. */
  @Test
  void nothingThatHadoopHasIsBundled() throws IOException {
    StandInHadoop hadoop = StandInHadoop.create(place.resolve("a hadoop"));
    Set<String> ofHadoop = new TreeSet<>();
    for (String part :
        List.of("common/lib", "common", "hdfs", "mapreduce", "yarn", "yarn/timelineservice")) {
      try (var files = Files.list(hadoop.part(part))) {
        files.forEach(file -> ofHadoop.add(artifact(file.getFileName().toString())));
      }
    }

    assertThat(ofHadoop).contains("slf4j-api", "jackson-databind", "commons-math3");
    assertThat(release.jars().keySet())
        .hasSizeGreaterThan(7)
        .noneMatch(j -> j.startsWith("hadoop"));
    assertThat(release.jars().keySet().stream().map(ReleaseIT::artifact))
        .doesNotContainAnyElementsOf(ofHadoop);
  }

  @Test
  void theBillOfMaterialsAndTheLicencesNameEveryJar() throws Exception {
    JsonNode bill = new ObjectMapper().readTree(release.directory().resolve("bom.json").toFile());
    String licences = Files.readString(release.directory().resolve("licenses/README.md"));
    Set<String> hashes = new TreeSet<>(bill.findValuesAsText("content"));
    List<String> packages = bill.get("components").findValuesAsText("purl");

    assertThat(bill.get("bomFormat").asText()).isEqualTo("CycloneDX");
    for (Map.Entry<String, Path> jar : release.jars().entrySet()) {
      assertThat(hashes).as("%s in bom.json", jar.getKey()).contains(sha512(jar.getValue()));
      String library = artifact(jar.getKey()).replaceFirst("^jline-.*", "jline");
      if (!jar.getKey().startsWith("drover-")) {
        assertThat(licences).as("licenses/README.md").contains("`lib/" + library + "-*.jar`");
      }
    }
    // What is inside of jars.
    assertThat(packages)
        .anyMatch(name -> name.startsWith("pkg:maven/io.drover/drover-core@"))
        .anyMatch(name -> name.startsWith("pkg:npm/uplot@"))
        .noneMatch(name -> name.contains("org.apache.hadoop"));
  }

  /** Returns a jar's name without its version. */
  private static String artifact(String jar) {
    return jar.replaceFirst("-[0-9].*", "");
  }

  private static String sha512(Path file) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-512");
    return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
  }
}
