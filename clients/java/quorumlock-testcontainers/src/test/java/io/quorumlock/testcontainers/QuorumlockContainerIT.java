// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testcontainers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.client.Lease;
import io.quorumlock.client.LockHeldException;
import io.quorumlock.client.Options;
import io.quorumlock.client.QuorumlockClient;
import io.quorumlock.client.RefusedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The image that the property {@code quorumlock.image} names. Needs a Docker engine, so it is run by its name only. */
class QuorumlockContainerIT {
    /** Shorter than that of the step of the pipeline that runs it. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void serviceGivesLocks() throws InterruptedException {
        try (QuorumlockContainer service = new QuorumlockContainer(System.getProperty("quorumlock.image"))) {
            service.withLogConsumer(frame -> System.out.print(frame.getUtf8String()));
            service.withEnv("QUORUMLOCK_TTL_MAX", "40s").start();
            QuorumlockClient client =
                    QuorumlockClient.builder().url(service.getUrl()).build();
            try (client;
                    Lease lease = client.acquire("orders/42")) {
                lease.checkHeld();
                assertThrows(LockHeldException.class, () -> client.acquire("orders/42"));
                Options longer = new Options().ttl(Duration.ofSeconds(50));
                RefusedException refused =
                        assertThrows(RefusedException.class, () -> client.acquire("orders/43", longer));
                assertEquals(400, refused.status());
            }
        }
    }
}
