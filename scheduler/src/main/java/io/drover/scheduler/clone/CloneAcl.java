// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;

/**
 * Decides which users may clone. If the list names groups, a user's groups must be looked up,
 * perhaps at an LDAP server, which may take seconds. So the look-up runs on its own thread, and
 * until it has answered the user may not clone. An answer is valid for a minute, and after that
 * until there is a new one. If a look-up fails, the user may not clone.
 */
final class CloneAcl {
  private static final long HOLDS_NANOS = 60_000_000_000L;

  private record Answer(boolean may, long at) {}

  private final AccessControlList acl;
  private final Predicate<String> lookUp;
  private final Executor aside;
  private final LongSupplier nanos;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final Map<String, Boolean> asked = new ConcurrentHashMap<>();

  /**
   * Creates a list that has looked nobody up yet.
   *
   * @param text in Hadoop's format of such lists
   * @param aside runs look-ups, which may take long
   */
  CloneAcl(String text, Executor aside, LongSupplier nanos) {
    this.acl = new AccessControlList(text);
    this.lookUp = user -> acl.isUserAllowed(UserGroupInformation.createRemoteUser(user));
    this.aside = aside;
    this.nanos = nanos;
  }

  /** Creates a list with another way to look a user up. */
  CloneAcl(String text, Predicate<String> lookUp, Executor aside, LongSupplier nanos) {
    this.acl = new AccessControlList(text);
    this.lookUp = lookUp;
    this.aside = aside;
    this.nanos = nanos;
  }

  /** Returns whether a user may clone, as far as that is known. Never blocks. */
  boolean mayClone(String user) {
    if (acl.isAllAllowed() || acl.getUsers().contains(user)) {
      return true;
    }
    if (acl.getGroups().isEmpty()) {
      return false;
    }
    Answer answer = answers.get(user);
    boolean isOld = answer == null || nanos.getAsLong() - answer.at() > HOLDS_NANOS;
    if (isOld && asked.putIfAbsent(user, true) == null) {
      lookUpAside(user);
    }
    return answer != null && answer.may();
  }

  private void lookUpAside(String user) {
    boolean isUnderWay = false;
    try {
      aside.execute(() -> ask(user));
      isUnderWay = true;
    } finally {
      if (!isUnderWay) {
        asked.remove(user); // or nobody would look the user up again
      }
    }
  }

  private void ask(String user) {
    boolean may = false;
    try {
      may = lookUp.test(user);
    } finally {
      answers.put(user, new Answer(may, nanos.getAsLong()));
      asked.remove(user);
    }
  }
}
