// SPDX-License-Identifier: Apache-2.0
/** Which parts of which files maps read, and which hosts hold them. */
package io.drover.appmaster.input;
