// SPDX-License-Identifier: Apache-2.0
/** Asks the web servers of Hadoop's daemons. */
package io.drover.cli.web;
