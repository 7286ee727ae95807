// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.client.testing.Relay;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cases of this package, beside the scenarios that the clients in all languages share. */
class LeaseTest {
    private static final Duration TTL = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    private final Relay relay = new Relay();

    private final String name = "java/" + UUID.randomUUID();
    private final QuorumlockClient client = relay.client();

    @Test
    void tryLockIsEmptyWhileTheLockIsHeld() throws InterruptedException {
        Lease lease = client.tryLock(name, Duration.ZERO, TTL).orElseThrow();
        assertTrue(client.tryLock(name, Duration.ZERO, TTL).isEmpty());
        assertTrue(lease.release());
        client.tryLock(name, Duration.ZERO, TTL).orElseThrow().close();
    }

    @Test
    void fixedLeaseEndsAfterItsTime() throws Exception {
        Lease lease = client.tryLock(name, Duration.ZERO, SHORT).orElseThrow();
        CompletableFuture<LeaseLostException> lost = new CompletableFuture<>();
        lease.onLost(lost::complete);
        assertEquals(
                "it was not extended in time", lost.get(30, TimeUnit.SECONDS).reason());
        assertFalse(lease.extend(TTL));
        client.tryLock(name, PATIENCE, TTL).orElseThrow().close();
        assertThrows(LeaseLostException.class, lease::close);
    }

    @Test
    void extendedLeaseLastsLonger() throws InterruptedException {
        Lease lease = client.tryLock(name, Duration.ZERO, SHORT).orElseThrow();
        assertTrue(lease.extend(TTL));
        assertTrue(lease.remaining().compareTo(SHORT) > 0);
        RefusedException refused = assertThrows(RefusedException.class, () -> lease.extend(Duration.ofDays(2)));
        assertEquals(400, refused.status());
        assertTrue(lease.isHeld());
        assertTrue(lease.release());
        assertFalse(lease.extend(TTL));
    }

    @Test
    void extensionWithoutServiceIsUnavailable() throws InterruptedException {
        Lease lease = client.tryLock(name, Duration.ZERO, TTL).orElseThrow();
        relay.stop();
        assertThrows(UnavailableException.class, () -> lease.extend(TTL));
        assertThrows(UnavailableException.class, client::checkReady);
        assertTrue(lease.isHeld());
        relay.restart();
        client.checkReady();
        assertTrue(lease.extend(TTL));
        assertTrue(lease.release());
    }

    @Test
    void releaseCanKeepTheLock() throws InterruptedException {
        assertTrue(client.acquire(name).release(TTL));
        LockHeldException held = assertThrows(LockHeldException.class, () -> client.acquire(name));
        assertTrue(held.isKept());
    }

    /** The TTL then ends the lease. */
    @Test
    void closedClientDoesNotWaitForAServiceThatIsAway() throws InterruptedException {
        client.tryLock(name, Duration.ZERO, TTL).orElseThrow();
        relay.stop();
        client.close();
        try (QuorumlockClient direct = QuorumlockClient.fromEnvironment()) {
            LockHeldException held = assertThrows(LockHeldException.class, () -> direct.acquire(name));
            assertTrue(held.remaining().compareTo(SHORT) > 0);
        }
    }
}
