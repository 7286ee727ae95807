// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.LockMaster;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.MasterReply.Held.Holding;
import io.quorumlock.engines.redlock.RestoreCommand;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.FakeMaster;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Random commands, sent both to the fake and to a real Redis, with comparison of the replies. */
@Execution(ExecutionMode.CONCURRENT)
class FakeIsFaithfulTest {
    private static final int SEQUENCES = 1_000;
    private static final int LENGTH = 12;
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final List<LockKind> KINDS =
            List.of(LockKind.EXCLUSIVE, LockKind.SHARED, LockKind.ofSlots(2), LockKind.ofSlots(3));
    /** Attempts of two replicas. */
    private static final List<String> ATTEMPTS = List.of("one.1", "two.1", "one.2");

    private static final List<LeaseToken> TOKENS = Stream.of("A", "B", "C")
            .map(name -> new LeaseToken("token-of-client-" + name))
            .toList();

    @Test
    void repliesLikeRedisInRandomSequences() {
        try (RedisServer redis = RedisServers.start(1).get(0);
                RealFleet fleet = new RealFleet(redis.url())) {
            for (int seed = 0; seed < SEQUENCES; seed++) {
                List<Ask> questions = questions(seed);
                int failing = seed;
                List<MasterReply> faked = onFake(questions);
                long began = System.nanoTime();
                List<MasterReply> real = onRedis(fleet, questions);
                Duration took = Duration.ofNanos(System.nanoTime() - began);
                assertEquals(timeless(faked), timeless(real), () -> "seed " + failing);
                for (int i = 0; i < LENGTH; i++) {
                    assertSameRemaining(remaining(faked.get(i)), remaining(real.get(i)), took, "seed " + seed);
                }
            }
        }
    }

    private static List<Ask> questions(int seed) {
        Random random = new Random(seed);
        ResourceName resource = new ResourceName("random/" + seed);
        return random.ints(LENGTH, 0, 16)
                .mapToObj(kind -> question(resource, kind, seed, random))
                .toList();
    }

    private static Ask question(ResourceName resource, int kind, int seed, Random random) {
        // Larger than the counters after other sequences, which use the same counters.
        long candidate = Ask.CANDIDATE.number() + 100L * seed;
        LeaseToken token = TOKENS.get(random.nextInt(TOKENS.size()));
        String attempt = ATTEMPTS.get(random.nextInt(ATTEMPTS.size()));
        Duration ttl = Duration.ofSeconds(60 + random.nextInt(2));
        // Most sequences have only few kinds, so that leases of one kind meet.
        LockKind lockKind = KINDS.get(random.nextInt(1 + seed % KINDS.size()));
        Optional<Owner> owner = random.nextInt(4) == 0 ? Optional.of(new Owner("x y")) : Optional.empty();
        OptionalInt slot =
                lockKind.slots() > 0 ? OptionalInt.of(random.nextInt(lockKind.slots())) : OptionalInt.empty();
        return switch (kind) {
            case 0, 1, 2, 3 -> Ask.acquire(
                    resource,
                    token,
                    attempt,
                    new FencingToken(candidate + random.nextInt(4)),
                    new AcquireTerms(ttl, Duration.ofSeconds(random.nextInt(2)), Optional.of(token), owner, lockKind),
                    slot);
            case 4, 5 -> Ask.extend(resource, token, ttl);
            case 6 -> Ask.release(resource, token);
            case 7, 8 -> Ask.cleanUp(resource, token, attempt);
            case 9 -> Ask.raise(resource, token, new FencingToken(candidate + random.nextInt(9)));
            case 10, 11 -> Ask.breakAdopted(resource, token, attempt, random.nextInt(2));
            case 12 -> Ask.keep(resource, token, Duration.ofSeconds(40 + random.nextInt(40)));
            case 13 -> Ask.permit(restored(resource, token, attempt, candidate, lockKind, slot), ttl);
            case 14 -> Ask.restore(restored(resource, token, attempt, candidate, lockKind, slot));
            default -> Ask.inspect(resource);
        };
    }

    private static RestoreCommand restored(
            ResourceName resource, LeaseToken token, String attempt, long fence, LockKind kind, OptionalInt slot) {
        String terms = "60000" + LockValue.kind(kind) + (slot.isPresent() ? "." + slot.getAsInt() : "") + " ";
        return new RestoreCommand(
                ResourceNames.of(resource), token, attempt + "+", 1, new FencingToken(fence), terms, "one.3");
    }

    /** No time passes on the fake. On Redis at most the time of the sequence passes, rounded to milliseconds. */
    private static void assertSameRemaining(Duration fake, Duration real, Duration took, String seed) {
        Duration gone = fake.minus(real);
        assertTrue(
                gone.compareTo(MILLISECOND.negated()) >= 0 && gone.compareTo(took.plus(MILLISECOND)) <= 0,
                () -> seed + ": " + fake + " left on the fake, " + real + " on Redis, after " + took);
    }

    private static Duration remaining(MasterReply reply) {
        if (reply instanceof MasterReply.Refused refused) {
            return refused.taken().get(0).remaining();
        }
        if (reply instanceof MasterReply.Adopted adopted) {
            return adopted.remaining();
        }
        return reply instanceof MasterReply.Held held
                ? held.all().stream()
                        .min(Comparator.comparing(Holding::holder))
                        .orElseThrow()
                        .remaining()
                : Duration.ZERO;
    }

    private static List<Object> timeless(List<MasterReply> replies) {
        return replies.stream().map(FakeIsFaithfulTest::timeless).toList();
    }

    private static List<MasterReply> onFake(List<Ask> questions) {
        VirtualTime time = new VirtualTime();
        LockMaster master = new FakeMaster(time, Duration.ofMillis(50), RealFleet.EXTENSIONS_MAX);
        List<MasterReply> replies = new ArrayList<>();
        for (Ask question : questions) {
            question.put(master, replies::add);
            time.pass(Duration.ZERO);
        }
        return replies;
    }

    private static List<MasterReply> onRedis(RealFleet fleet, List<Ask> questions) {
        List<MasterReply> replies = new ArrayList<>();
        CompletableFuture<List<MasterReply>> all = new CompletableFuture<>();
        fleet.onLoop(() -> questions.forEach(question -> question.put(fleet.master(), reply -> {
            replies.add(reply);
            if (replies.size() == questions.size()) {
                all.complete(replies);
            }
        })));
        return RealLoop.await(all);
    }

    /** Removes the remaining TTL, which is compared separately because real time passes. */
    private static Object timeless(MasterReply reply) {
        if (reply instanceof MasterReply.Refused refused) {
            MasterReply.Refused.Conflict conflict = refused.taken().get(0);
            boolean only = conflict.kind().isExclusive();
            return List.of("refused", conflict.kind(), only ? conflict.owner() : Optional.empty(), refused.slots());
        }
        if (reply instanceof MasterReply.Adopted adopted) {
            return List.of(
                    "adopted",
                    adopted.extensionsUsed(),
                    adopted.fence(),
                    adopted.age().isPresent());
        }
        if (reply instanceof MasterReply.Extended extended) {
            return List.of(
                    "extended",
                    extended.extensionsUsed(),
                    extended.fence(),
                    extended.attempt(),
                    extended.age().isPresent());
        }
        if (reply instanceof MasterReply.Held held) {
            return held.all().stream()
                    .sorted(Comparator.comparing(Holding::holder))
                    .map(one -> List.of(one.holder(), one.attempt(), one.extensionsUsed(), one.owner(), one.fence()))
                    .toList();
        }
        return reply;
    }
}
