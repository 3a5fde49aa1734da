// SPDX-License-Identifier: Apache-2.0
/**
 * Classifiers of two classes: linear and quadratic discriminant analysis, and logistic regression.
 * They know numbers only, and nothing of jobs.
 */
package io.drover.core.predict.model;
