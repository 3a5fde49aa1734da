// SPDX-License-Identifier: Apache-2.0
/** {@code drover simulate}: one workload under several schemes, side by side. */
package io.drover.cli.simulate;
