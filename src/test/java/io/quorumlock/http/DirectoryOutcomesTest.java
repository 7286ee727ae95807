// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.Lease.Votes;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.Listing.HeldLock;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of outcomes for operations of the directory. */
class DirectoryOutcomesTest extends OutcomeAnswers {

    @Test
    void mapsBrokenLockToEmptyBody() {
        assertEquals(
                204,
                forced(new ForcedRelease.Broken(Optional.of(new Owner("me")))).status());
    }

    @Test
    void mapsFreeLockToNotFound() {
        assertEquals("lease-not-found", forced(new ForcedRelease.Free()).slug());
    }

    @ParameterizedTest
    @EnumSource(ForcedRelease.Reason.class)
    void mapsLeftAloneLockToNotOwner(ForcedRelease.Reason reason) {
        RawAnswer answer = forced(new ForcedRelease.LeftAlone(reason));
        assertEquals(409, answer.status());
        assertEquals("not-owner", answer.slug());
    }

    @Test
    void mapsUnconfirmedForcedReleaseToIncomplete() {
        NoQuorumReason why = new NoQuorumReason(2, 3, 5, Effect.UNKNOWN);
        RawAnswer answer = forced(new ForcedRelease.Unconfirmed(why, Optional.empty(), Duration.ofNanos(1)));
        assertEquals("release-incomplete", answer.slug());
        assertEquals(1, answer.json().get("remainingMs").asLong());
    }

    @Test
    void mapsForcedReleaseWithoutMajorityToNoQuorum() {
        assertNoQuorum(forced(new ForcedRelease.NoQuorum(new NoQuorumReason(2, 3, 5, Effect.NONE))), "none");
    }

    @Test
    void pageContainsLocksAndLastName() {
        HeldLock partial = new HeldLock(
                RESOURCE,
                Inspection.Held.of(
                        List.of(new HolderState(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                0,
                                Duration.ofNanos(1_000_001),
                                Optional.empty(),
                                false,
                                Optional.empty(),
                                List.of())),
                        LockKind.EXCLUSIVE,
                        new Votes(2, 3, 5)));
        RawAnswer answer = listed(new Listing.Page(List.of(partial), Optional.of(RESOURCE)));
        assertEquals(
                "{\"locks\":[{\"resource\":\"orders/é 1\",\"extensions\":0,\"remainingMs\":2,"
                        + "\"holders\":[{\"extensions\":0,\"remainingMs\":2}],\"holderCount\":1,"
                        + "\"votes\":{\"granted\":2,\"required\":3,\"total\":5},\"partial\":true}],\"after\":\""
                        + RESOURCE + "\"}",
                answer.body());
    }

    @Test
    void lastPageHasNoNameToContinueAfter() {
        HeldLock lock = new HeldLock(
                RESOURCE,
                Inspection.Held.of(
                        List.of(new HolderState(
                                Optional.of(new Owner("me")),
                                Optional.empty(),
                                Optional.of(Instant.ofEpochMilli(1)),
                                3,
                                Duration.ofMillis(2),
                                Optional.of(new FencingToken(7)),
                                true,
                                Optional.empty(),
                                List.of())),
                        LockKind.EXCLUSIVE,
                        VOTES));
        String holder = "\"owner\":\"me\",\"heldSince\":\"1970-01-01T00:00:00.001Z\",\"extensions\":3,"
                + "\"remainingMs\":2,\"fencingToken\":7,\"kept\":true";
        assertEquals(
                "{\"locks\":[{\"resource\":\"orders/é 1\"," + holder + ",\"holders\":[{" + holder
                        + "}],\"holderCount\":1,"
                        + "\"votes\":{\"granted\":4,\"required\":3,\"total\":5},\"partial\":false}]}",
                listed(new Listing.Page(List.of(lock), Optional.empty())).body());
    }

    @Test
    void mapsListingWithoutMajorityToNoQuorum() {
        RawAnswer answer = listed(new Listing.NoQuorum(new NoQuorumReason(2, 3, 5, Effect.NONE), List.of()));
        assertNoQuorum(answer, "none");
        assertEquals("[]", answer.json().get("known").toString());
    }

    @Test
    void mapsBusyListingToTooManyRequests() {
        RawAnswer answer = listed(new Listing.Busy(2));
        assertEquals(429, answer.status());
        assertEquals("too-many-listings", answer.slug());
        assertEquals("1", answer.header("Retry-After"));
    }
}
