// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Acquisition.Held.Taken;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.core.lock.ResourceName;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Results of outcomes that a service with all of its masters does not have. */
@QuarkusTest
@TestProfile(McpProfile.class)
class McpResultsTest {
    private static final NoQuorumReason TOO_FEW = new NoQuorumReason(2, 3, 5, Effect.NONE);
    private static final ResourceName NAME = new ResourceName("results/a");

    @Inject
    McpResults results;

    @Test
    void saysThatNothingWasAcquiredWithoutQuorum() {
        McpResult result = results.acquired(new Acquisition.NoQuorum(TOO_FEW));
        assertEquals(ToolOutcome.FAILED, result.outcome());
        assertEquals(
                "No majority answered. 2 of 5 masters answered, 3 are required. Nothing was acquired. Try again in 1 s.",
                result.text());
    }

    @Test
    void saysThatLeaseIsAsValidAsBeforeWithoutQuorum() {
        McpResult result = results.extended(new Extension.Unconfirmed(TOO_FEW));
        assertEquals(ToolOutcome.FAILED, result.outcome());
        assertTrue(result.text().contains("as valid as it was before. Try again in 1 s."), result::text);
        assertEquals(
                ToolOutcome.REFUSED,
                results.extended(new Extension.Exhausted(9)).outcome());
    }

    @Test
    void distinguishesUnknownFromFreeLocks() {
        ResourceName free = new ResourceName("results/b");
        McpResult result =
                results.checked(List.of(NAME, free), List.of(new Inspection.NoQuorum(TOO_FEW), new Inspection.Free()));
        assertEquals(ToolOutcome.FAILED, result.outcome());
        assertEquals(
                "\"results/a\" is unknown: the service got no answer in time.\n\"results/b\" is free.\nTry again in 1 s.",
                result.text());
        assertEquals(
                ToolOutcome.FAILED,
                results.listed(new Listing.NoQuorum(TOO_FEW, List.of())).outcome());
        assertEquals(ToolOutcome.REFUSED, results.listed(new Listing.Busy(2)).outcome());
    }

    @Test
    void showsKeptLocks() {
        Taken kept =
                new Taken(NAME, Optional.of(new Owner("cron")), Duration.ofSeconds(90), Optional.empty(), true, false);
        McpResult result = results.acquired(new Acquisition.Held(List.of(kept), false, Duration.ZERO));
        assertEquals(ToolOutcome.HELD, result.outcome());
        assertTrue(
                result.text().contains("\"results/a\" was released by \"cron\", and is kept for 90 s."), result::text);
    }

    @Test
    void saysThatReleaseGoesOn() {
        McpResult result = results.released(new Release.Unconfirmed(TOO_FEW, Duration.ofMinutes(1)));
        assertEquals(ToolOutcome.FAILED, result.outcome());
        assertTrue(result.text().contains("It is safe to repeat the release."), result::text);
    }

    @Test
    void tellsWhyLockWasNotBroken() {
        assertEquals(
                ToolOutcome.FAILED,
                results.broken(new ForcedRelease.NoQuorum(TOO_FEW)).outcome());
        McpResult changed = results.broken(new ForcedRelease.LeftAlone(ForcedRelease.Reason.CHANGED_HANDS));
        assertTrue(changed.text().contains("A new lease began meanwhile"), changed::text);
    }

    /** What the agent asked for was found, but it must know first that it holds nothing. */
    @Test
    void lossOfOwnLeaseComesFirst() {
        McpResult lost = results.extended(new Extension.Lost(Holder.ANOTHER, Optional.empty()));
        McpResult result =
                results.listed(new Listing.Page(List.of(), Optional.empty())).after(lost);
        assertEquals(ToolOutcome.LOST, result.outcome());
        assertTrue(result.text().startsWith("The lock belongs to another lease."), result::text);
        assertTrue(result.text().endsWith("\nNo lock is held."), result::text);
    }
}
