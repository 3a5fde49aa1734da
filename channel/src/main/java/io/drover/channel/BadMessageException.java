// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

/**
 * Thrown for a malformed message. Its text says where the message is wrong, what it contains and
 * what is allowed.
 */
final class BadMessageException extends Exception {
  private static final long serialVersionUID = 1;

  BadMessageException(IllegalArgumentException cause) {
    super(cause.getMessage(), cause);
  }
}
