// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.keys.KeyId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The audit line of a forced release. User input cannot change its keys or add lines. */
class ForceAuditTest {
    private static final ForcedRelease BROKEN = new ForcedRelease.Broken(Optional.of(new Owner("worker-1")));

    @Test
    void lineContainsOwnerClientAndReason() {
        ForceAudit audit = audit("orders/42", "the holder is gone", Optional.of("req-1"));
        assertEquals(
                "forced release status=204 resource=\"orders/42\" owner=\"worker-1\" reason=\"the holder is gone\""
                        + " client=\"10.1.2.3\" request_id=\"req-1\"",
                audit.line(204, BROKEN));
    }

    @Test
    void lineContainsKeyOfAuthenticatedClientAndWhatItAskedFor() {
        ForceAudit audit = new ForceAudit(
                new ResourceName("a"),
                Optional.of(new Owner("worker-2")),
                Optional.of(7L),
                new ForceReason("r"),
                "10.1.2.3",
                Optional.empty(),
                Optional.of(new KeyId("ops")));
        assertEquals(
                "forced release status=404 resource=\"a\" owner=\"worker-2\" fencing_token=7 reason=\"r\" key=\"ops\" client=\"10.1.2.3\"",
                audit.line(404, new ForcedRelease.Free()));
    }

    @Test
    void omitsUnknownValues() {
        assertEquals(
                "forced release status=404 resource=\"a\" reason=\"r\" client=\"10.1.2.3\"",
                audit("a", "r", Optional.empty()).line(404, new ForcedRelease.Free()));
    }

    @Test
    void escapesQuotesAndLineBreaks() {
        Optional<Owner> owner = Optional.of(new Owner("\u2028\u202e\\\""));
        ForceAudit audit = audit("a\" owner=\"b", "\" x=\"\\", Optional.of("i\u001b\ud83d\udc4d"));
        assertEquals(
                "forced release status=204 resource=\"a\\\" owner=\\\"b\" owner=\"\\u2028\\u202e\\\\\\\"\""
                        + " reason=\"\\\" x=\\\"\\\\\" client=\"10.1.2.3\" request_id=\"i\\u001b\ud83d\udc4d\"",
                audit.line(204, new ForcedRelease.Broken(owner)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "\u2003", "a\nb", "a\rb", "\u0000", "\u001b[31m", "\u0085", "\u2029", "\u202e", "\ud800"
            })
    void rejectsUnprintableReasons(String text) {
        assertThrows(IllegalArgumentException.class, () -> new ForceReason(text));
    }

    @Test
    void limitsLengthOfReason() {
        assertEquals(256, new ForceReason("r".repeat(256)).text().length());
        assertThrows(IllegalArgumentException.class, () -> new ForceReason("r".repeat(257)));
    }

    private static ForceAudit audit(String resource, String reason, Optional<String> id) {
        // The constructor of ForceReason checks the other characters.
        return new ForceAudit(
                new ResourceName(resource),
                Optional.empty(),
                Optional.empty(),
                new ForceReason(reason),
                "10.1.2.3",
                id,
                Optional.empty());
    }
}
