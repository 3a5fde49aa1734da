// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager.security;

/** Rolls the key of AMRMTokens, which Hadoop allows only in its own package. */
public final class ChannelTokenKeys {
  private ChannelTokenKeys() {}

  /** Adds a new key. New tokens use it; tokens of the old key stay valid. */
  public static void roll(AMRMTokenSecretManager tokens) {
    tokens.rollMasterKey();
  }

  /** Invalidates the tokens of the old key. */
  public static void activate(AMRMTokenSecretManager tokens) {
    tokens.activateNextMasterKey();
  }
}
