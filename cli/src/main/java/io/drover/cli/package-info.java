// SPDX-License-Identifier: Apache-2.0
/** The {@code drover} command line: its entry point and its messages about wrong arguments. */
package io.drover.cli;
