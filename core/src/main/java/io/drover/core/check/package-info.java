// SPDX-License-Identifier: Apache-2.0
/**
 * What checks of a configuration or a cluster find. The AppMaster, the ResourceManager and {@code
 * bin/drover doctor} run checks of their own and report in the same words.
 */
package io.drover.core.check;
