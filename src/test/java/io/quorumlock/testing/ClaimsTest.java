package io.quorumlock.testing;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.MissingNode;
import org.junit.jupiter.api.Test;

/** Shows that the checker can see. */
class ClaimsTest {
    private final Claims claims = new Claims();

    @Test
    void twoHoldersAtOnceAreFound() {
        long now = System.nanoTime();
        claims.granted("r", lease(now), 1_000);
        claims.granted("r", lease(now + 900_000_000), 1_000);
        assertThrows(AssertionError.class, claims::check);
    }

    @Test
    void oneAfterTheOtherAndTwoResourcesAreFine() {
        long now = System.nanoTime();
        claims.granted("r", lease(now), 1_000);
        claims.granted("r", lease(now + 989_000_000), 1_000);
        claims.granted("s", lease(now), 1_000);
        assertDoesNotThrow(claims::check);
    }

    private static LockClient.Answer lease(long at) {
        return new LockClient.Answer(201, MissingNode.getInstance(), null, at, at);
    }
}
