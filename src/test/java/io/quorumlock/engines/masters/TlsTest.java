// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.TlsProxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Connections to a real Redis with TLS. */
@Execution(ExecutionMode.CONCURRENT)
class TlsTest {
    private static RedisServer redis;
    private static Certificate localhost;
    private static Certificate elsewhere;
    private static TlsProxy honest;
    private static TlsProxy impostor;

    @BeforeAll
    static void start(@TempDir Path folder) {
        redis = RedisServers.start(1).get(0);
        localhost = Certificate.of("localhost", folder);
        elsewhere = Certificate.of("elsewhere.example", folder);
        honest = new TlsProxy(redis.url(), localhost);
        impostor = new TlsProxy(redis.url(), elsewhere);
    }

    @AfterAll
    static void stop() {
        honest.close();
        impostor.close();
        redis.close();
    }

    @Test
    void acceptsTrustedCertificate() {
        try (RealFleet fleet = RealFleet.trusting(localhost.pem(), honest.url("localhost"))) {
            assertEquals(1, fleet.fleet.up());
            assertInstanceOf(MasterReply.Granted.class, acquire(fleet));
        }
    }

    @Test
    void rejectsUntrustedCertificate() {
        try (RealFleet fleet = new RealFleet(honest.url("localhost"))) {
            assertNotConnected("its certificate is of an unknown authority; set QUORUMLOCK_NODE_CA_FILE", fleet);
        }
    }

    @Test
    void rejectsTrustedCertificateOfAnotherHost() {
        try (RealFleet fleet = RealFleet.trusting(elsewhere.pem(), impostor.url("localhost"))) {
            assertNotConnected("name matching localhost", fleet);
        }
    }

    @Test
    @Tag("nightly")
    void hintsAtWrongScheme() {
        String withoutTls = redis.url().toString().replace("redis:", "rediss:");
        String withTls = honest.url("localhost").toString().replace("rediss:", "redis:");
        // The server without TLS does not answer the handshake, so that the connection fails by its timeout.
        try (RealFleet first = new RealFleet(Duration.ofSeconds(1), URI.create(withoutTls));
                RealFleet second = new RealFleet(URI.create(withTls))) {
            assertDetail("write redis:// if the server has no TLS", first);
            assertDetail("write rediss:// if the server has TLS", second);
        }
    }

    private static void assertDetail(String hint, RealFleet fleet) {
        Eventually.holds(() -> fleet.fleet.servers().toString(), () -> fleet.fleet
                .servers()
                .get(0)
                .detail()
                .filter(detail -> detail.endsWith(hint))
                .isPresent());
    }

    private static void assertNotConnected(String why, RealFleet fleet) {
        ServerStatus status = fleet.fleet.servers().get(0);
        assertEquals(Optional.of(ServerFailure.DISCONNECTED), status.problem());
        assertTrue(status.detail().orElseThrow().contains(why), status::toString);
        assertEquals(0, fleet.fleet.up());
    }

    private static MasterReply acquire(RealFleet fleet) {
        return fleet.ask(Ask.acquire(
                new ResourceName("encrypted"),
                new LeaseToken("token-of-client-A"),
                "a1",
                Duration.ofSeconds(5),
                Optional.empty()));
    }
}
