package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.lock.Lane;
import io.quorumlock.lock.RequestLimits;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two may be in flight, and one more that extends or releases. */
class LanesTest {
    private final Lanes lanes = new Lanes(new RequestLimits(2, 1));

    @Test
    void whoComesBeyondTheBoundIsTurnedAwayAtOnceAndTheEngineNeverAsked() {
        enter(Lane.OPEN);
        enter(Lane.OPEN);
        assertRefused("overloaded", Lane.OPEN);
        assertEquals(2, lanes.inFlight());
        assertEquals(1, lanes.shed(Lane.OPEN));
        assertEquals(0, lanes.shed(Lane.RESERVED));
    }

    @Test
    void anExtensionOrReleaseGoesWhereAnAcquireIsTurnedAway() {
        enter(Lane.OPEN);
        enter(Lane.OPEN);
        enter(Lane.RESERVED);
        assertRefused("overloaded", Lane.RESERVED);
        assertEquals(1, lanes.shed(Lane.RESERVED));
    }

    /** Holders come first: whoever is let in counts for those who are not. */
    @Test
    void extensionsAndReleasesMayTakeAllPlaces() {
        enter(Lane.RESERVED);
        enter(Lane.RESERVED);
        enter(Lane.RESERVED);
        assertRefused("overloaded", Lane.OPEN);
    }

    @Test
    void anAnswerAFailureAndAClientThatLeavesMakeRoom() {
        enter(Lane.OPEN).complete("answer");
        enter(Lane.OPEN).completeExceptionally(new IllegalStateException("bug"));
        enter(Lane.OPEN).cancel(false);
        assertEquals(0, lanes.inFlight());
    }

    @Test
    void aCallThatCannotBeMadeTakesNoPlace() {
        assertThrows(
                IllegalStateException.class,
                () -> lanes.through(Lane.OPEN, () -> {
                    throw new IllegalStateException("bug");
                }));
        assertEquals(0, lanes.inFlight());
    }

    @Test
    void atTheEndNobodyIsLetInAndWhoIsInIsAnswered() {
        CompletableFuture<String> inFlight = enter(Lane.OPEN);
        lanes.end();
        assertRefused("shutting-down", Lane.OPEN);
        assertRefused("shutting-down", Lane.RESERVED);
        inFlight.complete("answer");
        assertEquals(0, lanes.inFlight());
        assertEquals(0, lanes.shed(Lane.OPEN) + lanes.shed(Lane.RESERVED));
    }

    private CompletableFuture<String> enter(Lane lane) {
        return lanes.through(lane, CompletableFuture::new);
    }

    /** Each verb's contract must know the refusal. */
    private void assertRefused(String slug, Lane lane) {
        Answer answer = assertThrows(
                        Refusal.class,
                        () -> lanes.through(lane, () -> {
                            throw new AssertionError("the engine was asked");
                        }))
                .answer();
        String body = new String(new AnswerWriter().bytes(answer.body().orElseThrow()), StandardCharsets.UTF_8);
        RawAnswer raw = new RawAnswer(
                answer.status(),
                answer.with("Content-Type", answer.contentType()).headers(),
                body);
        assertEquals(slug, raw.slug());
        OpenApiContract contract = OpenApiContract.load();
        if (lane == Lane.RESERVED) {
            contract.check(RawRequest.put("/locks/a/extend"), raw);
            contract.check(RawRequest.delete("/locks/a"), raw);
        } else {
            contract.check(RawRequest.post("/locks/a"), raw);
            contract.check(RawRequest.get("/locks/a"), raw);
            contract.check(RawRequest.get("/locks"), raw);
        }
    }
}
