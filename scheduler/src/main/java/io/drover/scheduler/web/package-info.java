// SPDX-License-Identifier: Apache-2.0
/** What is shown by the ResourceManager's own web server, behind its own doors. */
package io.drover.scheduler.web;
