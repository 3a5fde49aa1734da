// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.core.containment.CircuitBreaker;
import io.drover.core.protect.SilentMachines;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.service.AbstractService;

/**
 * Asks hosts whether they still serve a job, and says which have fallen silent ({@link
 * SilentMachines}): those that keep map outputs, or those on which launches take long.
 *
 * <p>Each host is asked every {@value #PAUSE_SECONDS} s, or less often if there are many hosts:
 * about {@value #MOST_A_SECOND} are asked in a second. A host that gave no answer, or that a reduce
 * complains about, is asked every second. Nobody is asked while nobody needs it. What cannot be
 * asked while the AppMaster itself does not reach the ResourceManager does not count.
 *
 * <p>Any thread may call this. Asking waits for the network on a few threads of its own, and no
 * lock is held meanwhile.
 */
final class HostWatch extends AbstractService {
  static final int PAUSE_SECONDS = 2;
  static final int MOST_A_SECOND = 20;

  /** For how long a host is asked every second after a reduce has complained about it. */
  private static final Duration DOUBT = Duration.ofSeconds(30);

  private static final Duration TICK = Duration.ofMillis(500);

  /** For how many ticks it is said that none is silent any more: the listener may be off. */
  private static final int REPEATS = 150;

  /** As many hosts can be asked at once: each that does not answer takes seconds. */
  private static final int THREADS = 32;

  private static final class Watched {
    private String address;
    private long askedAt = Long.MIN_VALUE;
    private long doubtedUntil = Long.MIN_VALUE;
    private boolean isBeingAsked;
  }

  private final Predicate<String> answers;
  private final BooleanSupplier isNeeded;
  private final BooleanSupplier isConnected;
  private final Consumer<Map<String, Double>> listener;
  private final LongSupplier nanos;
  private final CircuitBreaker breaker;
  private final Map<String, Watched> hosts = new HashMap<>();
  private final SilentMachines state;
  private ScheduledExecutorService clock;
  private ThreadPoolExecutor threads;
  private int repeats;

  /**
   * Creates a watch of no host, which asks from its start to its stop.
   *
   * @param name of the breaker of this watch, such as {@code Watching hosts}
   * @param state knows none of the hosts
   * @param answers asks a host's ShuffleHandler or NodeManager by its address; may take seconds
   * @param isNeeded returns whether anybody still needs the hosts
   * @param isConnected returns whether the AppMaster reaches the rest of the cluster
   * @param listener is told the silent hosts, and for how many seconds each has been silent, about
   *     twice a second while there are some, and for a while when there are none any more
   * @param nanos a clock in nanoseconds
   * @param breakers the job's breakers; this adds one
   */
  HostWatch(
      String name,
      SilentMachines state,
      Predicate<String> answers,
      BooleanSupplier isNeeded,
      BooleanSupplier isConnected,
      Consumer<Map<String, Double>> listener,
      LongSupplier nanos,
      Breakers breakers) {
    super(HostWatch.class.getName());
    this.state = state;
    this.answers = answers;
    this.isNeeded = isNeeded;
    this.isConnected = isConnected;
    this.listener = listener;
    this.nanos = nanos;
    this.breaker = breakers.of(name);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the breaker has the errors
  protected void serviceStart() throws Exception {
    AtomicInteger number = new AtomicInteger();
    ThreadFactory daemons =
        work -> {
          Thread thread = new Thread(work, "Drover host watch " + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        };
    threads =
        new ThreadPoolExecutor(
            THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons);
    threads.allowCoreThreadTimeOut(true);
    clock = Executors.newSingleThreadScheduledExecutor(daemons);
    clock.scheduleWithFixedDelay(
        () -> breaker.run(this::tick), TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    super.serviceStart();
  }

  @Override
  protected void serviceStop() throws Exception {
    if (threads != null) {
      clock.shutdownNow();
      threads.shutdownNow();
    }
    super.serviceStop();
  }

  /**
   * Runs work that waits for the network on a thread of this watch, after a pause.
   *
   * @param otherwise what to do if the work fails, or is not done after errors or because the watch
   *     does not run
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the breaker has the errors
  void later(Duration pause, Runnable work, Runnable otherwise) {
    if (isInState(STATE.STARTED)) {
      clock.schedule(
          () ->
              threads.execute(
                  () -> {
                    if (!breaker.run(work)) {
                      otherwise.run();
                    }
                  }),
          pause.toMillis(),
          TimeUnit.MILLISECONDS);
    } else {
      otherwise.run();
    }
  }

  /** Adds a host that is to be asked, or sets at which address it is asked from now on. */
  synchronized void keeps(String host, String address) {
    hosts.computeIfAbsent(host, h -> new Watched()).address = address;
  }

  /** Removes a host. */
  synchronized void forget(String host) {
    hosts.remove(host);
    state.forget(host);
  }

  /** Removes all hosts but some. */
  synchronized void retain(Set<String> keeping) {
    List<String> gone = hosts.keySet().stream().filter(host -> !keeping.contains(host)).toList();
    hosts.keySet().removeAll(gone);
    gone.forEach(state::forget);
  }

  /** Asks a host at once, and then every second for a while, because somebody complains. */
  synchronized void doubt(String host) {
    Watched watched = hosts.get(host);
    if (watched != null) {
      long now = nanos.getAsLong();
      if (now >= watched.doubtedUntil) {
        watched.askedAt = now - TimeUnit.SECONDS.toNanos(PAUSE_SECONDS);
      }
      watched.doubtedUntil = now + DOUBT.toNanos();
    }
  }

  private void tick() {
    if (areSome() && isNeeded.getAsBoolean()) {
      due().forEach(host -> threads.execute(() -> askContained(host)));
    }
    Map<String, Double> silent = silent();
    repeats = silent.isEmpty() ? Math.max(0, repeats - 1) : REPEATS;
    if (repeats > 0) {
      listener.accept(silent);
    }
  }

  /** Returns whether any host has answered when it was asked last. */
  synchronized boolean hears() {
    return state.isAnyAnswering();
  }

  private synchronized boolean areSome() {
    return !hosts.isEmpty();
  }

  private synchronized Map<String, Double> silent() {
    return state.silent();
  }

  /** Returns the hosts to ask now, those that were not asked for longest first. */
  private synchronized List<String> due() {
    long now = nanos.getAsLong();
    double pause = Math.max(PAUSE_SECONDS, hosts.size() / (double) MOST_A_SECOND);
    List<String> due =
        hosts.entrySet().stream()
            .filter(e -> !e.getValue().isBeingAsked && isDue(e.getKey(), e.getValue(), now, pause))
            .sorted(
                Comparator.<Map.Entry<String, Watched>, Boolean>comparing(
                        e -> !isDoubted(e.getKey(), e.getValue(), now))
                    .thenComparing(e -> e.getValue().askedAt))
            .limit(MOST_A_SECOND)
            .map(Map.Entry::getKey)
            .toList();
    for (String host : due) {
      hosts.get(host).isBeingAsked = true;
      hosts.get(host).askedAt = now;
    }
    return due;
  }

  private boolean isDue(String host, Watched watched, long now, double pause) {
    double seconds = isDoubted(host, watched, now) ? 1 : pause;
    return watched.askedAt == Long.MIN_VALUE || now - watched.askedAt >= seconds * 1e9;
  }

  private boolean isDoubted(String host, Watched watched, long now) {
    return state.isFailing(host) || now < watched.doubtedUntil;
  }

  private void askContained(String host) {
    long begun = nanos.getAsLong();
    if (!breaker.run(() -> ask(host, begun))) {
      asked(host, true, begun); // nothing is known about it
    }
  }

  private void ask(String host, long begun) {
    Optional<String> address = address(host);
    if (address.isPresent()) {
      asked(host, answers.test(address.get()), begun);
    }
  }

  private synchronized Optional<String> address(String host) {
    return Optional.ofNullable(hosts.get(host)).map(watched -> watched.address);
  }

  private synchronized void asked(String host, boolean answered, long begun) {
    Watched watched = hosts.get(host);
    if (watched == null) {
      return; // it is not asked any more
    }
    watched.isBeingAsked = false;
    if (answered) {
      state.answered(host);
    } else if (isConnected.getAsBoolean()) {
      state.failed(host, begun / 1e9, nanos.getAsLong() / 1e9);
    } else {
      state.forget(host); // nor does what was found before the AppMaster was cut off
    }
  }
}
