// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.scheduler.MockCluster;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Test;

class CloneRequestBookTest {
  private final ApplicationAttemptId attempt =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
  private final CloneRequestBook book = new CloneRequestBook();

  private static List<ResourceRequest> requests(int from, int keys, int count) {
    List<ResourceRequest> requests = new ArrayList<>();
    for (int id = from; id < from + keys; id++) {
      requests.add(
          ResourceRequest.newBuilder()
              .priority(Priority.newInstance(MockCluster.CLONE))
              .resourceName(ResourceRequest.ANY)
              .capability(Resource.newInstance(1024, 1))
              .numContainers(count)
              .allocationRequestId(id)
              .executionTypeRequest(ExecutionTypeRequest.newInstance(ExecutionType.GUARANTEED))
              .build());
    }
    return requests;
  }

  /** Each costs every heartbeat of its AppMaster and every round something; MapReduce has two. */
  @Test
  void oneAttemptHasOnlySoManyAsks() {
    book.update(attempt, requests(0, 100_000, 1));
    assertThat(book.of(attempt)).hasSize(CloneRequestBook.MOST_KEYS);
    assertThat(book.count()).isEqualTo(CloneRequestBook.MOST_KEYS);
    book.update(attempt, requests(0, 1, 7));
    assertThat(book.of(attempt).get(0).count()).as("one that is known may change").isEqualTo(7);

    book.update(attempt, requests(0, 100_000, 0));
    book.update(attempt, requests(200_000, 2, 1));
    assertThat(book.of(attempt)).as("what is met makes room").hasSize(2);
  }

  @Test
  void oneAskNamesOnlySoManyPlaces() {
    List<ResourceRequest> said = new ArrayList<>();
    for (int host = 0; host < 100_000; host++) {
      ResourceRequest request = requests(0, 1, 1).get(0);
      request.setResourceName("host" + host);
      said.add(request);
    }
    said.addAll(requests(0, 1, 1));
    book.update(attempt, said);
    SchedulerRequestKey key = SchedulerRequestKey.create(said.get(0));
    assertThat(book.count(attempt, key)).isEqualTo(1);
    assertThat(book.cut(attempt, key, 1)).hasSize(CloneRequestBook.MOST_PLACES + 1);
  }

  @Test
  void whatIsTakenOutIsAllThatWasSaid() {
    book.update(attempt, requests(0, 2, 3));
    book.update(attempt, requests(1, 1, 0));
    assertThat(book.take(attempt))
        .extracting(requests -> requests.get(0).getNumContainers())
        .as("a cancellation too")
        .containsExactly(3, 0);
    assertThat(book.isEmpty()).isTrue();
    assertThat(book.take(attempt)).isEmpty();
  }

  @Test
  void whatTheSchedulerCouldNotBeToldIsToldAgain() {
    List<ResourceRequest> said = requests(0, 1, 3);
    SchedulerRequestKey key = SchedulerRequestKey.create(said.get(0));
    book.update(attempt, said);
    assertThat(book.isTold(attempt, key)).isFalse();
    assertThat(book.cut(attempt, key, 2)).hasSize(1);
    assertThat(book.isTold(attempt, key)).isTrue();
    book.untold(attempt, key);
    assertThat(book.isTold(attempt, key)).isFalse();
  }
}
