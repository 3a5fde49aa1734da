// SPDX-License-Identifier: Apache-2.0
/** The {@code drover} command: what it understands, and how it says that it does not. */
package io.drover.cli;
