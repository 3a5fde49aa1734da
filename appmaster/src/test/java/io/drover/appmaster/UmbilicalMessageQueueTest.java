// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.speculator.Breakers;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UmbilicalMessageQueueTest {
  private static final UserGroupInformation USER =
      UserGroupInformation.createRemoteUser("somebody");

  private final List<String> read = new CopyOnWriteArrayList<>();
  private final AtomicInteger caughtUp = new AtomicInteger();
  private final CountDownLatch mayRead = new CountDownLatch(1);
  private final AtomicReference<Thread> reader = new AtomicReference<>();
  private final Breakers breakers = Breakers.uncounted();
  private final UmbilicalMessageQueue lines =
      new UmbilicalMessageQueue(
          new UmbilicalMessageQueue.Reader() {
            @Override
            public void read(TaskAttemptId attempt, String line) {
              reader.set(Thread.currentThread());
              try {
                mayRead.await();
                String user = UserGroupInformation.getCurrentUser().getUserName();
                assertThat(user).isEqualTo("somebody");
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
              if (line.startsWith("bad")) {
                throw new IllegalArgumentException(line);
              }
              read.add(line);
            }

            @Override
            public void caughtUp() {
              caughtUp.incrementAndGet();
            }
          },
          () -> USER,
          breakers);

  private static TaskAttemptId attempt(int task) {
    return MRBuilderUtils.newTaskAttemptId(
        MRBuilderUtils.newTaskId(
            MRBuilderUtils.newJobId(ApplicationId.newInstance(1, 1), 1), task, TaskType.MAP),
        0);
  }

  @AfterEach
  void stop() {
    mayRead.countDown();
    lines.stop();
  }

  private void start() {
    lines.init(new Configuration(false));
    lines.start();
  }

  @Test
  void linesAreReadInOrderInTheUsersNameAndThenTheReaderHasCaughtUp() {
    lines.add(attempt(1), "before the start");
    mayRead.countDown();
    start();
    lines.add(attempt(1), "one");
    lines.add(attempt(2), "two");
    await().until(() -> read.size() == 3 && caughtUp.get() > 0);
    assertThat(read).containsExactly("before the start", "one", "two");
    assertThat(reader.get().isDaemon()).isTrue();
    assertThat(lines.dropped()).isZero();
  }

  @Test
  void lineThatCannotBeReadIsDroppedAlone() {
    mayRead.countDown();
    start();
    for (int i = 0; i < 10; i++) {
      lines.add(attempt(1), "bad " + i);
      lines.add(attempt(1), "good " + i);
    }
    await().until(() -> read.size() == 10);
    assertThat(read).allMatch(line -> line.startsWith("good"));
    assertThat(breakers.failures()).isEqualTo(10);
  }

  @Test
  void threeInARowSwitchReadingOffAndNothingPilesUp() {
    mayRead.countDown();
    start();
    for (int i = 1; i <= 3; i++) {
      lines.add(attempt(1), "bad");
      int failures = i;
      await().until(() -> breakers.failures() == failures); // the reader has a rest in between
    }
    String large = "x".repeat(60_000);
    for (int i = 0; i < 1000; i++) { // far more than may wait
      lines.add(attempt(i), large);
      if (i % 50 == 0) {
        await().until(() -> lines.waiting() == 0);
      }
    }
    await().until(() -> lines.waiting() == 0);
    assertThat(read.size()).isZero(); // not the lines: they are too many to print
  }

  @Test
  void oneAttemptCannotCrowdOutTheOthers() {
    start();
    String large = "x".repeat(60_000);
    for (int i = 0; i < 1000; i++) {
      lines.add(attempt(1), large);
    }
    assertThat(lines.waiting())
        .isLessThanOrEqualTo(UmbilicalMessageQueue.MOST_OF_AN_ATTEMPT + large.length());
    assertThat(lines.dropped()).isGreaterThan(900);
    lines.add(attempt(2), "hello");
    mayRead.countDown();
    await().until(() -> read.contains("hello"));
    read.clear();
    await().until(() -> lines.waiting() == 0);
    lines.add(attempt(1), "what was dropped is not held against it");
    await().until(() -> read.size() == 1);
  }

  @Test
  void manyAttemptsCannotFillTheMemory() {
    start();
    String large = "x".repeat(60_000);
    for (int i = 0; i < 1000; i++) {
      lines.add(attempt(i), large);
    }
    assertThat(lines.waiting()).isLessThanOrEqualTo(UmbilicalMessageQueue.MOST_WAITING);
  }

  @Test
  void threadEndsWithTheService() throws Exception {
    mayRead.countDown();
    start();
    lines.add(attempt(1), "one");
    await().until(() -> read.size() == 1);
    lines.stop();
    await().until(() -> !reader.get().isAlive());
    lines.add(attempt(1), "late");
    assertThat(lines.waiting()).isZero();
  }

  @Test
  void nobodyElsesNameIsNeededToStart() throws Exception {
    mayRead.countDown();
    UserGroupInformation other = UserGroupInformation.createRemoteUser("other");
    other.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              start();
              return null;
            });
    lines.add(attempt(1), "one");
    await().until(() -> read.size() == 1);
  }
}
