// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares the claims of one application with the containers that the scheduler saw, and admits
 * what these confirm. This is the only way from claims to {@link MachineStatistics}, and the place
 * of the rule that bounds claims:
 *
 * <p><b>An application's claims about a machine never weigh more than its own containers that were
 * seen to end there.</b> If none was seen to end there, nothing is admitted. So the most that a
 * lying AppMaster can do is to report that many attempts as all outliers, or none. It cannot change
 * the figures of machines that it never used.
 *
 * <p>Claims beyond the bound are not lost. A claim is a total, so the rest is admitted when it is
 * repeated after more ends were seen. An AppMaster may know of an end before the ResourceManager
 * does.
 *
 * <p>The caller keeps the ledger for as long as the application lives. Its size is bounded by the
 * number of machines on which the application's containers ended.
 */
public final class ClaimLedger {
  private final Map<String, Account> accounts = new HashMap<>();
  private int judged;
  private int outliers;

  /** What was seen and what was admitted for one machine. */
  private static final class Account {
    private int seen;
    private int judged;
    private int outliers;
    private int outputs;
    private int lost;
  }

  /** Records that a container of the application was seen to end on a machine. */
  public void containerEnded(String machine) {
    accounts.computeIfAbsent(machine, m -> new Account()).seen++;
  }

  /** Returns whether a container of the application was seen to end on a machine. */
  public boolean hasSeen(String machine) {
    return accounts.containsKey(machine);
  }

  /** Returns the number of machines on which containers of the application were seen to end. */
  public int machines() {
    return accounts.size();
  }

  /**
   * Resets what was admitted, so that all confirmed claims are admitted again. This is for
   * statistics that were just restored from a snapshot and know nothing about this application.
   */
  public void readmit() {
    judged = 0;
    outliers = 0;
    for (Account account : accounts.values()) {
      account.judged = 0;
      account.outliers = 0;
      account.outputs = 0;
      account.lost = 0;
    }
  }

  /**
   * Admits what is new in claims and confirmed by containers.
   *
   * @param claims by machine; each counts in the {@code elsewhere} of the others, so their order
   *     does not matter
   */
  List<AdmittedOutcomes> admit(Map<String, Claim> claims) {
    List<AdmittedOutcomes> news = new ArrayList<>();
    claims.forEach(
        (machine, claim) -> {
          Account account = accounts.get(machine);
          if (account != null) {
            news.add(admit(machine, account, claim));
          }
        });
    news.removeIf(n -> n.attempts() == 0 && n.outputs() == 0 && n.lost() == 0);
    news.replaceAll(this::withElsewhere);
    return news;
  }

  private AdmittedOutcomes admit(String machine, Account account, Claim claim) {
    int newJudged = upTo(Math.min(claim.judged(), account.seen) - account.judged);
    int newOutliers = Math.min(newJudged, upTo(claim.outliers() - account.outliers));
    int newOutputs = upTo(Math.min(claim.outputs(), account.seen) - account.outputs);
    account.judged += newJudged;
    account.outliers += newOutliers;
    account.outputs += newOutputs;
    int newLost = upTo(Math.min(claim.lost(), account.outputs) - account.lost);
    account.lost += newLost;
    judged += newJudged;
    outliers += newOutliers;
    return new AdmittedOutcomes(machine, newJudged, newOutliers, 0, 0, newOutputs, newLost);
  }

  /** Returns the growth of a total; 0 if it has shrunk, as a second AppMaster may know less. */
  private static int upTo(int difference) {
    return Math.max(0, difference);
  }

  private AdmittedOutcomes withElsewhere(AdmittedOutcomes n) {
    Account account = accounts.get(n.machine());
    return new AdmittedOutcomes(
        n.machine(),
        n.attempts(),
        n.outliers(),
        judged - account.judged,
        outliers - account.outliers,
        n.outputs(),
        n.lost());
  }
}
