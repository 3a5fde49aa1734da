// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.EventQueue.Event;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Models one direction of the link between a rack and the others as a fluid. All flows on the link
 * get the same share of its capacity. The link has one counter, which grows by the bytes that each
 * flow receives; a flow is done when the counter has grown by the flow's bytes. So a flow costs one
 * heap entry, however often the shares change.
 *
 * <p>Source: processor sharing; a network "uses a fluid model rather than simulating individual
 * packets" in Mantri section 6.1. Links are independent: a flow that is slower elsewhere does not
 * leave its share to the others here, so transfers are never faster than with max-min fairness.
 */
final class Link implements Event {
  /** The tolerance for rounding, in bytes and as a share of the bytes received. */
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

    /** Returns the bytes that have crossed the link. */
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

  /** Begins a flow. The caller must then schedule the link's next event. */
  void begin(Flow flow, double now) {
    advance(now);
    flow.endsAt = received + flow.bytes;
    flows.add(flow);
    active++;
  }

  /** Gives up a flow. The caller must then schedule the link's next event. */
  void giveUp(Flow flow, double now) {
    if (!flow.over) {
      advance(now);
      flow.over = true;
      flows.remove(flow);
      active--;
    }
  }

  /** Returns the number of flows that share the link. */
  int active() {
    return active;
  }

  /** Returns the bytes that its flows still have to carry across. */
  double left(double now) {
    double reached = receivedAt(now);
    return flows.stream().mapToDouble(flow -> Math.max(0, flow.endsAt - reached)).sum();
  }

  double capacity() {
    return capacity;
  }

  /** Returns the bytes that have crossed the link. */
  double carried() {
    return carried;
  }

  /** Adds the end of the flow that ends first to the queue, unless it is there already. */
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
      // Because of rounding the clock stands still, so treat the first flow as done.
      flows.peek().endsAt = received;
    }
    links.changed(this);
  }
}
