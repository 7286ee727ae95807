// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.http.keys.KeyUsage.TokenBucket;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final int PER_SECOND = 10;

    private final VirtualTime time = new VirtualTime();
    private final TokenBucket bucket = new TokenBucket(time.now());

    @Test
    void allowsABurstOfOneSecond() {
        assertEquals(10, admittedOf(20));
        assertEquals(Optional.of(Duration.ofMillis(100)), bucket.take(PER_SECOND, time.now()));
        time.pass(Duration.ofMillis(100));
        assertEquals(1, admittedOf(20));
    }

    @Test
    void doesNotAccumulateBeyondOneSecond() {
        time.pass(Duration.ofHours(1));
        assertEquals(10, admittedOf(20));
    }

    @Test
    void doesNotChargeRejectedRequests() {
        admittedOf(1_000);
        time.pass(Duration.ofSeconds(1));
        assertEquals(10, admittedOf(20));
    }

    @Test
    void appliesAChangedRateToTheNextRequest() {
        assertEquals(10, admittedOf(20));
        time.pass(Duration.ofSeconds(1));
        assertEquals(Optional.empty(), bucket.take(1, time.now()));
        assertEquals(Optional.of(Duration.ofSeconds(1)), bucket.take(1, time.now()));
    }

    private int admittedOf(int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += bucket.take(PER_SECOND, time.now()).isEmpty() ? 1 : 0;
        }
        return admitted;
    }
}
