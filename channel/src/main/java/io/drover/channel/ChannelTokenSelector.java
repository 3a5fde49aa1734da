// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.security.token.TokenSelector;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects the AMRMToken with which an AppMaster authenticates itself. It ignores the service that
 * the token names: that is the scheduler's address, and the channel is another port of the same
 * ResourceManager.
 *
 * <p>Usually there is one token, because Hadoop's AppMaster replaces it when the ResourceManager
 * rolls its key. If there are several, for example that of the job that submitted this one, the
 * attempt's own tokens come first, and among these the one with the newest key. Key ids are
 * consecutive and wrap around, but a ResourceManager that takes over starts at another number. So
 * the newest key is a guess. If that token is refused, the client tries the next one.
 */
public final class ChannelTokenSelector implements TokenSelector<AMRMTokenIdentifier> {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelTokenSelector.class);

  @Override
  public Token<AMRMTokenIdentifier> selectToken(
      Text service, Collection<Token<? extends TokenIdentifier>> tokens) {
    return newest(tokens);
  }

  /** Returns the attempt's AMRMTokens, or all AMRMTokens if it has none; the newest is first. */
  static List<Token<AMRMTokenIdentifier>> bestFirst(
      Collection<Token<? extends TokenIdentifier>> tokens, String attempt) {
    List<Token<AMRMTokenIdentifier>> all = new ArrayList<>();
    List<Token<AMRMTokenIdentifier>> own = new ArrayList<>();
    for (Token<? extends TokenIdentifier> token : tokens) {
      AMRMTokenIdentifier id = identifier(token);
      if (id != null) {
        all.add(amrmToken(token));
        if (id.getApplicationAttemptId().toString().equals(attempt)) {
          own.add(amrmToken(token));
        }
      }
    }
    List<Token<AMRMTokenIdentifier>> chosen = own.isEmpty() ? all : own;
    Token<AMRMTokenIdentifier> newest = newest(chosen);
    if (newest != null && chosen.remove(newest)) {
      chosen.add(0, newest);
    }
    return chosen;
  }

  private static Token<AMRMTokenIdentifier> newest(
      Collection<? extends Token<? extends TokenIdentifier>> tokens) {
    Token<AMRMTokenIdentifier> newest = null;
    int newestKey = 0;
    for (Token<? extends TokenIdentifier> token : tokens) {
      AMRMTokenIdentifier id = identifier(token);
      if (id != null && (newest == null || id.getKeyId() - newestKey > 0)) {
        newest = amrmToken(token);
        newestKey = id.getKeyId();
      }
    }
    return newest;
  }

  /** Decodes an AMRMToken; null for tokens of other kinds and for one that cannot be read. */
  private static AMRMTokenIdentifier identifier(Token<? extends TokenIdentifier> token) {
    if (!AMRMTokenIdentifier.KIND_NAME.equals(token.getKind())) {
      return null;
    }
    try {
      return amrmToken(token).decodeIdentifier();
    } catch (IOException e) {
      LOG.warn("Drover ignores an AMRMToken that cannot be read", e);
      return null;
    }
  }

  @SuppressWarnings("unchecked") // identifier() has checked the token's kind
  private static Token<AMRMTokenIdentifier> amrmToken(Token<? extends TokenIdentifier> token) {
    return (Token<AMRMTokenIdentifier>) token;
  }
}
