// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleDirectoriesTest {
  /** No Linux gives a process such an id. */
  private static final String DEAD = "999999999 0";

  @TempDir private Path directory;
  private Path base;
  private Path elsewhere;

  @BeforeEach
  void make() throws IOException {
    base = Files.createDirectory(directory.toRealPath().resolve("base"));
    elsewhere = Files.createDirectory(directory.toRealPath().resolve("elsewhere"));
  }

  private Path ofOwner(String name, String owner, String permissions) throws IOException {
    Path made = Files.createDirectory(base.resolve("drover-cluster-" + name));
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(permissions));
    Files.writeString(made.resolve("owner"), owner);
    Files.createDirectories(made.resolve("hosts/n1"));
    return made;
  }

  private Path abandoned(String name) throws IOException {
    return ofOwner(name, DEAD, "rwx------");
  }

  private void remove() throws IOException, InterruptedException {
    StaleDirectories.remove(base, Files.getOwner(base));
  }

  @Test
  void onlyDirectoriesOfDeadOwnersAreRemoved() throws IOException, InterruptedException {
    Path dead = abandoned("a");
    Path other = Files.createDirectory(base.resolve("other"));
    Layout living = StaleDirectories.newDirectory(base);

    StaleDirectories.removeBeside(living);

    assertThat(dead).doesNotExist();
    assertThat(other).exists();
    assertThat(living.owner()).exists();
  }

  @Test
  void linkIsNotFollowed() throws IOException, InterruptedException {
    Files.writeString(elsewhere.resolve("owner"), DEAD);
    Path link = Files.createSymbolicLink(base.resolve("drover-cluster-a"), elsewhere);

    remove();

    assertThat(link).isSymbolicLink();
    assertThat(elsewhere.resolve("owner")).exists();
  }

  @Test
  void linkInsideGoesAndItsTargetStays() throws IOException, InterruptedException {
    Path kept = Files.createFile(elsewhere.resolve("kept"));
    Path dead = abandoned("a");
    Files.createSymbolicLink(dead.resolve("hosts/n2"), elsewhere);

    remove();

    assertThat(dead).doesNotExist();
    assertThat(kept).exists();
  }

  @Test
  void directoryOfAnotherUserIsLeftAlone() throws IOException, InterruptedException {
    Path theirs = abandoned("a");
    UserPrincipal other =
        base.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("54321");

    StaleDirectories.remove(base, other);

    assertThat(theirs.resolve("owner")).exists();
  }

  @Test
  void directoryThatOthersCanChangeIsLeftAlone() throws IOException, InterruptedException {
    Path open = ofOwner("a", DEAD, "rwxrwxrwx");

    remove();

    assertThat(open.resolve("owner")).exists();
  }

  @Test
  void oddEntriesKeepNoOtherFromBeingRemoved() throws IOException, InterruptedException {
    Files.createSymbolicLink(base.resolve("drover-cluster-a"), base.resolve("nothing"));
    Files.createFile(base.resolve("drover-cluster-b"));
    Path unreadable = Files.createDirectory(base.resolve("drover-cluster-c"));
    Files.createDirectory(unreadable.resolve("owner"));
    ofOwner("d", "garbage 0", "rwx------");
    ofOwner("e", "", "rwx------");
    Files.createDirectory(base.resolve("drover-cluster-f"));
    Path last = abandoned("z");

    remove();

    assertThat(last).doesNotExist();
    try (var left = Files.list(base)) {
      assertThat(left).hasSize(6);
    }
  }

  @Test
  void directoryIsNotAbandonedBecauseTheClockWasSet() throws IOException, InterruptedException {
    Layout living = StaleDirectories.newDirectory(base);
    String[] owner = Files.readString(living.owner()).split(" ");
    long start = Long.parseLong(owner[1]);
    Files.writeString(living.owner(), owner[0] + " " + (start - 60_000));
    Path reused = ofOwner("b", owner[0] + " " + (start - 86_400_000), "rwx------");

    remove();

    assertThat(living.owner()).exists();
    assertThat(reused).as("the id is that of another process now").doesNotExist();
  }

  @Test
  void directoryThatHasHadNoOwnerForLongIsRemoved() throws IOException, InterruptedException {
    Path fresh = Files.createDirectory(base.resolve("drover-cluster-a"));
    Path old = Files.createDirectory(base.resolve("drover-cluster-b"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));

    remove();

    assertThat(fresh).exists();
    assertThat(old).doesNotExist();
  }

  @Test
  void baseThatIsGoneIsNoError() throws IOException, InterruptedException {
    StaleDirectories.remove(base.resolve("gone"), Files.getOwner(base));

    assertThat(base).isEmptyDirectory();
  }
}
