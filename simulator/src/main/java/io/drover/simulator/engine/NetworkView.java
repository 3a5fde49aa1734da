// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.world.ClusterShape;

/** The links and slots as they are now. */
record NetworkView(ClusterShape shape, RackLinks links, Slots idle, double now)
    implements NetworkEstimate {
  @Override
  public int racks() {
    return shape.racks();
  }

  @Override
  public double up(int rack) {
    return links.up(rack).capacity();
  }

  @Override
  public double down(int rack) {
    return links.down(rack).capacity();
  }

  @Override
  public int flowsUp(int rack) {
    return links.up(rack).active();
  }

  @Override
  public int flowsDown(int rack) {
    return links.down(rack).active();
  }

  @Override
  public double bytesUp(int rack) {
    return links.up(rack).left(now);
  }

  @Override
  public double bytesDown(int rack) {
    return links.down(rack).left(now);
  }

  @Override
  public int freeSlots(int rack) {
    return idle.count(rack);
  }

  @Override
  public int slots(int rack) {
    return shape.machinesIn(rack) * shape.slotsPerMachine();
  }
}
