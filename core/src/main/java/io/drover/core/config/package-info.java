// SPDX-License-Identifier: Apache-2.0
/**
 * Every setting, declared once: key, type, default, range, unit, meaning. The shipped defaults
 * file, the documentation's table and the error messages are made from these declarations.
 */
package io.drover.core.config;
