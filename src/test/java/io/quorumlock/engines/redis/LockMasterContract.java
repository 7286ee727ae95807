// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.MasterReply.Absent;
import io.quorumlock.engines.redlock.MasterReply.Adopted;
import io.quorumlock.engines.redlock.MasterReply.Deleted;
import io.quorumlock.engines.redlock.MasterReply.Exhausted;
import io.quorumlock.engines.redlock.MasterReply.Extended;
import io.quorumlock.engines.redlock.MasterReply.Granted;
import io.quorumlock.engines.redlock.MasterReply.Held;
import io.quorumlock.engines.redlock.MasterReply.Held.Holding;
import io.quorumlock.engines.redlock.MasterReply.HeldByAnother;
import io.quorumlock.engines.redlock.MasterReply.Refused;
import io.quorumlock.engines.redlock.MasterReply.TokenInUse;
import io.quorumlock.testing.Ask;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of every master, fake and real. */
abstract class LockMasterContract {
    public static final LeaseToken A = new LeaseToken("token-of-client-A");
    static final LeaseToken B = new LeaseToken("token-of-client-B");
    public static final Duration TTL = Duration.ofSeconds(60);
    static final Owner OWNER = new Owner("billing, room 7");
    private static int count;

    final ResourceName resource = new ResourceName("contract/" + ++count);

    /** Sends the command and waits for the reply. */
    abstract MasterReply ask(Ask question);

    abstract int extensionsMax();

    @Test
    void grantsFirstAndRefusesSecondWithHolder() {
        assertInstanceOf(Granted.class, ask(Ask.acquire(resource, A, "a1", TTL, Optional.of(OWNER))));
        Refused refused = assertInstanceOf(Refused.class, acquire(B, "b1"));
        assertEquals(Optional.of(OWNER), refused.taken().get(0).owner());
        assertRoughly(TTL, refused.taken().get(0).remaining());
    }

    @Test
    void releasesOnlyForHolder() {
        acquire(A, "a1");
        assertInstanceOf(HeldByAnother.class, ask(Ask.release(resource, B)));
        assertInstanceOf(Deleted.class, ask(Ask.release(resource, A)));
        assertInstanceOf(Absent.class, ask(Ask.release(resource, A)));
    }

    /** R6: a token that is a prefix of the holder's is another token. */
    @Test
    void comparesWholeToken() {
        LeaseToken longer = new LeaseToken(A.text() + "x");
        ask(Ask.acquire(resource, longer, "l1", TTL, Optional.empty()));
        assertInstanceOf(HeldByAnother.class, ask(Ask.release(resource, A)));
        assertInstanceOf(Refused.class, acquire(A, "a1"));
    }

    /** R3, R5 */
    @Test
    void cleanUpDoesNotDeleteOtherAttempts() {
        acquire(A, "a2");
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a1")));
        assertInstanceOf(Deleted.class, ask(Ask.cleanUp(resource, A, "a2")));
    }

    @Test
    void cleanUpDoesNotDeleteAdoptedValue() {
        acquire(A, "a1");
        assertInstanceOf(Adopted.class, acquire(A, "a2"));
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a1")));
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a2")));
        assertInstanceOf(Deleted.class, ask(Ask.release(resource, A)));
    }

    /** R6: a delete removes the value that was read, not a changed one. */
    @Test
    void deletesAdoptedValueUnlessExtendedSince() {
        acquire(A, "a1");
        acquire(A, "a2");
        assertInstanceOf(HeldByAnother.class, ask(Ask.breakAdopted(resource, A, "a1", 0)));
        ask(Ask.extend(resource, A, TTL));
        assertInstanceOf(HeldByAnother.class, ask(Ask.breakAdopted(resource, A, "a2", 0)));
        assertInstanceOf(Deleted.class, ask(Ask.breakAdopted(resource, A, "a2", 1)));
    }

    @Test
    void deletesExtendedLeaseUnlessExtendedSince() {
        acquire(A, "a1");
        ask(Ask.extend(resource, A, TTL));
        ask(Ask.extend(resource, A, TTL));
        assertInstanceOf(HeldByAnother.class, ask(Ask.breakAdopted(resource, A, "a1", 1)));
        assertInstanceOf(HeldByAnother.class, ask(Ask.breakAdopted(resource, B, "a1", 2)));
        assertInstanceOf(Deleted.class, ask(Ask.breakAdopted(resource, A, "a1", 2)));
        assertInstanceOf(Absent.class, ask(Ask.breakAdopted(resource, A, "a1", 2)));
    }

    /** R6: the holder has a new lease in the meantime. */
    @Test
    void breakOfExtendedLeaseKeepsLaterAdoption() {
        acquire(A, "a1");
        Extended extended = assertInstanceOf(Extended.class, ask(Ask.extend(resource, A, TTL)));
        acquire(A, "a2");
        assertInstanceOf(HeldByAnother.class, ask(Ask.breakAdopted(resource, A, "a1", extended.extensionsUsed())));
        assertInstanceOf(Deleted.class, ask(Ask.release(resource, A)));
    }

    /** R7: the clean-up of an abandoned request of the same token arrives late. */
    @Test
    void cleanUpDoesNotDeleteExtendedValue() {
        acquire(A, "a1");
        ask(Ask.extend(resource, A, TTL));
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a1")));
        assertInstanceOf(Deleted.class, ask(Ask.release(resource, A)));
    }

    @Test
    void adoptionKeepsEndAndExtensions() {
        acquire(A, "a1");
        ask(Ask.extend(resource, A, TTL));
        Adopted adopted = assertInstanceOf(Adopted.class, acquire(A, "a2"));
        assertEquals(1, adopted.extensionsUsed());
        assertRoughly(TTL, adopted.remaining());
    }

    @Test
    void reportsTokenInUseForOtherTerms() {
        acquire(A, "a1");
        assertInstanceOf(TokenInUse.class, ask(Ask.acquire(resource, A, "a2", TTL.plusMillis(1), Optional.empty())));
        assertInstanceOf(TokenInUse.class, ask(Ask.acquire(resource, A, "a3", TTL, Optional.of(OWNER))));
    }

    /** R7, R13 */
    @Test
    void countsExtensionsAndNeverRestoresLocks() {
        assertInstanceOf(Absent.class, ask(Ask.extend(resource, A, TTL)));
        acquire(A, "a1");
        for (int used = 1; used <= extensionsMax(); used++) {
            Extended extended = assertInstanceOf(Extended.class, ask(Ask.extend(resource, A, TTL)));
            assertEquals(used, extended.extensionsUsed());
        }
        assertInstanceOf(Exhausted.class, ask(Ask.extend(resource, A, TTL)));
        assertInstanceOf(HeldByAnother.class, ask(Ask.extend(resource, B, TTL)));
    }

    @Test
    void extensionNeverShortens() {
        acquire(A, "a1");
        ask(Ask.extend(resource, A, TTL.multipliedBy(2)));
        ask(Ask.extend(resource, A, Duration.ofSeconds(1)));
        Holding holding =
                assertInstanceOf(Held.class, ask(Ask.inspect(resource))).all().get(0);
        assertRoughly(TTL.multipliedBy(2), holding.remaining());
    }

    @Test
    void inspectionReturnsHolderIfAny() {
        assertInstanceOf(Absent.class, ask(Ask.inspect(resource)));
        ask(Ask.acquire(resource, A, "a1", TTL, Optional.of(OWNER)));
        Holding holding =
                assertInstanceOf(Held.class, ask(Ask.inspect(resource))).all().get(0);
        assertEquals(A.text(), holding.holder());
        assertEquals(Optional.of("a1"), holding.attempt());
        assertEquals(0, holding.extensionsUsed());
        assertEquals(Optional.of(OWNER), holding.owner());
    }

    @Test
    void keptNameHasNoHolder() {
        ask(Ask.acquire(resource, A, "a1", TTL, Optional.of(OWNER)));
        assertInstanceOf(Deleted.class, ask(Ask.keep(resource, A, TTL.dividedBy(2))));
        Holding holding =
                assertInstanceOf(Held.class, ask(Ask.inspect(resource))).all().get(0);
        assertEquals(Optional.of(DeleteCondition.KEPT), holding.attempt());
        assertEquals(Optional.of(OWNER), holding.owner());
        assertRoughly(TTL.dividedBy(2), holding.remaining());
        for (LeaseToken token : List.of(A, B)) {
            Refused refused = assertInstanceOf(Refused.class, acquire(token, "b1"));
            assertEquals(Optional.empty(), refused.taken().get(0).owner());
            assertFalse(refused.taken().get(0).ours());
        }
    }

    /** R6, R7: after its release a lease cannot be used, and a repeated release changes nothing. */
    @Test
    void keptNameIsNeitherExtendedNorReleased() {
        acquire(A, "a1");
        ask(Ask.keep(resource, A, TTL));
        assertInstanceOf(Absent.class, ask(Ask.extend(resource, A, TTL)));
        assertInstanceOf(Absent.class, ask(Ask.raise(resource, A, fence(9))));
        assertInstanceOf(Deleted.class, ask(Ask.release(resource, A)));
        assertInstanceOf(Deleted.class, ask(Ask.keep(resource, A, TTL)));
        assertInstanceOf(HeldByAnother.class, ask(Ask.release(resource, B)));
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a1")));
        assertInstanceOf(Held.class, ask(Ask.inspect(resource)));
    }

    @Test
    void keepsNameForLongerThanItsLease() {
        acquire(A, "a1");
        ask(Ask.keep(resource, A, TTL.multipliedBy(2)));
        assertRoughly(
                TTL.multipliedBy(2),
                assertInstanceOf(Held.class, ask(Ask.inspect(resource)))
                        .all()
                        .get(0)
                        .remaining());
    }

    /** R3: a clean-up finds the inspected value until an extension writes it again. */
    @Test
    void extensionMarksAttempt() {
        acquire(A, "a1");
        ask(Ask.extend(resource, A, TTL));
        Holding holding =
                assertInstanceOf(Held.class, ask(Ask.inspect(resource))).all().get(0);
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a1")));
        String attempt = holding.attempt().orElseThrow();
        assertInstanceOf(Deleted.class, ask(Ask.cleanUp(resource, A, attempt)));
    }

    static FencingToken fence(int beyond) {
        return new FencingToken(Ask.CANDIDATE.number() + beyond);
    }

    MasterReply acquire(LeaseToken token, String attempt) {
        return ask(Ask.acquire(resource, token, attempt, TTL, Optional.empty()));
    }

    static void assertExtended(int used, FencingToken fence, MasterReply reply) {
        Extended extended = assertInstanceOf(Extended.class, reply);
        assertEquals(used, extended.extensionsUsed());
        assertEquals(fence, extended.fence());
    }

    static void assertRoughly(Duration expected, Duration actual) {
        Duration gone = expected.minus(actual);
        assertTrue(!gone.isNegative() && gone.compareTo(Duration.ofSeconds(20)) < 0, () -> "left: " + actual);
    }
}
