// SPDX-License-Identifier: Apache-2.0
/** Drover's status and page, served by the ResourceManager's web server with its access control. */
package io.drover.scheduler.web;
