// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import io.drover.core.check.Checks;
import io.drover.core.check.Finding;
import io.drover.core.config.ClusterSettings;
import io.drover.core.config.JobSettings;
import io.drover.core.config.PredictionSettings;
import io.drover.core.config.Setting;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/** Checks the directories that Drover writes to. */
final class DirectoryChecks {
  private static final String SILENT = "Start the file system, or run this where it can be reached";

  private static final String REFUSED =
      "Run this as a user who may look there, such as the ResourceManager's (with Kerberos, after"
          + " kinit)";

  private final SiteFiles files;
  private final boolean isOffline;
  private final Duration patience;

  /**
   * Creates the checks.
   *
   * @param isOffline whether only this machine's own disks may be looked at
   * @param patience how long a file system may take to tell of a directory
   */
  DirectoryChecks(SiteFiles files, boolean isOffline, Duration patience) {
    this.files = files;
    this.isOffline = isOffline;
    this.patience = patience;
  }

  Checks all() {
    return new Checks()
        .add("dir.decision-log", found -> check(JobSettings.DECISION_LOG_DIR, true, found))
        .add("dir.statistics", found -> check(ClusterSettings.STATISTICS_DIR, false, found))
        .add("dir.prediction", found -> check(PredictionSettings.DIR, false, found));
  }

  /**
   * Checks a directory.
   *
   * @param forAll whether every user's AppMaster writes there, and not only the ResourceManager
   */
  private void check(Setting<String> setting, boolean forAll, Consumer<Finding> found)
      throws IOException {
    Configuration settings = forAll ? files.jobs() : files.resourceManagers();
    Configuration conf = forAll ? files.jobs() : files.fileSystems();
    String text = settings.getTrimmed(setting.key(), "");
    if (text.isEmpty()) {
      return;
    }
    Path directory = new Path(text);
    URI fileSystem =
        directory.toUri().getScheme() == null ? FileSystem.getDefaultUri(conf) : directory.toUri();
    if (isOffline && !"file".equals(fileSystem.getScheme())) {
      found.accept(
          Finding.ok(
              "dir.unknown", setting.key() + " is " + text + ", which is not looked at offline"));
      return;
    }
    UserGroupInformation.setConfiguration(conf); // whether there is Kerberos
    ExecutorService thread = Executors.newSingleThreadExecutor(DirectoryChecks::daemon);
    try {
      Future<Finding> finding =
          thread.submit(() -> look(directory, impatient(conf), setting, forAll));
      found.accept(finding.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      String why = "no answer within " + patience.toSeconds() + " s";
      found.accept(unknown(setting, text, why, SILENT));
    } catch (ExecutionException e) {
      String why = String.valueOf(e.getCause().getMessage());
      found.accept(unknown(setting, text, why, isRefused(e) ? REFUSED : SILENT));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + text + " was looked at");
    } finally {
      thread.shutdownNow();
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "directories");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns whether the file system has answered, but not to this user. */
  private static boolean isRefused(Throwable failure) {
    return failure instanceof AccessControlException
        || (failure.getCause() != null && isRefused(failure.getCause()));
  }

  private static Finding unknown(Setting<String> setting, String text, String why, String advice) {
    return Finding.warn(
        "dir.unknown",
        setting.key()
            + " is "
            + text
            + ", which cannot be looked at: "
            + why.lines().findFirst().orElse(""),
        advice,
        setting.key());
  }

  /** By default clients of HDFS try for many minutes. */
  private static Configuration impatient(Configuration conf) {
    Configuration impatient = new Configuration(conf);
    impatient.setInt("ipc.client.connect.max.retries", 1);
    impatient.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    impatient.setInt("ipc.client.connect.timeout", 3_000);
    impatient.setInt("dfs.client.failover.max.attempts", 2);
    return impatient;
  }

  /**
   * Looks at a directory, or at the one in which it would be made.
   *
   * @param forAll as in {@link #check}
   */
  private static Finding look(
      Path directory, Configuration conf, Setting<String> setting, boolean forAll)
      throws IOException {
    try (FileSystem fs = FileSystem.newInstance(directory.toUri(), conf)) {
      Path whole = fs.makeQualified(directory);
      FileStatus status = nearest(fs, whole);
      boolean isThere = status.getPath().equals(whole);
      String is = setting.key() + " is " + directory;
      String place = status.getPath().toUri().getPath();
      if (!status.isDirectory()) {
        return Finding.wrong(
            "dir.unusable",
            is + ", and " + place + " is a file",
            "Name a directory",
            setting.key());
      }
      Optional<FileStatus> closed = closed(fs, status);
      boolean isOpen = closed.isEmpty() && isFor(status, FsAction.WRITE_EXECUTE);
      String whose = text(status) + closed.map(above -> " in " + text(above)).orElse("");
      return forAll
          ? ofJobs(is, isThere, isOpen, whose, setting.key())
          : ofManagers(is, isThere, isOpen, whose, setting.key());
    }
  }

  private static boolean isFor(FileStatus directory, FsAction others) {
    return directory.getPermission().getOtherAction().implies(others);
  }

  private static String text(FileStatus status) {
    String place = status.getPath().toUri().getPath();
    return place + " (" + status.getPermission() + ", of " + status.getOwner() + ")";
  }

  /** Returns the nearest directory above another through which other users cannot go. */
  private static Optional<FileStatus> closed(FileSystem fs, FileStatus directory)
      throws IOException {
    for (Path above = directory.getPath().getParent(); above != null; above = above.getParent()) {
      FileStatus status = fs.getFileStatus(above);
      if (!isFor(status, FsAction.EXECUTE)) {
        return Optional.of(status);
      }
    }
    return Optional.empty();
  }

  private static Finding ofJobs(
      String is, boolean isThere, boolean isOpen, String whose, String key) {
    return isOpen
        ? Finding.ok("dir.usable", is + "; every user can write to " + whose, key)
        : Finding.warn(
            isThere ? "dir.permissions" : "dir.missing",
            is
                + (isThere ? "" : ", which does not exist")
                + ": only some users can write to "
                + whose
                + ", and the logs of other users' jobs are lost",
            "`hadoop fs -mkdir -p` it, and `hadoop fs -chmod 1777` it and o+x what is above it",
            key);
  }

  private static Finding ofManagers(
      String is, boolean isThere, boolean isOpen, String whose, String key) {
    if (!isThere) {
      return Finding.warn(
          "dir.missing",
          is + ", which does not exist; the ResourceManager would have to make it in " + whose,
          "Make it, and give it to the ResourceManager's user",
          key);
    }
    return isOpen
        ? Finding.warn(
            "dir.open",
            is + ": every user can write to " + whose + ", and what is there is believed",
            "Let only the ResourceManager's user write there",
            key)
        : Finding.ok("dir.usable", is + "; it is there: " + whose, key);
  }

  /** Returns a directory, or else the nearest one above it that exists. */
  private static FileStatus nearest(FileSystem fs, Path directory) throws IOException {
    try {
      return fs.getFileStatus(directory);
    } catch (FileNotFoundException e) {
      if (directory.isRoot()) {
        throw e;
      }
      return nearest(fs, directory.getParent());
    }
  }
}
