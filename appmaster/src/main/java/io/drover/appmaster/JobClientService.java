// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.MRClientService;

/**
 * Hadoop's service for the job's clients, without web pages if they do not start. Hadoop goes on
 * without them too, but then ends when it asks for their port.
 */
final class JobClientService extends MRClientService {
  JobClientService(AppContext context) {
    super(context);
  }

  @Override
  public int getHttpPort() {
    return getWebApp() == null ? 0 : super.getHttpPort();
  }
}
