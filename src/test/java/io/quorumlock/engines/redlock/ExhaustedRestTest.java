// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.Extension;
import io.quorumlock.testing.FakeFleet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** R5: a lease that a majority lost, on a master where it has no extension left. */
class ExhaustedRestTest {
    private final FakeFleet fleet = new FakeFleet(3);

    @Test
    void deletesRestOfLostLeaseWithoutExtensions() {
        fleet.acquire(A);
        for (int i = 0; i < FakeFleet.EXTENSIONS_MAX; i++) {
            fleet.extend(A);
        }
        fleet.master(1).forget();
        fleet.master(2).forget();
        assertInstanceOf(Extension.Lost.class, fleet.extend(A));
        fleet.time.pass(Duration.ofSeconds(1));
        assertEquals(0, fleet.holding());
    }
}
