// SPDX-License-Identifier: Apache-2.0
/** What goes wrong with the hosts of a cluster while a job runs. */
package io.drover.testbed.fault;
