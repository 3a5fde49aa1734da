// SPDX-License-Identifier: Apache-2.0
/** Handles texts that users and programs of other people have chosen. */
package io.drover.core.text;
