// SPDX-License-Identifier: Apache-2.0
/** What the jobs meet: machines, racks, links, and attempts that are slow. */
package io.drover.simulator.world;
