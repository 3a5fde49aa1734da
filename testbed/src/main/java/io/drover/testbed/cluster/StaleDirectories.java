// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the directories of clusters, and removes those of dead owners. Usually a cluster's
 * daemons remove its directory, but they cannot if all of them were killed at once.
 *
 * <p>Every user can write to the base directory, which is the temporary one by default. So nothing
 * is believed of an entry that another user may have made or changed: it is left alone.
 */
final class StaleDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(StaleDirectories.class);
  private static final String PREFIX = "drover-cluster-";
  private static final Duration KILL_LIMIT = Duration.ofSeconds(20);

  /** After this, a directory without an owner is neither just made nor about to go. */
  private static final Duration ABOUT_TO_GO = Duration.ofHours(1);

  /** By how much a process's start time may differ: it moves when the system's clock is set. */
  private static final Duration CLOCK_STEP = Duration.ofMinutes(10);

  private static final Set<PosixFilePermission> OTHERS_CHANGE_IT =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  private StaleDirectories() {}

  /** Creates a directory that names its owner. */
  static Layout newDirectory(Path base) throws IOException {
    Files.createDirectories(base);
    Layout layout = new Layout(Files.createTempDirectory(base, PREFIX).toRealPath());
    Files.writeString(layout.owner(), identity(ProcessHandle.current()));
    return layout;
  }

  /** Removes the directories beside a new one that belong to the same user and have dead owners. */
  static void removeBeside(Layout own) throws IOException, InterruptedException {
    remove(own.root().getParent(), Files.getOwner(own.root()));
  }

  /**
   * Removes a user's directories of dead owners. One that cannot be removed is left there.
   *
   * @param base the directory that they are in, without symbolic links
   */
  static void remove(Path base, UserPrincipal user) throws InterruptedException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(base, PREFIX + "*")) {
      for (Path entry : entries) {
        removeIfAbandoned(entry, user);
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.warn("Directories of dead owners may be left in {}", base, e);
    }
  }

  private static void removeIfAbandoned(Path entry, UserPrincipal user)
      throws InterruptedException {
    try {
      if (isDirectoryOf(user, entry) && isAbandoned(new Layout(entry))) {
        LOG.info("Removing {}: its owner is gone", entry);
        Processes.killUnder(entry, KILL_LIMIT);
        Layout.delete(entry);
      }
    } catch (IOException e) { // another cluster that starts may be removing it as well
      LOG.warn("{} is left alone", entry, e);
    }
  }

  /** Returns whether an entry is a directory and no link, and only that user can change it. */
  private static boolean isDirectoryOf(UserPrincipal user, Path entry) throws IOException {
    PosixFileAttributes found =
        Files.readAttributes(entry, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return found.isDirectory()
        && found.owner().equals(user)
        && Collections.disjoint(found.permissions(), OTHERS_CHANGE_IT);
  }

  private static boolean isAbandoned(Layout layout) throws IOException {
    try {
      String owner = Files.readString(layout.owner());
      int space = owner.indexOf(' ');
      if (space < 0) {
        return false; // its owner is about to write it
      }
      Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(owner.substring(0, space)));
      long began = Long.parseLong(owner.substring(space + 1));
      return process.isEmpty() || Math.abs(began - start(process.get())) > CLOCK_STEP.toMillis();
    } catch (NoSuchFileException e) { // just made, or about to go, or left when it was removed
      FileTime changed = Files.getLastModifiedTime(layout.root());
      return changed.toInstant().isBefore(Instant.now().minus(ABOUT_TO_GO));
    } catch (NumberFormatException e) {
      return false; // no cluster has written that
    }
  }

  /** Returns a process's id and start time, because the system reuses process ids. */
  private static String identity(ProcessHandle process) {
    return process.pid() + " " + start(process);
  }

  private static long start(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }
}
