// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageTemplateTest {

  @Test
  void dataCannotEndTheirScriptElement() throws Exception {
    ObjectNode evil =
        JsonNodeFactory.instance
            .objectNode()
            .put("why", "</script><script>alert('&')</script><!-- \u2028");

    String text = PageTemplate.inScript(evil);

    assertThat(text).doesNotContain("<", ">", "&", "\u2028");
    assertThat(new ObjectMapper().readTree(text)).isEqualTo(evil);
  }

  @Test
  void textIsEscapedAsHtml() {
    assertThat(PageTemplate.html("<b a=\"1\">'&'</b>"))
        .isEqualTo("&lt;b a=&quot;1&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;");
  }

  @Test
  void placesInTextsAreLeftAlone() {
    String filled = PageTemplate.fill("{{a}} and {{b}}", Map.of("a", "{{b}} $1", "b", "\\B"));

    assertThat(filled).isEqualTo("{{b}} $1 and \\B");
    assertThatThrownBy(() -> PageTemplate.fill("{{c}}", Map.of())).hasMessageContaining("{{c}}");
  }
}
