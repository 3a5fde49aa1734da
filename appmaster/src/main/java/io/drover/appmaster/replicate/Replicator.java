// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.replicate;

import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.UserThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has replicas made by workers, which are containers of the job ({@link ReplicaWorker}). A worker
 * makes the replicas of many outputs, all on its own node, one after the other. There are at most
 * {@value #MOST_IN_RACK} in a rack, so that each output of the rack finds one on another node, and
 * at most {@value #MOST} in all. A worker that has nothing to do for a while ends.
 *
 * <p><b>Ids.</b> A worker calls the AppMaster under an id like a reduce's, with a number that no
 * reduce of the job has. Nothing of Hadoop's knows it: it counts as no attempt and no failure.
 *
 * <p><b>No order is lost.</b> Each order ends in exactly one call of its listener: with the
 * worker's report, or as failed when its worker gets no container or is not heard of for {@link
 * #PATIENCE}. What a worker says later about it is ignored.
 *
 * <p>Any thread may call this. Workers are launched on threads of its own, which may wait for
 * nodes. They end when they have nothing to do, or with the AppMaster.
 */
public final class Replicator {
  /** The most workers in one rack: the outputs on the node of the first one need a second one. */
  static final int MOST_IN_RACK = 2;

  /** The most workers of a job. */
  static final int MOST = 20;

  /** How long a worker may wait for its container, or not be heard of while it has orders. */
  static final Duration PATIENCE = Duration.ofSeconds(90);

  /** The most orders that wait for one worker: what is ordered is not thought over again. */
  static final int MOST_OPEN = 20;

  /** How long the orders that wait for one worker may take. */
  private static final double MOST_OPEN_SECONDS = 20;

  /** How much slower than at the full rate a copy may come. */
  private static final double SLOWER = 10;

  /** How long a worker without orders is kept. */
  static final Duration IDLE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(Replicator.class);

  /**
   * An output to replicate.
   *
   * @param output the attempt that made it
   * @param host where it is
   * @param address where it is served, such as {@code http://host:13562}
   * @param bytes its size
   * @param rack the rack in which the replica is to be
   * @param near some hosts of this rack on which it may be
   */
  public record Order(
      TaskAttemptId output,
      String host,
      String address,
      long bytes,
      String rack,
      List<String> near) {}

  /**
   * A replica that was made.
   *
   * @param host where it is
   * @param address where it is served
   * @param bytes its size
   * @param seconds how long it took
   */
  public record Made(String host, String address, long bytes, double seconds) {}

  /** Is told what has become of an order, on any thread; it must only enqueue. */
  public interface Listener {
    /** A replica was made, as its worker says. */
    void made(Order order, Made replica);

    /**
     * No replica was made, or it is not known whether.
     *
     * @param isBegun whether some of it may have been copied
     */
    void failed(Order order, boolean isBegun, String why);
  }

  private record Pending(Order order, Listener listener) {}

  /** Starts workers in containers. */
  public interface Launcher {
    /** Returns whether workers can be started by now. */
    boolean isReady();

    /**
     * Starts a worker; may wait for the node.
     *
     * @return the address of the node's ShuffleHandler
     */
    String launch(TaskAttemptId worker, Container container) throws Exception;
  }

  /**
   * A container that is wanted.
   *
   * @param worker for whom
   * @param rack where
   * @param hosts the hosts of the rack that are known to be good
   * @param notOn the host on which it would be of no use
   */
  public record Wanted(TaskAttemptId worker, String rack, List<String> hosts, String notOn) {}

  private final class Worker {
    private final TaskAttemptId id;
    private final String rack;
    private final List<String> hosts;
    private final String notOn;
    private final List<TaskCompletionEvent> events = new ArrayList<>();
    private final Map<TaskAttemptId, Pending> open = new LinkedHashMap<>();
    private Container container;
    private String address;
    private boolean hasCalled;

    /** Whether others are only started if this one works. */
    private boolean isTrial;

    private long heardAt = nanos.getAsLong();
    private long progressAt = heardAt;

    Worker(TaskAttemptId id, Order first) {
      this.id = id;
      this.rack = first.rack();
      this.hosts = List.copyOf(first.near());
      this.notOn = first.host();
    }

    boolean canTake(Order order) {
      boolean isBusy = open.size() >= MOST_OPEN || seconds(openBytes()) > MOST_OPEN_SECONDS;
      boolean isElsewhere =
          container == null ? notOn.equals(order.host()) : !node().getHost().equals(order.host());
      boolean isGood = container == null || !avoided.contains(node().getHost());
      return rack.equals(order.rack()) && isElsewhere && isGood && !isBusy;
    }

    private long openBytes() {
      return open.values().stream().mapToLong(pending -> pending.order.bytes()).sum();
    }

    void take(Order order, Listener listener) {
      if (open.isEmpty()) {
        gotOn();
      }
      open.put(order.output(), new Pending(order, listener));
      events.add(
          new TaskCompletionEvent(
              events.size(),
              TypeConverter.fromYarn(order.output()),
              order.output().getTaskId().getId(),
              true,
              TaskCompletionEvent.Status.SUCCEEDED,
              order.address()));
    }

    void gotOn() {
      heardAt = nanos.getAsLong();
      progressAt = heardAt;
    }

    NodeId node() {
      return container.getNodeId();
    }

    /** A worker that calls but does not get on is overdue too. */
    boolean isOverdue() {
      double silent = (nanos.getAsLong() - heardAt) / 1e9;
      double stuck = (nanos.getAsLong() - progressAt) / 1e9;
      if (open.isEmpty() && container != null) {
        return silent > IDLE.toSeconds();
      }
      long next = open.values().stream().findFirst().map(one -> one.order.bytes()).orElse(0L);
      return silent > PATIENCE.toSeconds() || stuck > PATIENCE.toSeconds() + SLOWER * seconds(next);
    }
  }

  private final Supplier<JobId> job;
  private final int reduces;
  private final double bytesPerSecond;
  private final Launcher launcher;
  private final LongSupplier nanos;
  private final CircuitBreaker breaker;
  private final Map<TaskAttemptId, Worker> workers = new LinkedHashMap<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(UserThread.daemons("Drover launches replica workers"));
  private Set<String> avoided = Set.of();
  private int created;

  /**
   * Creates a state without workers.
   *
   * @param job returns the id of the job
   * @param reduces how many reduces the job has
   * @param bytesPerSecond how much each worker may read
   * @param nanos a clock in nanoseconds
   * @param breaker is open while no worker can be launched because of errors
   */
  public Replicator(
      Supplier<JobId> job,
      int reduces,
      double bytesPerSecond,
      Launcher launcher,
      LongSupplier nanos,
      CircuitBreaker breaker) {
    this.job = job;
    this.reduces = reduces;
    this.bytesPerSecond = bytesPerSecond;
    this.launcher = launcher;
    this.nanos = nanos;
    this.breaker = breaker;
  }

  // --- orders

  /** Returns whether some worker that is there or was asked for can take an order. */
  public synchronized boolean hasWorkerFor(Order order) {
    return workers.values().stream().anyMatch(worker -> worker.canTake(order));
  }

  /**
   * Orders a replica.
   *
   * @param listener is told what becomes of it
   * @return whether a worker takes the order; if not, the listener is not told
   */
  public synchronized boolean order(Order order, Listener listener) {
    Optional<Worker> worker =
        workers.values().stream()
            .filter(one -> one.canTake(order))
            .min(Comparator.comparingInt(one -> one.open.size()))
            .or(() -> create(order));
    worker.ifPresent(one -> one.take(order, listener));
    return worker.isPresent();
  }

  private Optional<Worker> create(Order order) {
    long inRack =
        workers.values().stream().filter(worker -> worker.rack.equals(order.rack())).count();
    boolean isFull = inRack >= MOST_IN_RACK || workers.size() >= MOST;
    if (isFull || !launcher.isReady() || !breaker.tryAcquire()) {
      return Optional.empty();
    }
    TaskAttemptId id =
        MRBuilderUtils.newTaskAttemptId(
            MRBuilderUtils.newTaskId(job.get(), reduces + created, TaskType.REDUCE), 0);
    created++;
    Worker worker = new Worker(id, order);
    worker.isTrial = breaker.isOpen();
    workers.put(id, worker);
    return Optional.of(worker);
  }

  /** Sets the hosts on which replicas would be of little use. */
  public synchronized void avoid(Set<String> hosts) {
    avoided = Set.copyOf(hosts);
  }

  /** Returns whether replicas on a host would be of little use. */
  public synchronized boolean avoids(String host) {
    return avoided.contains(host);
  }

  private double seconds(long bytes) {
    return bytes / bytesPerSecond;
  }

  // --- containers; called by the allocator

  /** Returns the workers that need a container. */
  public synchronized List<Wanted> wanted() {
    return workers.values().stream()
        .filter(worker -> worker.container == null)
        .map(worker -> new Wanted(worker.id, worker.rack, worker.hosts, worker.notOn))
        .toList();
  }

  /** Returns whether a worker is there or was asked for. */
  public synchronized boolean isKnown(TaskAttemptId worker) {
    return workers.containsKey(worker);
  }

  /**
   * Starts a worker in a container.
   *
   * @return false if the worker is not wanted any more
   */
  public synchronized boolean allocated(TaskAttemptId id, Container container) {
    Worker worker = workers.get(id);
    if (worker == null || worker.container != null) {
      return false;
    }
    worker.container = container;
    worker.gotOn();
    threads.execute(() -> launch(worker));
    return true;
  }

  private void launch(Worker worker) {
    try {
      launched(worker, launcher.launch(worker.id, worker.container));
    } catch (Exception e) {
      fails(new IllegalStateException("no worker can be started on " + worker.node(), e));
      end(worker.id, "its worker could not be started");
    }
  }

  /** Counts a failed start. The next worker that calls shows that workers can be started. */
  private void fails(RuntimeException why) {
    breaker.failed(why);
  }

  private synchronized void launched(Worker worker, String address) {
    LOG.info("A worker for replicas runs on {}", worker.node());
    worker.address = address;
    worker.gotOn();
  }

  /**
   * Handles the end of a worker's container. If the worker has never called, something is wrong
   * with all workers, or with its node.
   */
  public void exited(TaskAttemptId id, boolean isByItself) {
    Worker worker;
    synchronized (this) {
      worker = workers.get(id);
    }
    if (worker != null && !worker.hasCalled && isByItself) {
      fails(new IllegalStateException("a worker ended at once on " + worker.node()));
    }
    end(id, "its worker has ended");
  }

  /** Ends a worker, whose open orders fail. Its container is not needed any more. */
  public void end(TaskAttemptId id, String why) {
    Worker worker;
    synchronized (this) {
      worker = workers.remove(id);
    }
    if (worker != null) { // nobody else knows it any more
      if (worker.isTrial && !worker.hasCalled) {
        fails(new IllegalStateException("a worker ended before it could be seen to work"));
      }
      worker
          .open
          .values()
          .forEach(one -> one.listener.failed(one.order, worker.container != null, why));
    }
  }

  /** Ends all workers. */
  public void endAll(String why) {
    List<TaskAttemptId> all;
    synchronized (this) {
      all = List.copyOf(workers.keySet());
    }
    all.forEach(worker -> end(worker, why));
  }

  /** Ends the workers that have waited too long, or for which others have. */
  public void endOverdue() {
    List<Worker> overdue;
    synchronized (this) {
      overdue = workers.values().stream().filter(Worker::isOverdue).toList();
    }
    for (Worker worker : overdue) {
      end(worker.id, worker.container == null ? "no container came" : "its worker is not heard of");
    }
  }

  // --- what workers say

  /** Returns whether an id is that of a worker, be it one that has ended. */
  public synchronized boolean isWorker(TaskAttemptId id) {
    int number = id.getTaskId().getId() - reduces;
    return id.getTaskId().getTaskType() == TaskType.REDUCE && number >= 0 && number < created;
  }

  /** Returns what a worker is to do, as map completion events. */
  public synchronized MapTaskCompletionEventsUpdate events(TaskAttemptId id, int from, int most) {
    Worker worker = workers.get(id);
    if (worker == null) {
      return new MapTaskCompletionEventsUpdate(new TaskCompletionEvent[0], true);
    }
    if (worker.address == null) { // what it says is not believed before
      return new MapTaskCompletionEventsUpdate(new TaskCompletionEvent[0], false);
    }
    if (!worker.hasCalled) {
      worker.hasCalled = true;
      breaker.succeeded();
    }
    if (!worker.open.isEmpty()) {
      worker.heardAt = nanos.getAsLong();
    }
    int begin = Math.max(0, Math.min(from, worker.events.size()));
    int end = (int) Math.min((long) begin + Math.max(0, most), worker.events.size());
    return new MapTaskCompletionEventsUpdate(
        worker.events.subList(begin, end).toArray(TaskCompletionEvent[]::new), false);
  }

  /** Takes in a line of a worker, which may hold anything. */
  public void heard(TaskAttemptId id, String line) {
    Optional<ReplicaReport> report = ReplicaReport.read(line);
    Pending pending;
    Worker worker;
    synchronized (this) {
      worker = workers.get(id);
      if (worker == null || worker.address == null || report.isEmpty()) {
        return;
      }
      worker.gotOn();
      pending = worker.open.remove(report.get().output());
    }
    if (pending != null) {
      ReplicaReport said = report.get();
      if (said.isMade()) {
        String host = worker.node().getHost();
        Made replica = new Made(host, worker.address, said.bytes(), said.seconds());
        pending.listener.made(pending.order, replica);
      } else {
        pending.listener.failed(pending.order, true, said.failure().orElse(""));
      }
    }
  }
}
