// SPDX-License-Identifier: Apache-2.0
/** The commands {@code drover predict}: how well failures of jobs could have been predicted. */
package io.drover.cli.predict;
