// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.core.config.ChannelSettings;
import java.io.Closeable;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.NullRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.security.AMRMTokenSecretManager;

/** A ResourceManager's end of the channel on the loopback interface, with real AMRMTokens. */
final class Manager implements Closeable {
  /** How long tests wait for an answer that must come: a busy machine takes seconds for one. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  final FakeHandler handler;
  final AMRMTokenSecretManager tokens;
  final ChannelService service;

  private Manager(
      FakeHandler handler, AMRMTokenSecretManager tokens, Configuration conf, LongSupplier nanos) {
    this.handler = handler;
    this.tokens = tokens;
    this.service = new ChannelService(handler, tokens, nanos);
    service.init(conf);
    service.start();
  }

  /** Starts one on any free port. It accepts 30 reports a second from an attempt. */
  static Manager start() {
    return start(conf(0));
  }

  static Manager start(Configuration conf) {
    return start(conf, System::nanoTime);
  }

  static Manager start(Configuration conf, LongSupplier nanos) {
    RMContextImpl context = new RMContextImpl();
    context.setStateStore(new NullRMStateStore());
    AMRMTokenSecretManager tokens = new AMRMTokenSecretManager(conf, context);
    tokens.start();
    return new Manager(new FakeHandler(), tokens, conf, nanos);
  }

  /** Creates a standby with the same keys. It has received nothing yet. */
  Manager standby(Configuration conf) {
    Manager standby = new Manager(new FakeHandler(), tokens, conf, System::nanoTime);
    standby.handler.running.addAll(handler.running);
    return standby;
  }

  static Configuration conf(int port) {
    Configuration conf = new YarnConfiguration();
    conf.set(ChannelSettings.ADDRESS.key(), "127.0.0.1:" + port);
    conf.set(ChannelSettings.PERIOD.key(), "100ms");
    return conf;
  }

  int port() {
    return service.address().orElseThrow().getPort();
  }

  String address() {
    return "127.0.0.1:" + port();
  }

  /** Starts an attempt and returns its token. */
  Token<AMRMTokenIdentifier> token(ApplicationAttemptId attempt) {
    handler.running.add(attempt);
    return tokens.createAndGetAMRMToken(attempt);
  }

  /** Returns a user with a token. */
  static UserGroupInformation speaker(Token<AMRMTokenIdentifier> token) {
    UserGroupInformation speaker = UserGroupInformation.createRemoteUser("am");
    speaker.addToken(token);
    return speaker;
  }

  /** Connects the first attempt, or another one if the speaker has only the other one's token. */
  RpcTransport transport(UserGroupInformation speaker) {
    String attempt = SampleMessages.attempt(1).toString();
    return new RpcTransport(address(), attempt, speaker, conf(0), PATIENCE);
  }

  @Override
  public void close() {
    service.stop();
    tokens.stop();
  }
}
