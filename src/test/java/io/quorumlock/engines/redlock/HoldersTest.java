// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What inspections show of several holders, and the forced release of one. */
class HoldersTest {
    private static final LockKind THREE = LockKind.ofSlots(3);
    private static final Owner FIRST = new Owner("first");

    private final FakeFleet fleet = new FakeFleet(5);

    /** Of holders with one owner, too. */
    @Test
    void forcedReleaseEndsOneHolderByItsFencingToken() {
        Lease first = lease(acquire(THREE, A));
        Lease second = lease(acquire(THREE, B));
        ForceTerms terms = new ForceTerms(Optional.empty(), Optional.of(first.fence()));
        assertInstanceOf(ForcedRelease.Broken.class, force(terms));
        assertEquals(
                List.of(second.fence().number()),
                inspect().holders().stream()
                        .map(holder -> holder.fence().orElseThrow().number())
                        .toList());
        assertInstanceOf(ForcedRelease.Free.class, force(terms));
    }

    @Test
    void inspectionShowsEachHolder() {
        Lease first = lease(acquire(THREE, A));
        fleet.time.pass(TTL.dividedBy(2));
        Lease second = lease(acquire(THREE, B));
        fleet.extend(B);
        List<HolderState> holders = inspect().holders();
        assertEquals(
                List.of(second.slot().orElseThrow(), first.slot().orElseThrow()),
                holders.stream().map(holder -> holder.slot().orElseThrow()).toList());
        assertEquals(
                List.of(Optional.of(second.fence()), Optional.of(first.fence())),
                holders.stream().map(HolderState::fence).toList());
        assertEquals(
                List.of(1, 0), holders.stream().map(HolderState::extensions).toList());
        assertEquals(
                List.of(TTL, TTL.dividedBy(2)),
                holders.stream().map(HolderState::remaining).toList());
    }

    @Test
    void inspectionShowsSomeOfManyHolders() {
        for (int i = 0; i < 101; i++) {
            acquire(LockKind.SHARED, token(i));
        }
        assertEquals(101, inspect().holderCount());
        assertEquals(100, inspect().holders().size());
    }

    @Test
    void listWithoutMajorityHasAllHolders() {
        acquire(THREE, A);
        acquire(THREE, B);
        fleet.await(fleet.engine.release(ResourceNames.of(RESOURCE), A, TTL));
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        PageTerms all = new PageTerms(new ResourcePrefix(""), Optional.empty(), 1);
        Listing.NoQuorum none = assertInstanceOf(Listing.NoQuorum.class, fleet.await(fleet.directory.list(all)));
        Inspection.Held state = none.known().get(0).state();
        assertEquals(2, state.holderCount());
        assertEquals(
                List.of(false, true),
                state.holders().stream().map(HolderState::kept).toList());
    }

    /** The first holder has the votes of a bare majority, and the other one those of all. Then a master is away. */
    @ParameterizedTest
    @MethodSource("severalHolders")
    void showsAndBreaksHolderWhoseMajorityIsNotConfirmed(LockKind kind) {
        acquireWithoutAll(kind);
        Inspection.Held state = inspect();
        assertEquals(
                List.of(Optional.empty(), Optional.of(new NoQuorumReason(4, 3, 5, Effect.NONE))),
                state.holders().stream().map(HolderState::unconfirmed).toList());
        PageTerms all = new PageTerms(new ResourcePrefix(""), Optional.empty(), 1);
        Listing.Page page = assertInstanceOf(Listing.Page.class, fleet.await(fleet.directory.list(all)));
        assertEquals(state, page.locks().get(0).state());
        assertInstanceOf(ForcedRelease.Broken.class, force(new ForceTerms(Optional.of(FIRST), Optional.empty())));
        assertInstanceOf(Extension.Lost.class, fleet.extend(A));
        assertInstanceOf(Extension.Extended.class, fleet.extend(B));
    }

    @ParameterizedTest
    @MethodSource("severalHolders")
    void breaksAllHoldersWhileAMasterIsAway(LockKind kind) {
        acquireWithoutAll(kind);
        assertInstanceOf(ForcedRelease.Broken.class, force(ForceTerms.ALL));
        assertInstanceOf(Extension.Lost.class, fleet.extend(A));
        assertInstanceOf(Extension.Lost.class, fleet.extend(B));
    }

    private static List<LockKind> severalHolders() {
        return List.of(LockKind.SHARED, THREE);
    }

    private void acquireWithoutAll(LockKind kind) {
        fleet.setFault(Fault.DOWN, 4, 5);
        lease(fleet.await(
                fleet.engine.acquire(ResourceNames.of(RESOURCE), EngineFixture.terms(kind, A, Optional.of(FIRST)))));
        fleet.heal();
        lease(acquire(kind, B));
        fleet.setFault(Fault.DOWN, 3);
    }

    private ForcedRelease force(ForceTerms terms) {
        return fleet.await(fleet.directory.forceRelease(RESOURCE, terms));
    }

    private Inspection.Held inspect() {
        return assertInstanceOf(Inspection.Held.class, fleet.await(fleet.engine.inspect(RESOURCE)));
    }

    private Acquisition acquire(LockKind kind, LeaseToken token) {
        return fleet.await(fleet.engine.acquire(ResourceNames.of(RESOURCE), terms(kind, token)));
    }

    private static AcquireTerms terms(LockKind kind, LeaseToken token) {
        return new AcquireTerms(TTL, Duration.ZERO, Optional.of(token), Optional.empty(), kind);
    }

    private static LeaseToken token(int number) {
        return new LeaseToken("token-of-holder-" + (100 + number));
    }

    private static Lease lease(Acquisition outcome) {
        return outcome.granted().orElseThrow(() -> new AssertionError(outcome));
    }
}
