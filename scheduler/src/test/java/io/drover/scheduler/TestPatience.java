// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Tests wait longer than Awaitility's ten seconds: the machine may be busy with others. */
public final class TestPatience implements LauncherSessionListener {
  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
  }
}
