// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.AcquireCommand;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Each event of a lock that several clients can hold has its kind. Otherwise those of the masters are not of one lease. */
class AnnouncedKindTest {
    private static final ResourceNames RESOURCE = ResourceNames.of(new ResourceName("printers"));
    private static final LeaseToken TOKEN = new LeaseToken("token-of-client-A");
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final KeyPrefixes KEYS = new KeyPrefixes("lock:", "fence:");

    private final List<String> kinds = new ArrayList<>();
    private final LuaRedis redis = new LuaRedis(new VirtualTime(), new LuaRedis.Publisher() {
        @Override
        public int subscribers(String channel) {
            return 0;
        }

        @Override
        public void publish(String channel, String message) {
            new AnnouncementText(KEYS)
                    .read(message.getBytes(StandardCharsets.UTF_8))
                    .ifPresent(
                            event -> kinds.add(event.kind() + " " + event.slot().orElseThrow() + " of "
                                    + event.lockKind().slots()));
        }
    });

    @Test
    void eventsOfSemaphoreHaveItsSlot() {
        ScriptCalls calls = new ScriptCalls(KEYS, 100);
        AcquireTerms terms =
                new AcquireTerms(TTL, Duration.ZERO, Optional.of(TOKEN), Optional.empty(), LockKind.ofSlots(4));
        redis.run(calls.acquire(
                new AcquireCommand(RESOURCE, TOKEN, "a.1", Ask.CANDIDATE, terms, OptionalInt.of(2)), true));
        redis.run(calls.raise(RESOURCE, TOKEN, new FencingToken(Ask.CANDIDATE.number() + 1), true));
        redis.run(calls.extend(RESOURCE, TOKEN, TTL, true));
        redis.run(calls.release(DeleteCondition.ofLease(RESOURCE, TOKEN), true));
        assertEquals(List.of("ACQUIRED 2 of 4", "ACQUIRED 2 of 4", "EXTENDED 2 of 4", "RELEASED 2 of 4"), kinds);
    }
}
