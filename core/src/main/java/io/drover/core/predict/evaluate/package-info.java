// SPDX-License-Identifier: Apache-2.0
/** Measures how good predictions would have been on jobs that have ended. */
package io.drover.core.predict.evaluate;
