// SPDX-License-Identifier: Apache-2.0
package io.drover.core.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs checks one after another. A check that throws is itself a finding, and the others go on.
 * Errors of the JVM, such as a lack of memory, are thrown on.
 */
public final class Checks {
  /** Looks at something and says what it has found. */
  public interface Check {
    /**
     * Passes each finding on as soon as it is known. A check that waits for something keeps the
     * thread's mark if it is interrupted.
     */
    void run(Consumer<Finding> found) throws Exception;
  }

  private final Map<String, Check> checks = new LinkedHashMap<>();

  /**
   * Adds a check.
   *
   * @param name what it looks at, such as {@code topology.script}; no other check has this name
   * @return this
   */
  public Checks add(String name, Check check) {
    if (checks.putIfAbsent(name, check) != null) {
      throw new IllegalArgumentException("there are two checks named " + name);
    }
    return this;
  }

  /** Adds all checks of another instance. */
  public Checks addAll(Checks others) {
    others.checks.forEach(this::add);
    return this;
  }

  /** Runs all checks in the order in which they were added. */
  public List<Finding> run() {
    return run(name -> {});
  }

  /**
   * Runs all checks in the order in which they were added.
   *
   * @param begins called with the name of each check before it runs
   */
  public List<Finding> run(Consumer<String> begins) {
    List<Finding> findings = new ArrayList<>();
    checks.forEach(
        (name, check) -> {
          begins.accept(name);
          try {
            check.run(findings::add);
          } catch (Exception | LinkageError e) {
            findings.add(couldNotRun(name, e));
          }
        });
    return List.copyOf(findings);
  }

  private static Finding couldNotRun(String name, Throwable cause) {
    return Finding.wrong(
        name + ".failed",
        "the check " + name + " could not run: " + cause,
        "If the cause is not a wrong value that it names, report it as a bug of Drover");
  }
}
