package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.lock.RequestClass;
import io.quorumlock.lock.RequestLimits;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two may be in flight, and one more that extends or releases. */
class RequestLimiterTest {
    private final RequestLimiter lanes = new RequestLimiter(new RequestLimits(2, 1));

    @Test
    void whoComesBeyondTheBoundIsTurnedAwayAtOnceAndTheEngineNeverAsked() {
        enter(RequestClass.OPEN);
        enter(RequestClass.OPEN);
        assertRefused("overloaded", RequestClass.OPEN);
        assertEquals(2, lanes.inFlight());
        assertEquals(1, lanes.shed(RequestClass.OPEN));
        assertEquals(0, lanes.shed(RequestClass.RESERVED));
    }

    @Test
    void anExtensionOrReleaseGoesWhereAnAcquireIsTurnedAway() {
        enter(RequestClass.OPEN);
        enter(RequestClass.OPEN);
        enter(RequestClass.RESERVED);
        assertRefused("overloaded", RequestClass.RESERVED);
        assertEquals(1, lanes.shed(RequestClass.RESERVED));
    }

    /** Holders come first: whoever is let in counts for those who are not. */
    @Test
    void extensionsAndReleasesMayTakeAllPlaces() {
        enter(RequestClass.RESERVED);
        enter(RequestClass.RESERVED);
        enter(RequestClass.RESERVED);
        assertRefused("overloaded", RequestClass.OPEN);
    }

    @Test
    void anAnswerAFailureAndAClientThatLeavesMakeRoom() {
        enter(RequestClass.OPEN).complete("answer");
        enter(RequestClass.OPEN).completeExceptionally(new IllegalStateException("bug"));
        enter(RequestClass.OPEN).cancel(false);
        assertEquals(0, lanes.inFlight());
    }

    @Test
    void aCallThatCannotBeMadeTakesNoPlace() {
        assertThrows(
                IllegalStateException.class,
                () -> lanes.call(RequestClass.OPEN, () -> {
                    throw new IllegalStateException("bug");
                }));
        assertEquals(0, lanes.inFlight());
    }

    @Test
    void atTheEndNobodyIsLetInAndWhoIsInIsAnswered() {
        CompletableFuture<String> inFlight = enter(RequestClass.OPEN);
        lanes.end();
        assertRefused("shutting-down", RequestClass.OPEN);
        assertRefused("shutting-down", RequestClass.RESERVED);
        inFlight.complete("answer");
        assertEquals(0, lanes.inFlight());
        assertEquals(0, lanes.shed(RequestClass.OPEN) + lanes.shed(RequestClass.RESERVED));
    }

    private CompletableFuture<String> enter(RequestClass lane) {
        return lanes.call(lane, CompletableFuture::new);
    }

    /** Each verb's contract must know the refusal. */
    private void assertRefused(String slug, RequestClass lane) {
        Answer answer = assertThrows(
                        ProblemException.class,
                        () -> lanes.call(lane, () -> {
                            throw new AssertionError("the engine was asked");
                        }))
                .answer();
        String body = new String(ContractJson.writer().bytes(answer.body().orElseThrow()), StandardCharsets.UTF_8);
        RawAnswer raw = new RawAnswer(
                answer.status(),
                answer.with("Content-Type", answer.contentType()).headers(),
                body);
        assertEquals(slug, raw.slug());
        OpenApiContract contract = OpenApiContract.load();
        if (lane == RequestClass.RESERVED) {
            contract.check(RawRequest.put("/locks/a/extend"), raw);
            contract.check(RawRequest.delete("/locks/a"), raw);
        } else {
            contract.check(RawRequest.post("/locks/a"), raw);
            contract.check(RawRequest.get("/locks/a"), raw);
            contract.check(RawRequest.get("/locks"), raw);
        }
    }
}
