// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.fleet.ServerFailure;
import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LockKind;
import io.quorumlock.redlock.MasterReply.Absent;
import io.quorumlock.redlock.MasterReply.Adopted;
import io.quorumlock.redlock.MasterReply.Failed;
import io.quorumlock.redlock.MasterReply.Granted;
import io.quorumlock.redlock.MasterReply.Held;
import io.quorumlock.redlock.MasterReply.Held.Holding;
import io.quorumlock.redlock.MasterReply.HeldByAnother;
import io.quorumlock.redlock.MasterReply.Raised;
import io.quorumlock.testing.Ask;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of fencing tokens, for every master, fake and real. */
abstract class FencingContract extends LockMasterContract {

    /** R10: the candidate is the token unless the counter is larger; only grants increment the counter. */
    @Test
    void onlyGrantsIncrementCounter() {
        assertEquals(new Granted(Ask.CANDIDATE), acquire(A, "a1"));
        acquire(B, "b1");
        ask(Ask.extend(resource, A, TTL));
        assertEquals(
                Ask.CANDIDATE, assertInstanceOf(Adopted.class, acquire(A, "a2")).fence());
        ask(Ask.release(resource, A));
        assertEquals(new Granted(fence(1)), acquire(B, "b2"));
    }

    /** R10: the candidate replaces a counter that was restored from an old snapshot. */
    @Test
    void usesCandidateLargerThanCounter() {
        acquire(A, "a1");
        ask(Ask.release(resource, A));
        AcquireTerms terms = new AcquireTerms(
                TTL, Duration.ZERO, Duration.ZERO, Optional.of(B), Optional.empty(), LockKind.EXCLUSIVE);
        assertEquals(new Granted(fence(1_000)), ask(Ask.acquire(resource, B, "b1", fence(1_000), terms)));
    }

    /** R10: the lease has the raised token, and the next grant has a larger one. */
    @Test
    void nextGrantExceedsRaisedFence() {
        acquire(A, "a1");
        assertInstanceOf(Raised.class, ask(Ask.raise(resource, A, fence(5))));
        assertExtended(1, fence(5), ask(Ask.extend(resource, A, TTL)));
        Holding holding =
                assertInstanceOf(Held.class, ask(Ask.inspect(resource))).all().get(0);
        assertEquals(Optional.of(fence(5)), holding.fence());
        ask(Ask.release(resource, A));
        assertEquals(new Granted(fence(6)), acquire(B, "b1"));
    }

    /** S3: another call may have been answered with the fence that it found. */
    @Test
    void neverLowersGrantedFence() {
        AcquireTerms terms = new AcquireTerms(
                TTL, Duration.ZERO, Duration.ZERO, Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);
        assertEquals(new Granted(fence(9)), ask(Ask.acquire(resource, A, "a1", fence(9), terms)));
        assertInstanceOf(Raised.class, ask(Ask.raise(resource, A, fence(8))));
        assertExtended(1, fence(9), ask(Ask.extend(resource, A, TTL)));
    }

    /** R10: a late raise, caused by a late vote or an abandoned request of the same token, has no effect. */
    @Test
    void neverLowersRaisedFence() {
        acquire(A, "a1");
        ask(Ask.raise(resource, A, fence(9)));
        assertInstanceOf(Raised.class, ask(Ask.raise(resource, A, fence(2))));
        assertExtended(1, fence(9), ask(Ask.extend(resource, A, TTL)));
        ask(Ask.release(resource, A));
        assertEquals(new Granted(fence(10)), acquire(B, "b1"));
    }

    /** R10: a token is never larger than JSON represents exactly, and never smaller than the last one. */
    @Test
    void fullCounterFailsVoteWithoutLock() {
        AcquireTerms terms = new AcquireTerms(
                TTL, Duration.ZERO, Duration.ZERO, Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);
        FencingToken largest = new FencingToken(FencingToken.LARGEST);
        assertEquals(new Granted(largest), ask(Ask.acquire(resource, A, "a1", largest, terms)));
        ask(Ask.release(resource, A));
        for (int i = 0; i < 2; i++) {
            assertEquals(new Failed(ServerFailure.FENCE_FULL, true), acquire(B, "b" + i));
            assertInstanceOf(Absent.class, ask(Ask.inspect(resource)));
        }
    }

    @Test
    void raisesOnlyForHolder() {
        assertInstanceOf(Absent.class, ask(Ask.raise(resource, A, fence(1))));
        acquire(A, "a1");
        assertInstanceOf(HeldByAnother.class, ask(Ask.raise(resource, B, fence(9))));
        ask(Ask.release(resource, A));
        assertEquals(new Granted(fence(1)), acquire(B, "b1"));
    }
}
