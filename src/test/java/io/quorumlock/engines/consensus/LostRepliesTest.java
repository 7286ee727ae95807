// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls without a reply: the outcome is unknown, nothing is sent again blindly, and nothing remains. */
@Proves({"S2", "N"})
class LostRepliesTest {
    private static final NoQuorumReason NOT_SENT = new NoQuorumReason(0, 1, 1, Effect.NONE);
    private static final NoQuorumReason UNKNOWN = new NoQuorumReason(0, 1, 1, Effect.UNKNOWN);
    private static final Duration CLEANED = Duration.ofSeconds(2);

    private final FakeConsensus fixture = new FakeConsensus();

    /** R15 */
    @Test
    void callsWithoutConnectionHaveNoEffect() {
        fixture.store.setFault(Fault.DOWN);
        assertEquals(new Acquisition.NoQuorum(NOT_SENT), acquire(A));
        assertEquals(new Extension.Unconfirmed(NOT_SENT), extend());
        assertEquals(new Release.Unconfirmed(NOT_SENT, FakeConsensus.TTL_MAX), release());
        assertEquals(new Inspection.NoQuorum(NOT_SENT), inspect());
        assertEquals(new ForcedRelease.NoQuorum(NOT_SENT), force());
        PageTerms all = new PageTerms(new ResourcePrefix(""), Optional.empty(), 1);
        assertEquals(new Listing.NoQuorum(NOT_SENT, List.of()), fixture.await(fixture.engine.list(all)));
    }

    @Test
    void listWithoutConnectionHasLocksThatReplicaKnows() {
        acquire(A);
        fixture.store.setFault(Fault.DOWN);
        PageTerms all = new PageTerms(new ResourcePrefix(""), Optional.empty(), 1);
        Listing.NoQuorum none = assertInstanceOf(Listing.NoQuorum.class, fixture.await(fixture.engine.list(all)));
        assertEquals(RESOURCE, none.known().get(0).resource());
        PageTerms others = new PageTerms(new ResourcePrefix(""), Optional.of(RESOURCE), 1);
        assertEquals(new Listing.NoQuorum(NOT_SENT, List.of()), fixture.await(fixture.engine.list(others)));
    }

    /** R5 */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"MUTE", "SILENT", "LATE"})
    void deletesRecordOfAcquireWithoutReply(Fault fault) {
        fixture.connection.setFault(fault);
        assertEquals(new Acquisition.NoQuorum(UNKNOWN), acquire(A));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(0, fixture.store.size());
        assertEquals(0, fixture.engine.cleanUpsPending());
    }

    /** R5: another replica wrote the record since, with both holders. */
    @Test
    void deletesOnlyTheHolderOfTheAcquireWithoutReply() {
        fixture.connection.setFault(Fault.MUTE);
        ResourceNames name = ResourceNames.of(RESOURCE);
        assertEquals(
                new Acquisition.NoQuorum(UNKNOWN),
                fixture.await(fixture.engine.acquire(name, terms(LockKind.SHARED, A))));
        assertInstanceOf(
                Acquisition.Acquired.class, fixture.await(fixture.other.acquire(name, terms(LockKind.SHARED, B))));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(1, assertInstanceOf(Inspection.Held.class, inspect()).holderCount());
        Extension b = fixture.await(fixture.engine.extend(RESOURCE, B, TTL));
        assertInstanceOf(Extension.Extended.class, b);
    }

    /** R3: the client repeats its acquire, through another replica, and has the lease. */
    @Test
    void keepsLeaseOfRepeatedAcquire() {
        fixture.connection.setFault(Fault.MUTE);
        assertEquals(new Acquisition.NoQuorum(UNKNOWN), acquire(A));
        assertInstanceOf(Acquisition.Replayed.class, fixture.await(fixture.other.acquire(RESOURCE, terms(A))));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertInstanceOf(Extension.Extended.class, extend());
    }

    /** R3: the first acquire never took effect. */
    @Test
    void keepsNewLeaseOfSameToken() {
        fixture.connection.setFault(Fault.SILENT);
        assertEquals(new Acquisition.NoQuorum(UNKNOWN), acquire(A));
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(fixture.other.acquire(RESOURCE, terms(A))));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(1, fixture.store.size());
    }

    /** R3: the client had chosen the token, so it can extend without an answer. */
    @Test
    void keepsLeaseThatWasExtended() {
        fixture.connection.setFault(Fault.MUTE);
        assertEquals(new Acquisition.NoQuorum(UNKNOWN), acquire(A));
        assertInstanceOf(Extension.Extended.class, fixture.await(fixture.other.extend(RESOURCE, A, TTL)));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(1, fixture.store.size());
    }

    /** The earlier lease is as valid as before. */
    @Test
    void repeatedAcquireWithoutReplyDeletesNothing() {
        acquire(A);
        fixture.connection.setFault(Fault.MUTE);
        assertEquals(new Acquisition.NoQuorum(UNKNOWN), acquire(A));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(1, fixture.store.size());
    }

    @Test
    void keepsLeaseOfNextHolder() {
        fixture.connection.setFault(Fault.SILENT);
        assertEquals(new Acquisition.NoQuorum(UNKNOWN), acquire(A));
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(fixture.other.acquire(RESOURCE, terms(B))));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertInstanceOf(Acquisition.Held.class, acquire(A));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"MUTE", "SILENT", "LATE"})
    void failedExtensionKeepsLease(Fault fault) {
        acquire(A);
        fixture.connection.setFault(fault);
        assertEquals(new Extension.Unconfirmed(UNKNOWN), extend());
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(Duration.ofSeconds(9));
        assertInstanceOf(Acquisition.Held.class, fixture.await(fixture.other.acquire(RESOURCE, terms(B))));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DOWN", "MUTE", "SILENT", "LATE"})
    void repeatsReleaseInTheBackground(Fault fault) {
        acquire(A);
        fixture.connection.setFault(fault);
        Effect effect = fault == Fault.DOWN ? Effect.NONE : Effect.UNKNOWN;
        assertEquals(new Release.Unconfirmed(UNKNOWN.with(effect), FakeConsensus.TTL_MAX), release());
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(0, fixture.store.size());
        assertEquals(0, fixture.engine.cleanUpsPending());
    }

    /** R6 */
    @Test
    void repeatedReleaseDoesNotAffectNextHolder() {
        acquire(A);
        fixture.connection.setFault(Fault.SILENT);
        release();
        fixture.pass(TTL);
        fixture.await(fixture.other.acquire(RESOURCE, terms(B)));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(1, fixture.store.size());
    }

    @Test
    void repeatedReleaseKeepsNoLeaseThatHasEnded() {
        acquire(A);
        fixture.connection.setFault(Fault.SILENT);
        fixture.await(fixture.engine.release(ResourceNames.of(RESOURCE), A, TTL));
        fixture.pass(TTL);
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(0, fixture.store.size());
    }

    @Test
    void stopsRepeatingAfterTheLongestTtl() {
        acquire(A);
        fixture.store.setFault(Fault.SILENT);
        release();
        fixture.pass(FakeConsensus.TTL_MAX.plusSeconds(2));
        assertEquals(0, fixture.engine.cleanUpsPending());
    }

    @Test
    void repeatsForcedReleaseInTheBackground() {
        acquire(A);
        CompletableFuture<ForcedRelease> forced = fixture.engine.forceRelease(RESOURCE, ForceTerms.ALL);
        fixture.connection.answerAfter(Duration.ofMillis(10));
        fixture.pass(Duration.ofMillis(5));
        fixture.connection.setFault(Fault.SILENT);
        assertInstanceOf(ForcedRelease.Unconfirmed.class, fixture.await(forced));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(0, fixture.store.size());
    }

    @Test
    void forcedReleaseOfSeveralHoldersWithoutReplyTellsTheLongestTime() {
        ResourceNames name = ResourceNames.of(RESOURCE);
        fixture.await(fixture.engine.acquire(name, terms(LockKind.SHARED, A, EngineFixture.OWNER)));
        fixture.pass(Duration.ofSeconds(4));
        fixture.await(fixture.engine.acquire(name, terms(LockKind.SHARED, B)));
        fixture.pass(Duration.ofSeconds(2));
        fixture.connection.answerAfter(Duration.ofMillis(10));
        CompletableFuture<ForcedRelease> forced = fixture.engine.forceRelease(RESOURCE, ForceTerms.ALL);
        fixture.pass(Duration.ofMillis(5));
        fixture.connection.setFault(Fault.SILENT);
        assertEquals(
                new ForcedRelease.Unconfirmed(UNKNOWN, Optional.empty(), Duration.ofMillis(7_990)),
                fixture.await(forced));
    }

    /** R4 */
    @Test
    void rejectsLeaseThatEndedBeforeTheAnswer() {
        fixture.connection.answerAfter(Duration.ofMillis(40));
        AcquireTerms tooShort = new AcquireTerms(
                Duration.ofMillis(42), Duration.ZERO, Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);
        assertInstanceOf(Acquisition.NoQuorum.class, fixture.await(fixture.engine.acquire(RESOURCE, tooShort)));
        fixture.pass(CLEANED);
        assertEquals(0, fixture.store.size());
    }

    private Acquisition acquire(LeaseToken token) {
        return fixture.await(fixture.engine.acquire(RESOURCE, terms(token)));
    }

    private Extension extend() {
        return fixture.await(fixture.engine.extend(RESOURCE, A, TTL));
    }

    private Release release() {
        return fixture.await(fixture.engine.release(RESOURCE, A));
    }

    private Inspection inspect() {
        return fixture.await(fixture.engine.inspect(RESOURCE));
    }

    private ForcedRelease force() {
        return fixture.await(fixture.engine.forceRelease(RESOURCE, ForceTerms.ALL));
    }
}
