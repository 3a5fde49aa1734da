// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/**
 * Provides the channel's ACL for clusters with {@code hadoop.security.authorization}. It is an
 * entry of {@code hadoop-policy.xml} like those of YARN's own protocols. As with {@code
 * security.applicationmaster.protocol.acl}, the ACL is checked for a user named after the
 * application attempt. So a list of users can only allow all or none; a list of hosts ({@code
 * security.drover.channel.protocol.hosts}) is more useful.
 */
public final class ChannelPolicyProvider extends PolicyProvider {
  /** The entry's key. */
  public static final String ACL = "security.drover.channel.protocol.acl";

  @Override
  public Service[] getServices() {
    return new Service[] {new Service(ACL, ChannelProtocolPB.class)};
  }
}
