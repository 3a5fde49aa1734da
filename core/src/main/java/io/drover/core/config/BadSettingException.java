// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

/** A setting that cannot be used; the message names the key, the value and what is allowed. */
public final class BadSettingException extends Exception {
  private static final long serialVersionUID = 1;

  /** With one clear sentence: key, value, what is allowed. */
  public BadSettingException(String message) {
    super(message);
  }
}
