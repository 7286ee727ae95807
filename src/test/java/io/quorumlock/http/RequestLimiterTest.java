// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quorumlock.http.RequestLimiter.Lane;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Request limits: two requests in flight, and a third only if it is an extension or a release. */
class RequestLimiterTest {
    private final RequestLimiter limiter = new RequestLimiter(2, 1, new SimpleMeterRegistry());

    @Test
    void rejectsRequestsOverTheLimit() {
        enter(Lane.OPEN);
        enter(Lane.OPEN);
        assertRefused("overloaded", Lane.OPEN);
        assertEquals(2, limiter.inFlight());
        assertEquals(1, limiter.shed.get(Lane.OPEN).count());
        assertEquals(0, limiter.shed.get(Lane.RESERVED).count());
    }

    @Test
    void reservesPlaceForExtensionsAndReleases() {
        enter(Lane.OPEN);
        enter(Lane.OPEN);
        enter(Lane.RESERVED);
        assertRefused("overloaded", Lane.RESERVED);
        assertEquals(1, limiter.shed.get(Lane.RESERVED).count());
    }

    /** Extensions and releases have priority, so they also count towards the limit of other requests. */
    @Test
    void extensionsAndReleasesCanUseAllPlaces() {
        enter(Lane.RESERVED);
        enter(Lane.RESERVED);
        enter(Lane.RESERVED);
        assertRefused("overloaded", Lane.OPEN);
    }

    @Test
    void completionFailureAndCancellationFreePlace() {
        enter(Lane.OPEN).complete("answer");
        enter(Lane.OPEN).completeExceptionally(new IllegalStateException("bug"));
        enter(Lane.OPEN).cancel(false);
        assertEquals(0, limiter.inFlight());
    }

    @Test
    void failedCallFreesPlace() {
        assertThrows(
                IllegalStateException.class,
                () -> limiter.call(Lane.OPEN, () -> {
                    throw new IllegalStateException("bug");
                }));
        assertEquals(0, limiter.inFlight());
    }

    @Test
    void shutdownRejectsNewRequestsAndCompletesOthers() {
        CompletableFuture<String> inFlight = enter(Lane.OPEN);
        limiter.end();
        assertRefused("shutting-down", Lane.OPEN);
        assertRefused("shutting-down", Lane.RESERVED);
        inFlight.complete("answer");
        assertEquals(0, limiter.inFlight());
        assertEquals(
                0,
                limiter.shed.get(Lane.OPEN).count()
                        + limiter.shed.get(Lane.RESERVED).count());
    }

    private CompletableFuture<String> enter(Lane requestClass) {
        return limiter.call(requestClass, CompletableFuture::new);
    }

    /** The contract of each operation must contain the rejection. */
    private void assertRefused(String slug, Lane requestClass) {
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
        if (requestClass == Lane.RESERVED) {
            contract.check(RawRequest.put("/locks/a/extend"), raw);
            contract.check(RawRequest.delete("/locks/a"), raw);
        } else {
            contract.check(RawRequest.post("/locks/a"), raw);
            contract.check(RawRequest.get("/locks/a"), raw);
            contract.check(RawRequest.get("/locks"), raw);
        }
    }
}
