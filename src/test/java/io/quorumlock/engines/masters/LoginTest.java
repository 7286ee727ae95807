// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Logins to a real Redis with a password. */
class LoginTest {
    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServers.start(1).get(0);
        redis.cli("ACL", "SETUSER", "locker", "on", ">s3cret/+", "~*", "&*", "+@all");
        redis.cli("CONFIG", "SET", "requirepass", "canary");
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Test
    void logsInAsDefaultUserWithPassword() {
        assertUp(":canary@");
    }

    @Test
    void logsInWithUserAndEncodedPassword() {
        assertUp("locker:s3cret%2F%2B@");
    }

    @Test
    void reportsWrongPassword() {
        assertNoAuth(":wrong@");
    }

    @Test
    void reportsMissingPassword() {
        assertNoAuth("");
    }

    private static void assertUp(String credentials) {
        try (RealFleet fleet = new RealFleet(withCredentials(credentials))) {
            assertEquals(1, fleet.fleet.up());
        }
    }

    private static void assertNoAuth(String credentials) {
        try (RealFleet fleet = new RealFleet(withCredentials(credentials))) {
            assertEquals(
                    Optional.of(ServerFailure.NOAUTH),
                    fleet.fleet.servers().get(0).problem());
            assertTrue(fleet.misfits.isEmpty());
        }
    }

    private static URI withCredentials(String credentials) {
        return URI.create(redis.url().toString().replace("redis://", "redis://" + credentials));
    }
}
