// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class TimelineTest {
    private final RunBuilder builder =
            new RunBuilder().header(1, FaultKind.SUSPEND_REPLICA).replicaFault(FaultKind.SUSPEND_REPLICA, 500, 2_000);

    @Test
    void showsFaultsAndViolations() throws Exception {
        builder.calls.acquired("a", 0, 5, 1).acquired("b", 900, 905, 2);
        Document drawing = drawing();
        assertEquals(2, drawing.getElementsByTagName("rect").getLength());
        assertTrue(page().contains("class=\"violation\""), this::page);
        assertTrue(page().contains("two holders"), this::page);
    }

    @Test
    void drawsEmptyCharts() throws Exception {
        assertEquals(4, drawing().getElementsByTagName("polygon").getLength());
    }

    private String page() {
        return new Timeline(builder.run(), Verdict.of(builder.run())).html();
    }

    private Document drawing() throws Exception {
        String page = page();
        String drawing = page.substring(page.indexOf("<svg"));
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(drawing)));
    }
}
