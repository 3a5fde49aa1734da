// SPDX-License-Identifier: Apache-2.0
/** What the commands have in common: how arguments are read, and the version. */
package io.drover.cli.command;
