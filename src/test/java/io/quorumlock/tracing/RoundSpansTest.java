// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.tracing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.redlock.NodeReply;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoundSpansTest {

    @Test
    void namesOutcomesAsTheMetricsDo() {
        assertEquals("token_in_use", RoundSpans.nameOf(new Acquisition.TokenInUse()));
        assertEquals("shutting_down", RoundSpans.nameOf(new Acquisition.ShuttingDown()));
        assertEquals("held_by_another", RoundSpans.nameOf(new NodeReply.HeldByAnother()));
        assertEquals("failed", RoundSpans.nameOf(new NodeReply.Failed(NodeFailure.TIMEOUT, true)));
        assertEquals("released", RoundSpans.nameOf(new ForcedRelease.Broken(Optional.empty())));
    }

    @Test
    void namesLostLeasesByTheNewHolder() {
        assertEquals("not_owner", RoundSpans.nameOf(new Extension.Lost(Holder.ANOTHER)));
        assertEquals("lost", RoundSpans.nameOf(new Release.NotHeld(Holder.NOBODY)));
    }
}
