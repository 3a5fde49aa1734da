// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

/** A message that makes no sense; its own message says where, what is there and what is allowed. */
final class BadMessageException extends Exception {
  private static final long serialVersionUID = 1;

  BadMessageException(IllegalArgumentException cause) {
    super(cause.getMessage(), cause);
  }
}
