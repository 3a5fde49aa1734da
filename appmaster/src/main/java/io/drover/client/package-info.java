// SPDX-License-Identifier: Apache-2.0

/** What runs where a job is submitted. */
package io.drover.client;
