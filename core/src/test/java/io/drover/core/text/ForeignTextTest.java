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
  void whatControlsATerminalOrThePageIsShownAsASpace() {
    assertThat(ForeignText.printable("a\u001b[31mb\nc\u009bd\u202ee\u2028f\ud800"))
        .isEqualTo("a [31mb c d e f\ufffd");
    assertThat(ForeignText.printable("décompte 数 שלום " + SHEEP))
        .isEqualTo("décompte 数 שלום " + SHEEP);
  }

  @Test
  void jsonWithControlsMeansTheSame() {
    assertThat(ForeignText.printableJson("{\"a\":\"b\u009bc\u202ed\udb40\udc01\"}"))
        .isEqualTo("{\"a\":\"b\\u009bc\\u202ed\\udb40\\udc01\"}");
    assertThat(ForeignText.printableJson("{\"a\":\"$1 \\\\n é\"}"))
        .isEqualTo("{\"a\":\"$1 \\\\n é\"}");
  }

  @Test
  void onlyHalvesOfCharactersAreReplaced() {
    assertThat(ForeignText.wellFormed("décompte 数 " + SHEEP)).isEqualTo("décompte 数 " + SHEEP);
    assertThat(ForeignText.wellFormed("a\ud800b\udc11")).isEqualTo("a\ufffdb\ufffd");
  }
}
