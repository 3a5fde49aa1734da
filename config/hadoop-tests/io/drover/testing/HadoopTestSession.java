// SPDX-License-Identifier: Apache-2.0
package io.drover.testing;

import net.bytebuddy.agent.ByteBuddyAgent;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Puts Drover's classes in the place of what Hadoop's own tests test, and fails each of them that
 * has made nothing of Drover's. On in the build's runs of Hadoop's tests only. A module that runs
 * some says in a subclass which, and names it in {@code META-INF/services}.
 */
public abstract class HadoopTestSession
    implements LauncherSessionListener, BeforeEachCallback, AfterEachCallback {
  private final InPlace inPlace;
  private int before;

  /**
   * A session.
   *
   * @param inPlace what is put in the place of what
   */
  protected HadoopTestSession(InPlace inPlace) {
    this.inPlace = inPlace;
  }

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    if (Boolean.getBoolean("drover.hadoop-tests")) {
      inPlace.install(ByteBuddyAgent.install());
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    before = InPlace.made();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    boolean isHadoops = context.getRequiredTestClass().getName().startsWith("org.apache.hadoop");
    if (isHadoops
        && Boolean.getBoolean("drover.hadoop-tests")
        && InPlace.made() == before
        && context.getExecutionException().isEmpty()) {
      throw new AssertionError("nothing of Drover's was tested: " + context.getUniqueId());
    }
  }
}
