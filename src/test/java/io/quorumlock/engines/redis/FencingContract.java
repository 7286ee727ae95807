// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.MasterReply.Absent;
import io.quorumlock.engines.redlock.MasterReply.Adopted;
import io.quorumlock.engines.redlock.MasterReply.Deleted;
import io.quorumlock.engines.redlock.MasterReply.Extended;
import io.quorumlock.engines.redlock.MasterReply.Failed;
import io.quorumlock.engines.redlock.MasterReply.Granted;
import io.quorumlock.engines.redlock.MasterReply.Held;
import io.quorumlock.engines.redlock.MasterReply.Held.Holding;
import io.quorumlock.engines.redlock.MasterReply.HeldByAnother;
import io.quorumlock.engines.redlock.MasterReply.Permitted;
import io.quorumlock.engines.redlock.MasterReply.Raised;
import io.quorumlock.engines.redlock.MasterReply.Restored;
import io.quorumlock.engines.redlock.RestoreCommand;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The contract of fencing tokens, for every master, fake and real. */
@Proves("R10")
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

    /** R7, R10 */
    @Test
    void restoresLeaseWithItsTermsExtensionsAndToken() {
        ask(Ask.acquire(resource, A, "a1", TTL, Optional.of(OWNER)));
        Extended before = assertInstanceOf(Extended.class, ask(Ask.extend(resource, A, TTL)));
        ask(Ask.release(resource, A));
        RestoreCommand command = restore(A, before.attempt(), before.terms(), fence(7), "r1");
        assertEquals(new Permitted("r1"), ask(Ask.permit(command, TTL)));
        assertInstanceOf(Restored.class, ask(Ask.restore(command)));
        Holding holding =
                assertInstanceOf(Held.class, ask(Ask.inspect(resource))).all().get(0);
        assertEquals(Optional.of(OWNER), holding.owner());
        assertEquals(Optional.of(fence(7)), holding.fence());
        assertEquals(1, holding.extensionsUsed());
        assertRoughly(TTL, holding.remaining());
        ask(Ask.release(resource, A));
        assertEquals(new Granted(fence(8)), acquire(B, "b1"));
    }

    /** R7: otherwise a late command would undo the release. */
    @Test
    void restoresOnlyWithPermissionThatNoDeleteEnded() {
        RestoreCommand command = restore(A, "a1+", "60000 ", fence(7), "r1");
        assertInstanceOf(Absent.class, ask(Ask.restore(command)));
        for (Ask delete : List.of(
                Ask.release(resource, A), Ask.breakAdopted(resource, A, "a1", 0), Ask.cleanUp(resource, A, "a1"))) {
            assertEquals(new Permitted("r1"), ask(Ask.permit(command, TTL)));
            assertInstanceOf(Absent.class, ask(delete));
            assertInstanceOf(Absent.class, ask(Ask.restore(command)));
        }
        assertEquals(new Permitted("r1"), ask(Ask.permit(command, TTL)));
        acquire(B, "b1");
        assertInstanceOf(HeldByAnother.class, ask(Ask.release(resource, A)));
        ask(Ask.release(resource, B));
        assertInstanceOf(Absent.class, ask(Ask.restore(command)));
    }

    /** R7: an extension that overlaps another one uses the permission of that. */
    @Test
    void permitsOnceUntilTheLeaseIsRestored() {
        RestoreCommand first = restore(A, "a1+", "60000 ", fence(7), "r1");
        RestoreCommand second = restore(A, "a1+", "60000 ", fence(7), "r2");
        ask(Ask.permit(first, TTL));
        assertEquals(new Permitted("r1"), ask(Ask.permit(second, TTL)));
        assertInstanceOf(Absent.class, ask(Ask.restore(second)));
        assertInstanceOf(Restored.class, ask(Ask.restore(first)));
        assertInstanceOf(HeldByAnother.class, ask(Ask.restore(first)));
        ask(Ask.release(resource, A));
        assertInstanceOf(Absent.class, ask(Ask.restore(first)));
    }

    /** R7 */
    @Test
    void restoresNothingInThePlaceOfAnother() {
        RestoreCommand command = restore(A, "a1+", "60000 ", fence(7), "r1");
        ask(Ask.permit(command, TTL));
        acquire(B, "b1");
        assertInstanceOf(HeldByAnother.class, ask(Ask.permit(command, TTL)));
        assertInstanceOf(HeldByAnother.class, ask(Ask.restore(command)));
        assertInstanceOf(Extended.class, ask(Ask.extend(resource, B, TTL)));
    }

    /** C: readers join readers, and holders of other slots each other. */
    @Test
    void restoresBesideHoldersOfTheSameKind() {
        for (LockKind kind : List.of(LockKind.SHARED, LockKind.ofSlots(2))) {
            OptionalInt slot = kind.slots() > 0 ? OptionalInt.of(0) : OptionalInt.empty();
            AcquireTerms terms = new AcquireTerms(TTL, Duration.ZERO, Optional.of(B), Optional.empty(), kind);
            ask(Ask.acquire(resource, B, "b1", Ask.CANDIDATE, terms, slot));
            String own = kind.slots() > 0 ? "60000/slots2.1 " : "60000/shared ";
            for (String other : List.of("60000 ", "60000/slots2.0 ", "60000/slots3.1 ")) {
                RestoreCommand wrong = restore(A, "a1+", other, fence(7), "r1");
                assertInstanceOf(HeldByAnother.class, ask(Ask.permit(wrong, TTL)), other);
            }
            RestoreCommand command = restore(A, "a1+", own, fence(7), "r1");
            assertEquals(new Permitted("r1"), ask(Ask.permit(command, TTL)));
            assertInstanceOf(Restored.class, ask(Ask.restore(command)));
            assertEquals(
                    2,
                    assertInstanceOf(Held.class, ask(Ask.inspect(resource)))
                            .all()
                            .size());
            assertInstanceOf(Extended.class, ask(Ask.extend(resource, A, TTL)));
            List.of(A, B).forEach(token -> assertInstanceOf(Deleted.class, ask(Ask.release(resource, token))));
        }
    }

    private RestoreCommand restore(LeaseToken token, String attempt, String terms, FencingToken fence, String permit) {
        return new RestoreCommand(ResourceNames.of(resource), token, attempt, 1, fence, terms, permit);
    }

    /** R10: the candidate replaces a counter that was restored from an old snapshot. */
    @Test
    void usesCandidateLargerThanCounter() {
        acquire(A, "a1");
        ask(Ask.release(resource, A));
        AcquireTerms terms = new AcquireTerms(TTL, Duration.ZERO, Optional.of(B), Optional.empty(), LockKind.EXCLUSIVE);
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
        AcquireTerms terms = new AcquireTerms(TTL, Duration.ZERO, Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);
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
        AcquireTerms terms = new AcquireTerms(TTL, Duration.ZERO, Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);
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
