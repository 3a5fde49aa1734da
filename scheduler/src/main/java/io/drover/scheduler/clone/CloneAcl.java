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
 * Decides which users may clone. A list that names groups has them looked up, at an LDAP server
 * perhaps, which may take seconds: so it is asked on a thread of its own, and until it has answered
 * the user may not. An answer holds for a minute, and the old one until there is a new one. Where a
 * look-up fails the user may not.
 */
final class CloneAcl {
  private static final long HOLDS_NANOS = 60_000_000_000L;

  /** An answer. */
  private record Answer(boolean may, long at) {}

  private final AccessControlList acl;
  private final Predicate<String> lookUp;
  private final Executor aside;
  private final LongSupplier nanos;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final Map<String, Boolean> asked = new ConcurrentHashMap<>();

  /**
   * Nobody has been asked about.
   *
   * @param text as Hadoop writes such lists
   * @param aside runs what may take long
   */
  CloneAcl(String text, Executor aside, LongSupplier nanos) {
    this.acl = new AccessControlList(text);
    this.lookUp = user -> acl.isUserAllowed(UserGroupInformation.createRemoteUser(user));
    this.aside = aside;
    this.nanos = nanos;
  }

  /** With another way to look a user up. */
  CloneAcl(String text, Predicate<String> lookUp, Executor aside, LongSupplier nanos) {
    this.acl = new AccessControlList(text);
    this.lookUp = lookUp;
    this.aside = aside;
    this.nanos = nanos;
  }

  /** Whether a user may clone, as far as that is known: never waits. */
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
        asked.remove(user); // or nobody would ask again
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
