// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.channel.Report;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.scheduler.Reports;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class JobActionsTest {
  private static final long START = 1_700_000_000_000L;
  private static final long CONTAINERS = 100;

  private long now = START + 60_000;
  private long containers = CONTAINERS;
  private double ran = 200;
  private final JobActions actions =
      new JobActions(attempt -> START, attempt -> ran, () -> containers, () -> now);

  private static ApplicationAttemptId attempt(int application, int attempt) {
    return ApplicationAttemptId.newInstance(ApplicationId.newInstance(START, application), attempt);
  }

  private void copies(ApplicationAttemptId attempt, long sequence, ActionTotals said) {
    actions.onReport(attempt, Reports.ofActions(sequence, Map.of(ActionKind.COPY, said)));
  }

  private ActionTotals copies() {
    return actions.of(ActionKind.COPY);
  }

  @Test
  void jobsAreAddedUp() {
    copies(attempt(1, 1), 1, new ActionTotals(3, 1, 0, 5_000, 9_000));
    copies(attempt(2, 1), 1, new ActionTotals(2, 0, 1, 1_000, 0));
    copies(attempt(1, 1), 2, new ActionTotals(4, 2, 1, 7_000, 19_000));
    assertThat(copies()).isEqualTo(new ActionTotals(6, 2, 2, 8_000, 19_000));
    assertThat(actions.of(ActionKind.CLONE)).isEqualTo(ActionTotals.NONE);
    assertThat(actions.refused()).isZero();
  }

  /** After a failover AppMasters report before nodes have registered. */
  @Test
  void nobodyIsAccusedBeforeTheClusterIsKnown() {
    containers = 0;
    copies(attempt(1, 1), 7, new ActionTotals(3, 1, 0, 5_000, 9_000));
    copies(attempt(1, 1), 8, new ActionTotals(4, 2, 1, 7_000, 19_000));
    copies(attempt(2, 1), 1, new ActionTotals(1, 0, 0, 0, 0));
    assertThat(actions.refused()).isZero();
    containers = CONTAINERS;
    copies(attempt(1, 1), 9, new ActionTotals(4, 2, 1, 7_000, 19_000));
    copies(attempt(2, 1), 2, new ActionTotals(1, 0, 0, 0, 0));
    assertThat(copies()).isEqualTo(new ActionTotals(2, 1, 1, 2_000, 10_000));
    assertThat(actions.refused()).isZero();
  }

  /** Whichever reports are lost: the last one that arrives has everything. */
  @Test
  void lostReportsCostNothing() {
    Random random = new Random(7);
    ActionTotals said = ActionTotals.NONE;
    copies(attempt(1, 1), 1, said);
    for (int sequence = 2; sequence <= 200; sequence++) {
      said = said.plus(new ActionTotals(2, random.nextInt(2), 1, 1 + random.nextInt(50), 3));
      if (sequence == 200 || random.nextBoolean()) {
        copies(attempt(1, 1), sequence, said);
      }
    }
    assertThat(copies()).isEqualTo(said);
  }

  @Test
  void reportThatComesTwiceOrLateDoesNotCountAgain() {
    ActionTotals earlier = new ActionTotals(3, 1, 0, 5_000, 9_000);
    ActionTotals later = new ActionTotals(5, 1, 0, 5_000, 9_000);
    copies(attempt(1, 1), 1, earlier);
    copies(attempt(1, 1), 1, earlier);
    assertThat(copies()).isEqualTo(earlier);
    copies(attempt(1, 1), 3, later);
    copies(attempt(1, 1), 2, earlier); // the receiver drops it; if not, its sums have fallen
    assertThat(copies()).isEqualTo(later);
    assertThat(actions.refused()).isEqualTo(1);
    copies(attempt(1, 1), 4, later);
    assertThat(copies()).isEqualTo(later);
  }

  @Test
  void laterAppMasterBeginsAtZero() {
    copies(attempt(1, 1), 1, new ActionTotals(3, 1, 0, 5_000, 9_000));
    actions.retain(attempt -> attempt.getAttemptId() == 2);
    copies(attempt(1, 2), 1, new ActionTotals(1, 0, 0, 0, 0));
    assertThat(copies()).isEqualTo(new ActionTotals(4, 1, 0, 5_000, 9_000));
  }

  /** Its first report here is its seventh, so another ResourceManager has counted until then. */
  @Test
  void whatAnEarlierResourceManagerCountedDoesNotCountAgain() {
    copies(attempt(1, 1), 7, new ActionTotals(3, 1, 0, 5_000, 9_000));
    assertThat(copies()).isEqualTo(ActionTotals.NONE);
    copies(attempt(1, 1), 8, new ActionTotals(4, 2, 0, 5_000, 9_500));
    assertThat(copies()).isEqualTo(new ActionTotals(1, 1, 0, 0, 500));
  }

  /** However large the cluster is: one job cannot have done more than its own containers. */
  @Test
  void sumsThatAreTooLargeAreNotTakenUntilTheyCanBe() {
    containers = 1_000_000;
    long most = 2 * 200 + JobActions.SLACK_SECONDS;
    long seconds = 60 + JobActions.SLACK_SECONDS;
    copies(attempt(1, 1), 1, ActionTotals.launched(most + 1));
    copies(attempt(1, 1), 2, new ActionTotals(1, 0, 0, 1_000 * most + 1, 0));
    copies(attempt(1, 1), 3, new ActionTotals(1, 0, 0, 0, 1));
    copies(attempt(1, 1), 4, new ActionTotals(9, 1, 0, 0, 10_000 * seconds + 1));
    copies(attempt(1, 1), 5, new ActionTotals(9, 9, 0, 0, 10_000 * most + 1));
    assertThat(copies()).isEqualTo(ActionTotals.NONE);
    assertThat(actions.refused()).isEqualTo(5);
    ran += 1;
    ActionTotals largest = new ActionTotals(most + 2, 9, 0, 1_000 * most, 10_000 * most);
    copies(attempt(1, 1), 6, largest);
    assertThat(copies()).isEqualTo(largest);
  }

  /** They are made before anything runs, and not all get a container. */
  @Test
  void clonesNeedNoContainersToBeLaunched() {
    ran = 0;
    long most = (60 + JobActions.SLACK_SECONDS) * CONTAINERS;
    actions.onReport(
        attempt(1, 1),
        Reports.ofActions(1, Map.of(ActionKind.CLONE, ActionTotals.launched(most + 1))));
    assertThat(actions.of(ActionKind.CLONE)).isEqualTo(ActionTotals.NONE);
    actions.onReport(
        attempt(1, 1), Reports.ofActions(2, Map.of(ActionKind.CLONE, ActionTotals.launched(most))));
    assertThat(actions.of(ActionKind.CLONE)).isEqualTo(ActionTotals.launched(most));
  }

  /** This one does not know the containers that had ended before. */
  @Test
  void whatAnEarlierResourceManagerCountedIsNotHeldAgainstAJob() {
    ran = 1;
    long before = 50_000_000;
    copies(attempt(1, 1), 7, new ActionTotals(9_000, 8_000, 0, before, before));
    copies(attempt(1, 1), 8, new ActionTotals(9_001, 8_001, 0, before + 2_000, before + 500));
    assertThat(copies()).isEqualTo(new ActionTotals(1, 1, 0, 2_000, 500));
    assertThat(actions.refused()).isZero();
  }

  @Test
  void kindThatIsMissingLaterHasFallen() {
    ActionTotals some = ActionTotals.launched(3);
    copies(attempt(1, 1), 1, some);
    actions.onReport(attempt(1, 1), Reports.ofActions(2, Map.of(ActionKind.CLONE, some)));
    assertThat(actions.of(ActionKind.CLONE)).isEqualTo(ActionTotals.NONE);
    copies(attempt(1, 1), 3, ActionTotals.launched(5));
    assertThat(copies()).isEqualTo(ActionTotals.launched(5));
    assertThat(actions.refused()).isEqualTo(1);
  }

  @Test
  void liesOfOneJobDoNotKeepOthersOut() {
    copies(attempt(1, 1), 1, ActionTotals.launched(Report.MAX_ACTIONS));
    copies(attempt(2, 1), 1, ActionTotals.launched(1));
    assertThat(copies()).isEqualTo(ActionTotals.launched(1));
  }
}
