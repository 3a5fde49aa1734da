// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares the claims of one application with what the scheduler saw of its containers, and admits
 * what these bear out. The only way from claims to {@link MachineStatistics}, and the place of the
 * rule that bounds them:
 *
 * <p><b>What an application claims about a machine never weighs more than its own containers that
 * were seen to end there.</b> Of a machine where none did, nothing is admitted. So a lying
 * AppMaster can move a machine's figures at most as far as that many attempts that all were, or all
 * were not, outliers; and about machines that it never used it can say nothing.
 *
 * <p>What is claimed beyond that is not lost: a claim is a total, so it is admitted when it is
 * repeated and more containers have been seen. An AppMaster may know of an end before the
 * ResourceManager does.
 *
 * <p>Kept by the caller for as long as the application lives; its size is bounded by the machines
 * on which the application's containers ended.
 */
public final class ClaimLedger {
  private final Map<String, Account> accounts = new HashMap<>();
  private int judged;
  private int outliers;

  /** One machine: what was seen, and what was admitted. */
  private static final class Account {
    private int seen;
    private int judged;
    private int outliers;
    private int outputs;
    private int lost;
  }

  /** A container of the application was seen to end on a machine. */
  public void containerEnded(String machine) {
    accounts.computeIfAbsent(machine, m -> new Account()).seen++;
  }

  /** Whether a container of the application was seen to end on a machine. */
  public boolean hasSeen(String machine) {
    return accounts.containsKey(machine);
  }

  /** On how many machines containers of the application were seen to end. */
  public int machines() {
    return accounts.size();
  }

  /**
   * Admits everything anew that is borne out: the statistics are others now, which were read from a
   * snapshot and know nothing of this application.
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
   * Admits what is new in claims and borne out by containers.
   *
   * @param claims by machine; all of them count for each other's {@code elsewhere}, so their order
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

  /** A total that has become smaller adds nothing: a second AppMaster may know less. */
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
