// SPDX-License-Identifier: Apache-2.0
/** What Drover's actions came to: how many there were, how they turned out, and what they cost. */
package io.drover.core.action;
