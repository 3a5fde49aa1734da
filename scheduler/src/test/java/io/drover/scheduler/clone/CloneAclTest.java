// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class CloneAclTest {
  private final Deque<Runnable> aside = new ArrayDeque<>();
  private long nanos;
  private boolean isMember = true;
  private boolean fails;

  private CloneAcl acl(String text) {
    return new CloneAcl(
        text,
        user -> {
          if (fails) {
            throw new IllegalStateException("the directory does not answer");
          }
          return isMember;
        },
        aside::add,
        () -> nanos);
  }

  @Test
  void usersAndEverybodyAreKnownAtOnce() {
    assertThat(acl("*").mayClone("u")).isTrue();
    assertThat(acl("u,v").mayClone("u")).isTrue();
    assertThat(acl("u,v").mayClone("w")).isFalse();
    assertThat(aside).isEmpty();
  }

  @Test
  void groupsAreLookedUpAsideAndOnce() {
    CloneAcl acl = acl(" staff");
    assertThat(acl.mayClone("u")).as("not known yet").isFalse();
    assertThat(acl.mayClone("u")).isFalse();
    assertThat(aside).hasSize(1);
    aside.poll().run();
    assertThat(acl.mayClone("u")).isTrue();
    assertThat(aside).isEmpty();
  }

  @Test
  void anOldAnswerHoldsUntilThereIsANewOne() {
    CloneAcl acl = acl(" staff");
    acl.mayClone("u");
    aside.poll().run();
    isMember = false;
    nanos = 61_000_000_000L;
    assertThat(acl.mayClone("u")).isTrue();
    aside.poll().run();
    assertThat(acl.mayClone("u")).isFalse();
  }

  @Test
  void whoCannotBeLookedUpMayNotAndIsAskedAboutAgain() {
    CloneAcl acl = acl(" staff");
    fails = true;
    acl.mayClone("u");
    assertThatThrownBy(() -> aside.poll().run()).isInstanceOf(IllegalStateException.class);
    assertThat(acl.mayClone("u")).isFalse();
    fails = false;
    nanos = 61_000_000_000L;
    acl.mayClone("u");
    aside.poll().run();
    assertThat(acl.mayClone("u")).isTrue();
  }

  @Test
  void whoCouldNotBeAskedAboutIsAskedAboutNextTime() {
    Deque<Runnable> tried = new ArrayDeque<>();
    CloneAcl acl =
        new CloneAcl(
            " staff",
            user -> true,
            work -> {
              tried.add(work);
              if (tried.size() == 1) {
                throw new RejectedExecutionException("no thread can be made");
              }
            },
            () -> nanos);
    assertThatThrownBy(() -> acl.mayClone("u")).isInstanceOf(RejectedExecutionException.class);
    acl.mayClone("u");
    assertThat(tried).hasSize(2);
  }
}
