// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.EventQueue.Event;
import io.drover.simulator.engine.Link.Flow;
import java.util.function.DoubleConsumer;

/**
 * Transfers what a reduce fetches in one round, or the block that a map reads. It consists of a
 * flow out of each other rack, one flow for all of these into the task's rack, and the work of the
 * machine's network card on all bytes. It is done when the last part is done.
 */
final class Transfer implements Event, Link.Receiver {
  private final DoubleConsumer whenOver;
  private final RackLinks links;
  private final double began;
  private final double cardSeconds;
  private final Flow[] flows;
  private int open;
  private boolean over;

  /**
   * Begins a transfer.
   *
   * @param whenOver called when the transfer is done
   * @param rack of the task
   * @param share of the task's input that comes from each rack
   * @param bytes size of the task's input
   * @param cardSeconds how long the network card needs for this transfer
   */
  Transfer(
      DoubleConsumer whenOver,
      RackLinks links,
      int rack,
      double[] share,
      double bytes,
      double cardSeconds,
      double now) {
    this.whenOver = whenOver;
    this.links = links;
    this.began = now;
    this.cardSeconds = cardSeconds;
    this.flows = new Flow[share.length];
    double remote = 0;
    for (int from = 0; from < share.length; from++) {
      double part = bytes * share[from];
      if (from != rack && part > 0) {
        remote += part;
        flows[from] = begin(links.up(from), part, now);
      }
    }
    if (remote > 0) {
      flows[rack] = begin(links.down(rack), remote, now);
    }
    open++;
  }

  private Flow begin(Link link, double part, double now) {
    Flow flow = new Flow(link, this, part);
    link.begin(flow, now);
    links.changed(link);
    open++;
    return flow;
  }

  /** Schedules the end of the network card's part. */
  void scheduleCard(EventQueue queue) {
    queue.add(began + cardSeconds, this);
  }

  /** Ends the network card's part. */
  @Override
  public void happen(double now) {
    flowIsOver(now);
  }

  @Override
  public void flowIsOver(double now) {
    if (!over && --open == 0) {
      over = true;
      whenOver.accept(now);
    }
  }

  /** Gives up the transfer because the attempt has ended. */
  void giveUp(double now) {
    if (over) {
      return;
    }
    over = true;
    for (Flow flow : flows) {
      if (flow != null) {
        flow.link().giveUp(flow, now);
        links.changed(flow.link());
      }
    }
  }

  /** Returns whether it is done or given up. */
  boolean isOver() {
    return over;
  }

  /** Returns the share that has arrived, in [0,1]. */
  double fraction(double now) {
    if (over) {
      return 1;
    }
    double byCard = cardSeconds > 0 ? Math.min(1, (now - began) / cardSeconds) : 1;
    double crossed = 0;
    double parts = 0;
    for (Flow flow : flows) {
      if (flow != null) {
        crossed += flow.crossed(now);
        parts += flow.bytes();
      }
    }
    return parts > 0 ? Math.min(byCard, crossed / parts) : byCard;
  }
}
