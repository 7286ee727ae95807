// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R2: replicas of a version that writes other values use the masters, and would not understand those of this one. */
@Proves("R2")
class OtherLayoutIT {
    @Test
    void refusesMastersUntilOtherVersionLeaves() {
        List<RedisServer> servers = RedisServers.start(3, "--appendonly", "yes", "--appendfsync", "always");
        String list = "0 a:6379,b:6379,c:6379";
        servers.forEach(server -> server.cli("SET", "quorumlock:masters/", list, "PX", "60000"));
        URI[] urls = servers.stream().map(RedisServer::url).toArray(URI[]::new);
        try (RealFleet replica = RealFleet.guarded(Duration.ofSeconds(2), urls)) {
            Eventually.holds("refused", () -> replica.fleet.servers().stream()
                    .allMatch(master -> master.problem().equals(Optional.of(ServerFailure.REFUSED))));
            ServerStatus refused = replica.fleet.servers().get(0);
            assertEquals(
                    Optional.of("is used by replicas of a version with another layout of its values than 1;"
                            + " stop the replicas of the other version"),
                    refused.detail());
            servers.forEach(server -> server.cli("DEL", "quorumlock:masters/"));
            Eventually.holds("all vote", () -> replica.fleet.up() == 3);
            assertTrue(servers.get(0).cli("GET", "quorumlock:masters/").startsWith(RestartGuard.LAYOUT + " "));
        } finally {
            RedisServers.close(servers);
        }
    }
}
