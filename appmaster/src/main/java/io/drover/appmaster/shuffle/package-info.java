// SPDX-License-Identifier: Apache-2.0

/** The protocol by which NodeManagers serve map outputs, from the reader's side. */
package io.drover.appmaster.shuffle;
