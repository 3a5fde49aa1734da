// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.hadoop;

import net.bytebuddy.agent.ByteBuddyAgent;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Puts {@link DroverInPlace} of what Hadoop's own tests test, and fails each of them that has made
 * nothing of Drover's. On in the build's run of Hadoop's tests only.
 */
public final class HadoopTestSession
    implements LauncherSessionListener, BeforeEachCallback, AfterEachCallback {
  private int before;

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    if (Boolean.getBoolean("drover.hadoop-tests")) {
      ByteBuddyAgent.install().addTransformer(new DroverInPlace());
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    ExitUtil.resetFirstExitException(); // Hadoop runs each class of tests in a JVM of its own
    before = DroverInPlace.made();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    boolean isHadoops = context.getRequiredTestClass().getName().startsWith("org.apache.hadoop");
    if (isHadoops && DroverInPlace.made() == before && context.getExecutionException().isEmpty()) {
      throw new AssertionError("nothing of Drover's was tested: " + context.getUniqueId());
    }
  }
}
