// SPDX-License-Identifier: Apache-2.0
/** Shows on standard error how far a command is and how long the rest will take. */
package io.drover.cli.progress;
