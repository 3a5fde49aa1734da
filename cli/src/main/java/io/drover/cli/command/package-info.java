// SPDX-License-Identifier: Apache-2.0
/** Code that the commands share: argument checks, suggestions for wrong words, and the version. */
package io.drover.cli.command;
