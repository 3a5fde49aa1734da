// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.junit.jupiter.api.Test;

class ChannelTokenSelectorTest {
  private static final Text SERVICE = new Text("10.0.0.1:8036");

  private final ChannelTokenSelector selector = new ChannelTokenSelector();

  private static Token<AMRMTokenIdentifier> token(int key) {
    byte[] id = new AMRMTokenIdentifier(SampleMessages.attempt(1), key).getBytes();
    return new Token<>(id, new byte[0], AMRMTokenIdentifier.KIND_NAME, new Text("rm:8030"));
  }

  private static Token<TokenIdentifier> token(String kind, byte... id) {
    return new Token<>(id, new byte[0], new Text(kind), SERVICE);
  }

  @Test
  void newestKeyIsChosenWhateverTheService() {
    Token<AMRMTokenIdentifier> newest = token(8);
    assertThat(selector.selectToken(SERVICE, List.of(token(7), newest, token(-3))))
        .isSameAs(newest);
  }

  @Test
  void keysThatWrapAroundGoOn() {
    Token<AMRMTokenIdentifier> newest = token(Integer.MIN_VALUE + 1);
    assertThat(selector.selectToken(SERVICE, List.of(token(Integer.MAX_VALUE), newest)))
        .isSameAs(newest);
    assertThat(selector.selectToken(SERVICE, List.of(newest, token(Integer.MAX_VALUE))))
        .isSameAs(newest);
  }

  @Test
  void ownTokenComesBeforeThoseOfOthersAndTheNewestFirst() {
    Token<AMRMTokenIdentifier> old = token(7);
    Token<AMRMTokenIdentifier> newest = token(8);
    byte[] id = new AMRMTokenIdentifier(SampleMessages.attempt(2), 9).getBytes();
    Token<AMRMTokenIdentifier> other =
        new Token<>(id, new byte[0], AMRMTokenIdentifier.KIND_NAME, SERVICE);
    String me = SampleMessages.attempt(1).toString();
    assertThat(ChannelTokenSelector.bestFirst(List.of(other, old, newest), me))
        .containsExactly(newest, old);
    assertThat(ChannelTokenSelector.bestFirst(List.of(other), me)).containsExactly(other);
    assertThat(ChannelTokenSelector.bestFirst(List.of(), me)).isEmpty();
  }

  @Test
  void otherKindsAndWhatCannotBeReadArePassedOver() {
    Token<AMRMTokenIdentifier> good = token(1);
    assertThat(
            selector.selectToken(
                SERVICE,
                List.of(token("HDFS_DELEGATION_TOKEN"), token("YARN_AM_RM_TOKEN", (byte) 1), good)))
        .isSameAs(good);
    assertThat(selector.selectToken(SERVICE, List.of(token("HDFS_DELEGATION_TOKEN")))).isNull();
    assertThat(selector.selectToken(SERVICE, List.of())).isNull();
  }
}
