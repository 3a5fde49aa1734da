// SPDX-License-Identifier: Apache-2.0
/** Chooses a rack for each reduce, by where its bytes are: Mantri section 5.2, KMN 5.2.2. */
package io.drover.core.placement;
