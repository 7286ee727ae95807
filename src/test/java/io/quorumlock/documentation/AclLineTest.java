// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.engines.redlock.AcquireCommand;
import io.quorumlock.engines.redlock.LockMaster.NameRange;
import io.quorumlock.engines.redlock.LockMaster.ScanStep;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Redis users in SECURITY.md. They have the permissions of the service, and votes survive a restart. */
class AclLineTest {
    private static final Path ENGINES = Path.of("src/main/java/io/quorumlock/engines");
    private static final Pattern LINE = Pattern.compile("^user quorumlock (.*)$", Pattern.MULTILINE);
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final ResourceName RESOURCE = new ResourceName("acl");
    private static final Ask SCAN = Ask.scan(
            new ScanStep(new NameRange(new ResourcePrefix(""), Optional.empty(), Optional.empty()), Optional.empty()));
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");
    private static final LeaseToken OTHER = new LeaseToken("token-of-client-B");

    @Test
    void userHasAllPermissionsOfService() throws IOException {
        try (RedisServer redis = RedisServers.start(1, "--appendonly", "yes", "--appendfsync", "always")
                .get(0)) {
            redis.cli(("ACL SETUSER quorumlock " + line()).split(" "));
            try (RealFleet fleet = RealFleet.guarded(TTL, asUser(redis))) {
                assertEquals(1, fleet.fleet.up());
                Ask acquire = Ask.acquire(RESOURCE, TOKEN, "a1", TTL, Optional.empty());
                assertInstanceOf(MasterReply.Granted.class, fleet.ask(acquire));
                assertInstanceOf(MasterReply.Adopted.class, fleet.ask(acquire));
                assertInstanceOf(MasterReply.Raised.class, fleet.ask(Ask.raise(RESOURCE, TOKEN, Ask.CANDIDATE)));
                assertInstanceOf(MasterReply.Extended.class, fleet.ask(Ask.extend(RESOURCE, TOKEN, TTL)));
                assertInstanceOf(MasterReply.Held.class, fleet.ask(Ask.inspect(RESOURCE)));
                assertEquals(List.of(RESOURCE), scanned(fleet).found());
                assertInstanceOf(MasterReply.Deleted.class, fleet.ask(Ask.release(RESOURCE, TOKEN)));
                ResourceNames two = new ResourceNames(List.of(RESOURCE, new ResourceName("acl/2")));
                AcquireTerms terms = terms(LockKind.EXCLUSIVE);
                AcquireCommand both = new AcquireCommand(two, TOKEN, "a2", Ask.CANDIDATE, terms, OptionalInt.empty());
                assertInstanceOf(MasterReply.Granted.class, fleet.ask((master, reply) -> master.acquire(both, reply)));
                ResourceName shared = new ResourceName("acl/3");
                for (LeaseToken token : List.of(TOKEN, OTHER)) {
                    AcquireTerms reading = terms(LockKind.SHARED);
                    Ask read = Ask.acquire(shared, token, "a3", Ask.CANDIDATE, reading);
                    assertInstanceOf(MasterReply.Granted.class, fleet.ask(read));
                }
                Ask write = Ask.acquire(shared, new LeaseToken("token-of-client-C"), "a4", TTL, Optional.empty());
                assertInstanceOf(MasterReply.Refused.class, fleet.ask(write));
                for (LeaseToken token : List.of(TOKEN, OTHER)) {
                    assertInstanceOf(MasterReply.Deleted.class, fleet.ask(Ask.release(shared, token)));
                }
            }
            assertTrue(redis.cli("ACL", "LOG").equals("[]"), () -> redis.cli("ACL", "LOG"));
        }
    }

    /** The commands of the scripts and of the connections; HELLO is the login. */
    @Test
    void userHasNoOtherPermission() throws IOException {
        Set<String> sent = found("(?:redis\\.p?call\\('|try\\('|Command\\.)([A-Z]+)\\b", sources());
        sent.add("HELLO");
        assertEquals(sent, found(" \\+([a-z]+)", line()));
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1).toUpperCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the text of the scripts and of the classes that send commands. */
    private static String sources() throws IOException {
        try (Stream<Path> scripts = Files.list(Path.of("src/main/resources/redis"));
                Stream<Path> commands = Files.list(ENGINES.resolve("redis"));
                Stream<Path> admission = Files.list(ENGINES.resolve("masters"))) {
            StringBuilder text = new StringBuilder();
            for (Path file : Stream.of(scripts, commands, admission)
                    .flatMap(files -> files)
                    .toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        }
    }

    private static AcquireTerms terms(LockKind kind) {
        return new AcquireTerms(TTL, Duration.ZERO, Optional.of(TOKEN), Optional.empty(), kind);
    }

    /** Redis loads its log as the user default: https://github.com/redis/redis/issues/14541. */
    @Test
    void masterWithDocumentedUsersKeepsVotesAcrossRestart() throws IOException {
        try (RedisServer redis = RedisServers.start(1, users()).get(0);
                RealFleet fleet = RealFleet.guarded(TTL.multipliedBy(6), asUser(redis))) {
            Ask acquire = Ask.acquire(RESOURCE, TOKEN, "a1", TTL.multipliedBy(6), Optional.empty());
            assertInstanceOf(MasterReply.Granted.class, fleet.ask(acquire));
            redis.restart();
            Eventually.within(TTL, "the node votes again", () -> fleet.fleet.up() == 1);
            assertInstanceOf(MasterReply.Held.class, fleet.ask(Ask.inspect(RESOURCE)));
            assertTrue(redis.cli("PING").startsWith("(error) NOAUTH"));
        }
    }

    /** A forbidden command must be an error, not an empty list. */
    @ParameterizedTest
    @ValueSource(strings = {" +scan", " +getrange"})
    void scanFailsWithoutARequiredCommand(String missing) throws IOException {
        try (RedisServer redis = RedisServers.start(1).get(0)) {
            redis.cli(("ACL SETUSER quorumlock " + line().replace(missing, "")).split(" "));
            try (RealFleet fleet = new RealFleet(asUser(redis))) {
                fleet.ask(Ask.acquire(RESOURCE, TOKEN, "a1", TTL, Optional.empty()));
                assertEquals(new MasterReply.Failed(ServerFailure.NOAUTH, true), fleet.ask(SCAN));
            }
        }
    }

    private static MasterReply.Scanned scanned(RealFleet fleet) {
        return assertInstanceOf(MasterReply.Scanned.class, fleet.ask(SCAN));
    }

    private static String[] users() throws IOException {
        Stream<String> users = Files.readAllLines(Path.of("SECURITY.md")).stream()
                .filter(line -> line.startsWith("user "))
                .flatMap(line -> Stream.of(("--" + line).split(" ")));
        Stream<String> keeps = Stream.of("--appendonly", "yes", "--appendfsync", "always");
        return Stream.concat(keeps, users).toArray(String[]::new);
    }

    private static String line() throws IOException {
        Matcher line = LINE.matcher(Files.readString(Path.of("SECURITY.md")));
        assertTrue(line.find());
        return line.group(1);
    }

    private static URI asUser(RedisServer redis) {
        return URI.create(redis.url().toString().replace("redis://", "redis://quorumlock:password@"));
    }
}
