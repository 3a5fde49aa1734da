// SPDX-License-Identifier: Apache-2.0
/** Predicts which applications fail, and has those that are called failing ended in time. */
package io.drover.scheduler.predict;
