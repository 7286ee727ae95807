package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The user that SECURITY.md describes may do what the service needs, and nothing else. */
class AclLineTest {
    private static final Pattern LINE = Pattern.compile("^user quorumlock (.*)$", Pattern.MULTILINE);
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final ResourceName RESOURCE = new ResourceName("acl");
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");

    @Test
    void theUserMayDoWhatTheServiceNeeds() throws IOException {
        try (RedisServer redis = RedisServers.start(1, "--appendonly", "yes", "--appendfsync", "always")
                .get(0)) {
            redis.cli(("ACL SETUSER quorumlock " + line()).split(" "));
            try (RealFleet fleet = RealFleet.guarded(TTL, asUser(redis))) {
                assertEquals(1, fleet.fleet.up());
                Ask acquire = Ask.acquire(RESOURCE, TOKEN, "a1", TTL, Optional.empty());
                assertInstanceOf(NodeReply.Granted.class, ask(fleet, acquire));
                assertInstanceOf(NodeReply.Adopted.class, ask(fleet, acquire));
                assertInstanceOf(NodeReply.Raised.class, ask(fleet, Ask.raise(RESOURCE, TOKEN, 1)));
                assertInstanceOf(NodeReply.Extended.class, ask(fleet, Ask.extend(RESOURCE, TOKEN, TTL)));
                assertInstanceOf(NodeReply.Holding.class, ask(fleet, Ask.inspect(RESOURCE)));
                assertInstanceOf(NodeReply.Deleted.class, ask(fleet, Ask.release(RESOURCE, TOKEN)));
            }
            assertTrue(redis.cli("ACL", "LOG").equals("[]"), () -> redis.cli("ACL", "LOG"));
        }
    }

    private static String line() throws IOException {
        Matcher line = LINE.matcher(Files.readString(Path.of("SECURITY.md")));
        assertTrue(line.find());
        return line.group(1);
    }

    private static URI asUser(RedisServer redis) {
        return URI.create(redis.url().toString().replace("redis://", "redis://quorumlock:password@"));
    }

    private static NodeReply ask(RealFleet fleet, Ask question) {
        CompletableFuture<NodeReply> reply = new CompletableFuture<>();
        fleet.onLoop(() -> question.put(fleet.node(), reply::complete));
        return RealLoop.await(reply);
    }
}
