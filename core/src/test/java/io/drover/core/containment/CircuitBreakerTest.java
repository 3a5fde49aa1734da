// SPDX-License-Identifier: Apache-2.0
package io.drover.core.containment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private long now = Long.MAX_VALUE - 5; // a nanosecond clock may overflow
  private final List<String> cleanUps = new ArrayList<>();
  private final CircuitBreaker breaker =
      new CircuitBreaker("Testing", () -> now, () -> cleanUps.add("cleaned up"));

  private boolean fails() {
    return breaker.run(
        () -> {
          throw new IllegalStateException("on purpose");
        });
  }

  private boolean works() {
    return breaker.run(() -> {});
  }

  private void open() {
    for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
      fails();
    }
  }

  private void pause() {
    now += CircuitBreaker.PAUSE.toNanos();
  }

  @Test
  void oneFailureIsLeftOutAndTheFeatureGoesOn() {
    assertThat(fails()).isFalse();
    assertThat(breaker.isOpen()).isFalse();
    assertThat(works()).isTrue();
    assertThat(cleanUps).isEmpty();
  }

  @Test
  void failuresWithSuccessesBetweenThemNeverOpenIt() {
    for (int i = 0; i < 100; i++) {
      fails();
      fails();
      works();
    }
    assertThat(breaker.isOpen()).isFalse();
    assertThat(breaker.failures()).isEqualTo(200);
  }

  @Test
  void whatIsCountedForAPartWithABreakerOfItsOwnNeverOpensIt() {
    for (int i = 0; i < 10; i++) {
      breaker.count(new IllegalStateException("of a part"));
    }
    assertThat(breaker.isOpen()).isFalse();
    assertThat(breaker.failures()).isEqualTo(10);
    assertThat(breaker.failuresByKind()).containsEntry("IllegalStateException", 10L);
    fails();
    fails();
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void severalFailuresInARowSwitchTheFeatureOffAndCleanUpOnce() {
    open();
    assertThat(breaker.isOpen()).isTrue();
    assertThat(cleanUps).hasSize(1);
    assertThat(works()).isFalse();
    assertThat(breaker.call(() -> "done", "refused")).isEqualTo("refused");
  }

  @Test
  void afterThePauseASuccessSwitchesItOnAgain() {
    open();
    pause();
    assertThat(breaker.isOpen()).isTrue();
    assertThat(works()).isTrue();
    assertThat(breaker.isOpen()).isFalse();
    assertThat(fails()).isFalse();
    assertThat(breaker.isOpen()).as("failures in a row are counted anew").isFalse();
  }

  @Test
  void afterThePauseAFailureSwitchesItOffAgainAtOnce() {
    open();
    pause();
    fails();
    assertThat(works()).isFalse();
    assertThat(cleanUps).hasSize(2);
    pause();
    assertThat(works()).isTrue();
  }

  @Test
  void aFeatureThatIsSwitchedOffOtherwiseIsNotOffBecauseOfErrors() {
    open();
    breaker.reset();
    assertThat(breaker.isOpen()).isFalse();
    fails();
    fails();
    assertThat(breaker.isOpen()).as("errors count anew").isFalse();
  }

  @Test
  void whileATrialRunsNothingElseDoes() {
    open();
    pause();
    assertThat(breaker.tryAcquire()).isTrue();
    assertThat(breaker.tryAcquire()).isFalse();
    breaker.succeeded();
    assertThat(breaker.tryAcquire()).isTrue();
  }

  @Test
  void aUnitThatBeganBeforeItOpenedCountsButOpensItNoSecondTime() {
    assertThat(breaker.tryAcquire()).isTrue();
    open();
    breaker.failed(new IllegalStateException("late"));
    assertThat(cleanUps).hasSize(1);
    assertThat(breaker.failures()).isEqualTo(CircuitBreaker.FAILURES + 1);
  }

  @Test
  void errorsAreContainedButForThoseThatMustEndTheJvm() {
    breaker.run(
        () -> {
          throw new NoSuchMethodError();
        });
    breaker.run(
        () -> {
          throw new StackOverflowError();
        });
    assertThatThrownBy(
            () ->
                breaker.run(
                    () -> {
                      throw new OutOfMemoryError();
                    }))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(breaker.failuresByKind())
        .isEqualTo(
            Map.of("NoSuchMethodError", 1L, "StackOverflowError", 1L, "OutOfMemoryError", 1L));
    assertThat(breaker.isOpen()).isTrue();
  }

  @Test
  void aCleanUpThatFailsIsContainedToo() {
    CircuitBreaker careless =
        new CircuitBreaker(
            "Testing",
            () -> now,
            () -> {
              throw new IllegalStateException("clean up");
            });
    for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
      careless.run(
          () -> {
            throw new IllegalArgumentException();
          });
    }
    assertThat(careless.isOpen()).isTrue();
  }

  @Test
  void kindsOfFailureAreBounded() {
    for (int i = 0; i < 200; i++) {
      breaker.failed(failureOfKind(i));
    }
    assertThat(breaker.failuresByKind()).hasSizeLessThanOrEqualTo(21);
    assertThat(breaker.failuresByKind().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(200);
  }

  private static Throwable failureOfKind(int i) {
    List<Throwable> kinds =
        List.of(
            new ArithmeticException(),
            new ArrayStoreException(),
            new ClassCastException(),
            new EnumConstantNotPresentException(Thread.State.class, "X"),
            new IllegalArgumentException(),
            new IllegalMonitorStateException(),
            new IllegalStateException(),
            new IndexOutOfBoundsException(),
            new ArrayIndexOutOfBoundsException(),
            new StringIndexOutOfBoundsException(),
            new NegativeArraySizeException(),
            new NullPointerException(),
            new NumberFormatException(),
            new SecurityException(),
            new TypeNotPresentException("X", null),
            new UnsupportedOperationException(),
            new AssertionError(),
            new NoClassDefFoundError(),
            new NoSuchFieldError(),
            new NoSuchMethodError(),
            new AbstractMethodError(),
            new IllegalAccessError(),
            new InstantiationError(),
            new UnsatisfiedLinkError(),
            new VerifyError());
    return kinds.get(i % kinds.size());
  }
}
