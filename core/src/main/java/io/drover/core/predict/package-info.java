// SPDX-License-Identifier: Apache-2.0
/**
 * Predicts on arrival which jobs will fail. Source: Rosa, Chen and Binder, "Predicting and
 * Mitigating Job Failures in Big Data Clusters" (CCGrid 2015; only the slides are public).
 */
package io.drover.core.predict;
