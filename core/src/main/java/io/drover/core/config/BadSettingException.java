// SPDX-License-Identifier: Apache-2.0
package io.drover.core.config;

/** Thrown if a setting cannot be used. The message names the key, the value and what is allowed. */
public final class BadSettingException extends Exception {
  private static final long serialVersionUID = 1;

  /** Creates an exception with one sentence that names the key, the value and what is allowed. */
  public BadSettingException(String message) {
    super(message);
  }
}
