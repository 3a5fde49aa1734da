// SPDX-License-Identifier: Apache-2.0
/** The {@code drover simulate} command and its subcommands, which run jobs in the simulator. */
package io.drover.cli.simulate;
