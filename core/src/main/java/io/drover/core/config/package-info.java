// SPDX-License-Identifier: Apache-2.0
/**
 * Declares every setting once: key, type, default, range, unit and meaning. The shipped defaults
 * file, the table in the documentation and the error messages are made from these declarations.
 */
package io.drover.core.config;
