// SPDX-License-Identifier: Apache-2.0
/** What the pages with time lines have in common. */
package io.drover.cli.page;
