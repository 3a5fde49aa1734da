// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives the classes whose tests leave it as it was one cluster, with Hadoop's own scheduler: to
 * start one takes a slow machine half a minute. The first who asks starts it; it is closed after
 * the last class.
 */
public final class SharedCluster implements ParameterResolver {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(SharedCluster.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == DroverCluster.class;
  }

  @Override
  public DroverCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(HERE) // it closes what it holds
        .getOrComputeIfAbsent(DroverCluster.class, type -> start(), DroverCluster.class);
  }

  private static DroverCluster start() {
    try {
      return DroverCluster.builder().start(StartListener.NONE);
    } catch (Exception e) {
      throw new ParameterResolutionException("the cluster does not start", e);
    }
  }
}
