// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

/** Why a task held its job back. */
enum Cause {
  /** Other attempts on that machine were slow as well. */
  SLOW_MACHINE("slow machine", "restarts and copies elsewhere, away from that machine"),
  /** Its attempt was slow for no reason that a history shows. */
  SLOW_ATTEMPT("slow attempt", "restarts and copies"),
  /** Its attempt stood still for most of the time that was lost. */
  STOPPED("stopped", "copies, long before the task times out"),
  /** Its attempt began to work late. */
  SLOW_START("slow start", "copies, and clones of small jobs"),
  /** It read its input over a link that was slow. */
  SLOW_LINK("slow link", "placement of reduces, and outputs made again elsewhere"),
  /** Its output was lost after it had ended, so it ran again. */
  LOST_OUTPUT("lost output", "outputs replicated, or made again in seconds"),
  /** The machine was lost on which its attempt ran. */
  LOST_MACHINE("lost machine", "copies as soon as the machine is silent"),
  /** The scheduler took its container away for others. */
  PREEMPTED("preempted", ""),
  /** An AppMaster was lost, and the next one had to run the tasks of the phase again. */
  LOST_MASTER("lost AppMaster", ""),
  /** Its attempts failed. */
  FAILED("failed attempts", ""),
  /** It had more data than the other tasks. */
  MORE_DATA("more data", ""),
  /** It had more to compute than the other tasks, on as much data. */
  MORE_WORK("more work", ""),
  /** It was alone in its phase, or nearly, so there is nothing to compare it with. */
  LONE_TASK("lone task", "clones of small jobs"),
  /** The tasks of its phase waited for slots. */
  WAITING_FOR_SLOTS("waiting for slots", "");

  private final String words;
  private final String remedy;

  Cause(String words, String remedy) {
    this.words = words;
    this.remedy = remedy;
  }

  /** Returns the name as people read it. */
  String words() {
    return words;
  }

  /** Returns what Drover does about it; empty if nothing. */
  String remedy() {
    return remedy;
  }

  /** Returns whether Drover acts on it. */
  boolean isActedOn() {
    return !remedy.isEmpty();
  }
}
