// SPDX-License-Identifier: Apache-2.0
package io.drover.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForeignTextTest {
  private static final String SHEEP = "\ud83d\udc11";

  @Test
  void noCharacterIsCutInTwo() {
    assertThat(ForeignText.cut("ab", 2)).isEqualTo("ab");
    assertThat(ForeignText.cut("abc", 2)).isEqualTo("ab");
    assertThat(ForeignText.cut("a" + SHEEP + "c", 2)).isEqualTo("a");
    assertThat(ForeignText.cut("a" + SHEEP + "c", 3)).isEqualTo("a" + SHEEP);
    assertThat(ForeignText.cut(SHEEP, 0)).isEmpty();
  }

  @Test
  void onlyHalvesOfCharactersAreReplaced() {
    assertThat(ForeignText.wellFormed("décompte 数 " + SHEEP)).isEqualTo("décompte 数 " + SHEEP);
    assertThat(ForeignText.wellFormed("a\ud800b\udc11")).isEqualTo("a\ufffdb\ufffd");
  }
}
