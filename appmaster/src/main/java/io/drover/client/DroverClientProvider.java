// SPDX-License-Identifier: Apache-2.0
package io.drover.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;

/**
 * Runs jobs with {@code mapreduce.framework.name=drover} on YARN in Drover's AppMaster. Any other
 * name is left to the other providers.
 *
 * <p>Every process that has this jar on its class path loads this class when it connects to a
 * cluster, and a provider that cannot be loaded hides those after it. YARN's client may be missing.
 * So outside of method bodies, this class names only what core MapReduce has.
 */
public final class DroverClientProvider extends ClientProtocolProvider {
  /** The framework's name. */
  public static final String FRAMEWORK = "drover";

  @Override
  public ClientProtocol create(Configuration conf) {
    return FRAMEWORK.equals(conf.get(MRConfig.FRAMEWORK_NAME)) ? new DroverRunner(conf) : null;
  }

  @Override
  public ClientProtocol create(InetSocketAddress address, Configuration conf) {
    return create(conf); // as Hadoop's provider for YARN does: the configuration has the address
  }

  @Override
  public void close(ClientProtocol client) throws IOException {
    if (client instanceof DroverRunner runner) {
      runner.close();
    }
  }
}
