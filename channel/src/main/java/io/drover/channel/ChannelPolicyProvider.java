// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/**
 * The access list of the channel, for clusters with {@code hadoop.security.authorization}: an entry
 * of {@code hadoop-policy.xml} like those of YARN's own protocols. As with {@code
 * security.applicationmaster.protocol.acl}, the user whom it is asked about is named after the
 * application attempt, so that by users it can say little more than all or none; by hosts ({@code
 * security.drover.channel.protocol.hosts}) it can say more.
 */
public final class ChannelPolicyProvider extends PolicyProvider {
  /** The entry's key. */
  public static final String ACL = "security.drover.channel.protocol.acl";

  @Override
  public Service[] getServices() {
    return new Service[] {new Service(ACL, ChannelProtocolPB.class)};
  }
}
