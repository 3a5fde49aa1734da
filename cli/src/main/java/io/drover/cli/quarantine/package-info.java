// SPDX-License-Identifier: Apache-2.0
/** {@code drover quarantine}: which machines get no new containers. */
package io.drover.cli.quarantine;
