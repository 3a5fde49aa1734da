// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager.security;

/** Rolls the key of AMRMTokens, which Hadoop lets only its own package do. */
public final class SchedulerTokenKeys {
  private SchedulerTokenKeys() {}

  /** A new key is there: new tokens are made with it, those of the old one still hold. */
  public static void roll(AMRMTokenSecretManager tokens) {
    tokens.rollMasterKey();
  }

  /** Tokens of the old key hold no more. */
  public static void activate(AMRMTokenSecretManager tokens) {
    tokens.activateNextMasterKey();
  }
}
