// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bugs in the engine. A bug fails only the call that triggers it, and every call completes. */
class BugTest {
    private static final int MOST_LISTINGS = 2;

    private final FakeFleet fleet = new FakeFleet(5);
    private final WaitQueues queues = fleet.waitQueues(2, fleet.signal(), new WaitingLimits(10, 10));

    static List<Function<BugTest, CompletableFuture<?>>> calls() {
        return List.of(
                test -> test.queues.acquire(RESOURCE, terms(A)),
                test -> test.queues.acquire(RESOURCE, waitTerms()),
                test -> test.queues.extend(RESOURCE, A, TTL),
                test -> test.queues.release(RESOURCE, A),
                test -> test.queues.inspect(RESOURCE),
                test -> test.fleet.directory.forceRelease(RESOURCE, ForceTerms.ALL),
                test -> test.fleet.directory.list(page()));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void failsOnlyCallThatTriggersBug(Function<BugTest, CompletableFuture<?>> call) {
        for (int i = 0; i <= MOST_LISTINGS; i++) {
            fleet.setFault(Fault.THROWS, 3);
            CompletableFuture<?> answer = call.apply(this);
            fleet.await(answer.handle((outcome, bug) -> true));
            CompletionException failure = assertThrows(CompletionException.class, answer::join);
            assertInstanceOf(IllegalStateException.class, failure.getCause());
            assertTrue(queues.all() == 0, "waiters left");
            fleet.time.pass(Duration.ofSeconds(1));
            fleet.heal();
        }
    }

    private static AcquireTerms waitTerms() {
        return new AcquireTerms(TTL, Duration.ofSeconds(5), Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);
    }

    private static PageTerms page() {
        return new PageTerms(new ResourcePrefix(""), Optional.empty(), 10);
    }
}
