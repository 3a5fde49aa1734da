// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.testbed.cluster.DroverCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** What Drover's scheduler tells over the web. */
final class SchedulerServices {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private SchedulerServices() {}

  /** What the active ResourceManager has learnt. */
  static JsonNode statistics(DroverCluster cluster) throws IOException, InterruptedException {
    return status(cluster).get("statistics");
  }

  /** What the active ResourceManager tells of Drover. */
  static JsonNode status(DroverCluster cluster) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(cluster.resourceManagerServices() + "/drover")).build();
    HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new ObjectMapper().readTree(response.body());
  }
}
