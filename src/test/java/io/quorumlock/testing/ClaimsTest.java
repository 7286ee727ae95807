// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/** A test of the checker itself. */
class ClaimsTest {
    private final Claims claims = new Claims();

    @Test
    void detectsOverlappingClaims() {
        long now = System.nanoTime();
        claims.granted("r", lease(now, 1), 1_000);
        claims.granted("r", lease(now + 900_000_000, 2), 1_000);
        assertThrows(AssertionError.class, claims::check);
    }

    @Test
    void acceptsSuccessiveClaimsAndOtherResources() {
        long now = System.nanoTime();
        claims.granted("r", lease(now, 1), 1_000);
        claims.granted("r", lease(now + 989_000_000, 2), 1_000);
        claims.granted("s", lease(now, 1), 1_000);
        assertDoesNotThrow(claims::check);
    }

    @Test
    void detectsRepeatedFencingTokens() {
        long now = System.nanoTime();
        claims.granted("r", lease(now, 5), 1_000);
        claims.granted("r", lease(now + 2_000_000_000, 5), 1_000);
        assertThrows(AssertionError.class, claims::check);
    }

    private static LockClient.Answer lease(long at, long fence) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("fencingToken", fence);
        return new LockClient.Answer(201, body, null, at, at);
    }
}
