// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.EventQueue.Event;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * One direction of the link between a rack and the others, as a fluid: all flows on it get the same
 * share of its capacity, so each has received as many bytes as any other that began with it. That
 * common number grows, and a flow is done when it has grown by the flow's bytes; so a flow costs a
 * place in a heap, however often shares change.
 *
 * <p>Source: processor sharing; a network "uses a fluid model rather than simulating individual
 * packets" in Mantri section 6.1. Links are independent: a flow that is slower elsewhere does not
 * leave its share to others here, so transfers are never faster than by max-min fairness.
 */
final class Link implements Event {
  /** Bytes that rounding may lose, and its share of what has been received. */
  private static final double ROUNDING = 1e-3;

  private static final double RELATIVE_ROUNDING = 1e-12;

  private final RackLinks links;
  private final double capacity;
  private final PriorityQueue<Flow> flows =
      new PriorityQueue<>(Comparator.comparingDouble((Flow f) -> f.endsAt));
  private double received;
  private double since;
  private double carried;
  private double nextEnd = Double.NaN;
  private int active;

  Link(RackLinks links, double capacity) {
    this.links = links;
    this.capacity = capacity;
  }

  /** Called when a flow is over. */
  interface Receiver {
    void flowIsOver(double now);
  }

  /** The part of a transfer that crosses one link. */
  static final class Flow {
    private final Link link;
    private final Receiver receiver;
    private final double bytes;
    private double endsAt;
    private boolean over;

    Flow(Link link, Receiver receiver, double bytes) {
      this.link = link;
      this.receiver = receiver;
      this.bytes = bytes;
    }

    Link link() {
      return link;
    }

    double bytes() {
      return bytes;
    }

    /** Bytes that have crossed. */
    double crossed(double now) {
      return over ? bytes : Math.min(bytes, bytes - (endsAt - link.receivedAt(now)));
    }
  }

  private double receivedAt(double now) {
    return active == 0 ? received : received + (now - since) * capacity / active;
  }

  private void advance(double now) {
    if (active > 0) {
      received = receivedAt(now);
      carried += (now - since) * capacity;
    }
    since = now;
  }

  /** A flow begins. The link's next event has to be scheduled after it. */
  void begin(Flow flow, double now) {
    advance(now);
    flow.endsAt = received + flow.bytes;
    flows.add(flow);
    active++;
  }

  /** A flow is given up. The link's next event has to be scheduled after it. */
  void giveUp(Flow flow, double now) {
    if (!flow.over) {
      advance(now);
      flow.over = true;
      flows.remove(flow);
      active--;
    }
  }

  /** How many flows share it. */
  int active() {
    return active;
  }

  /** Bytes that its flows have still to bring across. */
  double left(double now) {
    double reached = receivedAt(now);
    return flows.stream().mapToDouble(flow -> Math.max(0, flow.endsAt - reached)).sum();
  }

  double capacity() {
    return capacity;
  }

  /** Bytes that have crossed it. */
  double carried() {
    return carried;
  }

  /** Puts the end of the flow that ends first into the queue, if it is not there. */
  void schedule(EventQueue queue, double now) {
    if (active == 0) {
      nextEnd = Double.NaN;
      return;
    }
    double left = Math.max(0, flows.peek().endsAt - received);
    double at = Math.max(now, since + left * active / capacity);
    if (at != nextEnd) {
      nextEnd = at;
      queue.add(at, this);
    }
  }

  @Override
  public void happen(double now) {
    if (now != nextEnd) {
      return;
    }
    nextEnd = Double.NaN;
    advance(now);
    double reached = received + Math.max(ROUNDING, received * RELATIVE_ROUNDING);
    boolean any = false;
    while (active > 0 && flows.peek().endsAt <= reached) {
      Flow flow = flows.remove();
      flow.over = true;
      active--;
      any = true;
      flow.receiver.flowIsOver(now);
    }
    if (!any && active > 0) {
      // Rounding has let the clock stand still: the first flow is as good as done.
      flows.peek().endsAt = received;
    }
    links.changed(this);
  }
}
