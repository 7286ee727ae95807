// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.Redlock;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.EventLog;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Acquires on masters without memory, which reject writes but not deletes. */
class FullMasterTest {
    private static final LeaseToken A = new LeaseToken("token-of-client-A");
    private static final LeaseToken B = new LeaseToken("token-of-client-B");
    private static final ResourceName NAME = new ResourceName("memory");

    @Test
    void refusedAcquireOnFullMasterLeavesLockOfHolder() {
        try (RedisServer redis = RedisServers.start(1).get(0);
                RealFleet fleet = new RealFleet(redis.url())) {
            assertInstanceOf(MasterReply.Granted.class, fleet.ask(acquire(A, "a1")));
            redis.cli("CONFIG", "SET", "maxmemory", "1");
            assertEquals(new MasterReply.Failed(ServerFailure.OOM, true), fleet.ask(acquire(B, "b1")));
            redis.cli("CONFIG", "SET", "maxmemory", "0");
            assertInstanceOf(MasterReply.Held.class, fleet.ask(Ask.inspect(NAME)));
        }
    }

    /** S1: at each moment at most one of three masters is full. */
    @Test
    void twoLeasesAreNeverValidWhileOneOfThreeMastersIsFull() {
        List<RedisServer> servers = RedisServers.start(3);
        try (RealFleet fleet =
                new RealFleet(servers.stream().map(RedisServer::url).toArray(URI[]::new))) {
            Redlock engine = new Redlock(
                    fleet.fleet.lockMasters(), FakeFleet.SETTINGS, fleet.loop.engineContext, new EventLog());
            memory(servers.get(2), "1");
            assertEquals(
                    Acquisition.Kind.ACQUIRED,
                    RealLoop.await(engine.acquire(NAME, terms(A))).kind());
            memory(servers.get(2), "0");
            memory(servers.get(1), "1");
            Acquisition refused = RealLoop.await(engine.acquire(NAME, terms(B)));
            assertEquals(Acquisition.Kind.HELD, refused.kind(), refused.toString());
            memory(servers.get(1), "0");
            Acquisition second = RealLoop.await(engine.acquire(NAME, terms(B)));
            assertEquals(Acquisition.Kind.HELD, second.kind(), second.toString());
        } finally {
            RedisServers.close(servers);
        }
    }

    private static void memory(RedisServer server, String bytes) {
        server.cli("CONFIG", "SET", "maxmemory", bytes);
    }

    private static AcquireTerms terms(LeaseToken token) {
        return FakeFleet.terms(token, Duration.ofSeconds(60));
    }

    private static Ask acquire(LeaseToken token, String attempt) {
        return Ask.acquire(NAME, token, attempt, Duration.ofSeconds(60), Optional.empty());
    }
}
