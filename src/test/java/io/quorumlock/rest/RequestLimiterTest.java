// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.lock.RequestLoad.RequestClass;
import io.quorumlock.lock.RequestLoad.RequestLimits;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Request limits: two requests in flight, and a third only if it is an extension or a release. */
class RequestLimiterTest {
    private final RequestLimiter limiter = new RequestLimiter(new RequestLimits(2, 1));

    @Test
    void rejectsRequestsOverTheLimit() {
        enter(RequestClass.OPEN);
        enter(RequestClass.OPEN);
        assertRefused("overloaded", RequestClass.OPEN);
        assertEquals(2, limiter.inFlight());
        assertEquals(1, limiter.shed(RequestClass.OPEN));
        assertEquals(0, limiter.shed(RequestClass.RESERVED));
    }

    @Test
    void reservesPlaceForExtensionsAndReleases() {
        enter(RequestClass.OPEN);
        enter(RequestClass.OPEN);
        enter(RequestClass.RESERVED);
        assertRefused("overloaded", RequestClass.RESERVED);
        assertEquals(1, limiter.shed(RequestClass.RESERVED));
    }

    /** Extensions and releases have priority, so they also count towards the limit of other requests. */
    @Test
    void extensionsAndReleasesCanUseAllPlaces() {
        enter(RequestClass.RESERVED);
        enter(RequestClass.RESERVED);
        enter(RequestClass.RESERVED);
        assertRefused("overloaded", RequestClass.OPEN);
    }

    @Test
    void completionFailureAndCancellationFreePlace() {
        enter(RequestClass.OPEN).complete("answer");
        enter(RequestClass.OPEN).completeExceptionally(new IllegalStateException("bug"));
        enter(RequestClass.OPEN).cancel(false);
        assertEquals(0, limiter.inFlight());
    }

    @Test
    void failedCallFreesPlace() {
        assertThrows(
                IllegalStateException.class,
                () -> limiter.call(RequestClass.OPEN, () -> {
                    throw new IllegalStateException("bug");
                }));
        assertEquals(0, limiter.inFlight());
    }

    @Test
    void shutdownRejectsNewRequestsAndCompletesOthers() {
        CompletableFuture<String> inFlight = enter(RequestClass.OPEN);
        limiter.end();
        assertRefused("shutting-down", RequestClass.OPEN);
        assertRefused("shutting-down", RequestClass.RESERVED);
        inFlight.complete("answer");
        assertEquals(0, limiter.inFlight());
        assertEquals(0, limiter.shed(RequestClass.OPEN) + limiter.shed(RequestClass.RESERVED));
    }

    private CompletableFuture<String> enter(RequestClass requestClass) {
        return limiter.call(requestClass, CompletableFuture::new);
    }

    /** The contract of each operation must contain the rejection. */
    private void assertRefused(String slug, RequestClass requestClass) {
        Answer answer = assertThrows(
                        ProblemException.class,
                        () -> limiter.call(requestClass, () -> {
                            throw new AssertionError("the engine was called");
                        }))
                .answer();
        String body = new String(ContractJson.writer().bytes(answer.body().orElseThrow()), StandardCharsets.UTF_8);
        RawAnswer raw = new RawAnswer(
                answer.status(),
                answer.with("Content-Type", answer.contentType()).headers(),
                body);
        assertEquals(slug, raw.slug());
        OpenApiContract contract = OpenApiContract.load();
        if (requestClass == RequestClass.RESERVED) {
            contract.check(RawRequest.put("/locks/a/extend"), raw);
            contract.check(RawRequest.delete("/locks/a"), raw);
        } else {
            contract.check(RawRequest.post("/locks/a"), raw);
            contract.check(RawRequest.get("/locks/a"), raw);
            contract.check(RawRequest.get("/locks"), raw);
        }
    }
}
