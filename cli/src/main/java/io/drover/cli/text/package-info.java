// SPDX-License-Identifier: Apache-2.0
/** Results as text: lines and columns for a terminal, and what puts text into a page. */
package io.drover.cli.text;
