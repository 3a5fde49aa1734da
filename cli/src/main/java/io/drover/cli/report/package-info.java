// SPDX-License-Identifier: Apache-2.0
/** {@code drover report}: why jobs were slow, from their histories. */
package io.drover.cli.report;
