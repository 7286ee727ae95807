// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** An engine with at least two replicas, for tests of what all engines have in common. */
public interface EngineFixture extends AutoCloseable {
    Duration TTL = Duration.ofSeconds(10);
    int EXTENSIONS_MAX = 3;
    ResourceName RESOURCE = new ResourceName("orders/42");
    LeaseToken A = new LeaseToken("token-of-client-A");
    LeaseToken B = new LeaseToken("token-of-client-B");
    Optional<Owner> OWNER = Optional.of(new Owner("worker 1"));

    /** Returns the first replica. */
    LockEngine engine();

    LockEngine otherReplica();

    /** Returns the directory of the first replica. */
    LockDirectory directory();

    /** Waits for an answer. */
    <T> T await(CompletableFuture<T> answer);

    /** Makes a call whose caller leaves before an answer can arrive. */
    default void leave(Supplier<CompletableFuture<?>> call) {
        call.get().cancel(false);
    }

    /** Advances the clocks of all replicas. Work in the background is done then. */
    void pass(Duration duration);

    static AcquireTerms terms(LeaseToken token) {
        return terms(token, Optional.empty());
    }

    static AcquireTerms terms(LeaseToken token, Optional<Owner> owner) {
        return terms(LockKind.EXCLUSIVE, token, owner);
    }

    static AcquireTerms terms(LockKind kind, LeaseToken token) {
        return terms(kind, token, Optional.empty());
    }

    static AcquireTerms terms(LockKind kind, LeaseToken token, Optional<Owner> owner) {
        return new AcquireTerms(TTL, Duration.ZERO, Optional.of(token), owner, kind);
    }

    /** Returns the terms of an attempt for a client that waits to hold a lock alone. */
    static AcquireTerms waitingWriter(LeaseToken token) {
        return new AcquireTerms(TTL, Duration.ofSeconds(20), Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
    }

    /** Returns one of many tokens. */
    static LeaseToken token(int number) {
        return new LeaseToken("token-of-holder-" + (1_000 + number));
    }

    static Lease lease(Acquisition outcome) {
        return outcome.granted().orElseThrow(() -> new AssertionError(outcome));
    }

    @Override
    void close();
}
