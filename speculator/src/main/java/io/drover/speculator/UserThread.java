// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedAction;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Makes threads that run as the user who created them. Up to Java 21 a thread has the user of the
 * one that starts it; later ones have none, and reach file systems as the process's own user.
 * (Hadoop's SubjectInheritingThread does the same, from 3.5 on.)
 */
public final class UserThread {
  private UserThread() {}

  /** A daemon that works in the name of the current user, and is yet to be started. */
  public static Thread daemon(Runnable work, String name) {
    try {
      return daemon(UserGroupInformation.getCurrentUser(), work, name);
    } catch (IOException e) {
      throw new UncheckedIOException("it is not known in whose name " + name + " works", e);
    }
  }

  /** A daemon that works in the name of a user, and is yet to be started. */
  public static Thread daemon(UserGroupInformation user, Runnable work, String name) {
    PrivilegedAction<Void> action =
        () -> {
          work.run();
          return null;
        };
    Thread thread = new Thread(() -> user.doAs(action), name);
    thread.setDaemon(true);
    return thread;
  }
}
