// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.channel.proto.ChannelProtos.ChannelProtocol;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.token.TokenInfo;

/**
 * The protocol in the form that Hadoop's RPC expects. Its name must be that of this class, because
 * service-level authorization loads the class that a connection names.
 */
@ProtocolInfo(protocolName = "io.drover.channel.ChannelProtocolPB", protocolVersion = 1)
@TokenInfo(ChannelTokenSelector.class)
public interface ChannelProtocolPB extends ChannelProtocol.BlockingInterface {}
