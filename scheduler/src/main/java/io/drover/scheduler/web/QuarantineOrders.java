// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.web;

import io.drover.scheduler.quarantine.NodeQuarantine;
import java.security.Principal;
import java.time.Duration;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.security.YarnAuthorizationProvider;
import org.apache.hadoop.yarn.webapp.BadRequestException;
import org.apache.hadoop.yarn.webapp.ForbiddenException;
import org.apache.hadoop.yarn.webapp.NotFoundException;

/**
 * Carries out what operators order about quarantines. Those may do so who may use {@code yarn
 * rmadmin}: the users of {@code yarn.admin.acl}. As in Hadoop's own web services, the static user
 * of its web servers may not in a secure cluster.
 */
final class QuarantineOrders {
  /** The longest quarantine that an operator may order. */
  private static final Duration LONGEST = Duration.ofDays(30);

  /** Of what an operator says, and of an operator's name. */
  private static final int LONGEST_TEXT = 200;

  private final NodeQuarantine quarantine;
  private final Configuration conf;

  QuarantineOrders(NodeQuarantine quarantine, Configuration conf) {
    this.quarantine = quarantine;
    this.conf = conf;
  }

  /**
   * Quarantines a machine.
   *
   * @param seconds how long; null for as long as a first quarantine lasts
   * @param reason for people, or null
   * @throws BadRequestException if that is not possible
   * @throws ForbiddenException if the caller is no administrator
   */
  void add(HttpServletRequest request, String machine, String seconds, String reason) {
    String operator = operator(request);
    String text = reason == null ? "" : reason.strip();
    checkLine("the reason", text);
    String why = "ordered by " + operator + (text.isEmpty() ? "" : ": " + text);
    quarantine
        .add(machine, length(seconds), why)
        .ifPresent(
            refusal -> {
              throw new BadRequestException(refusal);
            });
  }

  /** Refuses what would not be one line in the log, where it would look like another entry. */
  private static void checkLine(String what, String text) {
    if (text.length() > LONGEST_TEXT || !text.chars().allMatch(QuarantineOrders::isOfALine)) {
      throw new BadRequestException(
          what + " must be one line of at most " + LONGEST_TEXT + " characters");
    }
  }

  private static boolean isOfALine(int character) {
    int type = Character.getType(character);
    return !Character.isISOControl(character)
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR;
  }

  private Duration length(String seconds) {
    if (seconds == null) {
      return quarantine.time();
    }
    if (seconds.matches("\\d{1,9}")) {
      Duration length = Duration.ofSeconds(Long.parseLong(seconds));
      if (!length.isZero() && length.compareTo(LONGEST) <= 0) {
        return length;
      }
    }
    throw new BadRequestException(
        "seconds must be a whole number from 1 to " + LONGEST.toSeconds());
  }

  /**
   * Ends a machine's quarantine.
   *
   * @throws BadRequestException if the caller's name cannot be logged
   * @throws NotFoundException if it is in none
   * @throws ForbiddenException if the caller is no administrator
   */
  void lift(HttpServletRequest request, String machine) {
    if (!quarantine.lift(machine, operator(request))) {
      throw new NotFoundException("this machine is not in quarantine");
    }
  }

  /**
   * Returns the name of the caller, who is an administrator. Without Kerberos the caller chooses
   * it, and everybody is an administrator by default, so it is checked as the reason is.
   */
  private String operator(HttpServletRequest request) {
    Principal caller = request.getUserPrincipal();
    if (caller == null) {
      throw new ForbiddenException("the caller has no name");
    }
    checkLine("the caller's name", caller.getName());
    String anybody =
        conf.get(
            CommonConfigurationKeys.HADOOP_HTTP_STATIC_USER,
            CommonConfigurationKeys.DEFAULT_HADOOP_HTTP_STATIC_USER);
    if (UserGroupInformation.isSecurityEnabled() && caller.getName().equals(anybody)) {
      throw new ForbiddenException("the default static user may not do this");
    }
    UserGroupInformation user = UserGroupInformation.createRemoteUser(caller.getName());
    if (!YarnAuthorizationProvider.getInstance(conf).isAdmin(user)) {
      throw new ForbiddenException("only administrators (yarn.admin.acl) may do this");
    }
    return user.getShortUserName();
  }
}
