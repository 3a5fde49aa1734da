// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedAction;
import java.util.concurrent.ThreadFactory;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Creates threads that run as the user who creates them. Up to Java 21 a thread inherits the user
 * of the thread that starts it. In later versions it has no user and accesses file systems as the
 * user of the process. (From 3.5 on, Hadoop's SubjectInheritingThread does the same as this class.)
 */
public final class UserThread {
  private UserThread() {}

  /** Creates a daemon thread that runs as the current user; the caller must start it. */
  public static Thread daemon(Runnable work, String name) {
    return daemons(name).newThread(work);
  }

  /**
   * Returns a factory of daemon threads that run as the user who calls this. An executor creates
   * its threads when it gets work, and whoever gives it may have another user, or none: the JDK's
   * common threads have none.
   */
  public static ThreadFactory daemons(String name) {
    try {
      UserGroupInformation user = UserGroupInformation.getCurrentUser();
      return work -> daemon(user, work, name);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot find out the user of the thread " + name, e);
    }
  }

  /** Creates a daemon thread that runs as a user; the caller must start it. */
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
