// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import io.drover.testbed.host.Host;
import io.drover.testbed.job.RunListener;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kills the AppMaster of a job once, at the moment that its mix says. */
final class DyingAppMaster implements RunListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DyingAppMaster.class);

  /** If no worker came, it dies now, as {@link Moment#MAPS}. */
  private static final double REDUCES = 0.3;

  /** A copy takes about this long, and its AppMaster must die before it has heard of it. */
  private static final long PAUSE_MILLIS = 10;

  private static final Pattern REDUCE = Pattern.compile("attempt_\\d+_\\d+_r_0*(\\d+)_\\d+");

  private final DroverCluster cluster;
  private final OutputMix mix;
  private final List<Path> localFiles = new ArrayList<>();
  private final Thread watch = new Thread(this::watchCopies, "drover-dying-app-master");
  private String jobId = "";
  private volatile OptionalLong pid = OptionalLong.empty();
  private Optional<Moment> died = Optional.empty();

  /** When it dies. */
  enum Moment {
    /** When so much of the maps is done. */
    MAPS,
    /** When a worker that is to make replicas has begun. */
    WORKER,
    /** When the worker has begun to copy the first output: before anybody hears of the replica. */
    COPY
  }

  DyingAppMaster(DroverCluster cluster, OutputMix mix) {
    this.cluster = cluster;
    this.mix = mix;
    watch.setDaemon(true);
  }

  @Override
  public void submitted(String id) {
    jobId = id;
    if (mix.death().equals(Optional.of(Moment.COPY))) {
      // Now, as the disks of a host whose NodeManager is gone cannot be found any more.
      cluster.liveHosts().stream()
          .map(Host::name)
          .map(cluster::localFiles)
          .forEach(localFiles::add);
      watch.start();
    }
  }

  @Override
  public void progress(JobProgress job) throws IOException {
    if (mix.death().isEmpty() || died().isPresent()) {
      return;
    }
    List<LiveContainer> containers =
        cluster.liveContainers().stream().filter(container -> container.isOf(jobId)).toList();
    pid =
        containers.stream()
            .filter(container -> container.attemptId().isEmpty())
            .mapToLong(LiveContainer::pid)
            .findFirst();
    Moment moment = mix.death().get();
    if (moment == Moment.MAPS && job.maps() >= mix.deathAt()) {
      kill(Moment.MAPS);
    } else if (moment == Moment.WORKER && containers.stream().anyMatch(this::isWorker)) {
      kill(Moment.WORKER);
    } else if (job.reduces() >= REDUCES) {
      kill(Moment.MAPS);
    }
  }

  /** A worker has the id of a reduce that the job does not have. */
  private boolean isWorker(LiveContainer container) {
    Matcher reduce = REDUCE.matcher(container.attemptId().orElse(""));
    return reduce.matches() && Integer.parseInt(reduce.group(1)) >= mix.spec().reduces();
  }

  private synchronized void kill(Moment moment) {
    pid.stream()
        .mapToObj(ProcessHandle::of)
        .flatMap(Optional::stream)
        .filter(ProcessHandle::destroyForcibly)
        .forEach(process -> died = died.or(() -> Optional.of(moment)));
  }

  /** Returns at which moment it died; empty if it did not. */
  synchronized Optional<Moment> died() {
    return died;
  }

  private void watchCopies() {
    try {
      while (died().isEmpty()) {
        if (isCopied(localFiles, jobId.replace("job_", "application_"))) {
          kill(Moment.COPY);
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (IOException e) {
      LOG.warn("Copies are not watched any more", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns whether an output of an application is on two hosts, or about to be: the directory of
   * an attempt is where the attempt ran, and where a replica is made.
   *
   * @param localFiles the directories of the hosts' local files
   */
  static boolean isCopied(List<Path> localFiles, String application) throws IOException {
    Set<String> outputs = new HashSet<>();
    for (Path files : localFiles) {
      for (Path user : in(files.resolve("usercache"))) {
        for (Path output : in(user.resolve("appcache").resolve(application).resolve("output"))) {
          if (!outputs.add(output.getFileName().toString())) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Returns what is in a directory; nothing if it is not there, or gone with its host. */
  private static List<Path> in(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      entries.forEach(found::add);
    } catch (NoSuchFileException | DirectoryIteratorException e) {
      return List.of();
    }
    return found;
  }

  @Override
  public void close() {
    watch.interrupt();
  }
}
