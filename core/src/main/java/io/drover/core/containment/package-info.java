// SPDX-License-Identifier: Apache-2.0
/** How an error in Drover's own code is kept from everything that is not Drover's. */
package io.drover.core.containment;
