package io.quorumlock.tracing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Holder;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.Release;
import io.quorumlock.redlock.NodeReply;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One word per idea: those of the metrics. */
class WordsTest {

    @Test
    void anOutcomeIsItsNameInWords() {
        assertEquals("token_in_use", Words.of(new Acquisition.TokenInUse()));
        assertEquals("shutting_down", Words.of(new Acquisition.ShuttingDown()));
        assertEquals("held_by_another", Words.of(new NodeReply.HeldByAnother()));
        assertEquals("failed", Words.of(new NodeReply.Failed(NodeFailure.TIMEOUT, true)));
        assertEquals("released", Words.of(new io.quorumlock.lock.ForcedRelease.Broken(Optional.empty())));
    }

    @Test
    void whoLostALeaseIsToldWhoHasItNow() {
        assertEquals("not_owner", Words.of(new Extension.Lost(Holder.ANOTHER)));
        assertEquals("lost", Words.of(new Release.NotHeld(Holder.NOBODY)));
    }
}
