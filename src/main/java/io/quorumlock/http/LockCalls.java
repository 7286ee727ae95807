// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.http.RequestLimiter.Lane;
import io.quorumlock.http.keys.Verb;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The calls of HTTP requests to the engine: with the permissions of the request, within the limits of the replica. Outcomes arrive
 * on the event loop of the connection. A call that is not permitted, or beyond a limit, throws a {@link ProblemException}.
 */
@Singleton
public final class LockCalls {
    private final LockEngine engine;
    private final LockDirectory directory;
    private final RequestLimiter limiter;
    private final OutcomeMapper outcomes;
    private final CallSpans spans;

    LockCalls(
            LockEngine engine,
            LockDirectory directory,
            RequestLimiter limiter,
            OutcomeMapper outcomes,
            CallSpans spans) {
        this.engine = engine;
        this.directory = directory;
        this.limiter = limiter;
        this.outcomes = outcomes;
        this.spans = spans;
    }

    /** Acquires all the locks or none. A lease that nobody learns of because the connection ends is released (R11). */
    public Uni<Acquisition> acquire(ResourceNames names, AcquireTerms terms, RoutingContext request) {
        Access access = Access.of(request);
        access.require(Verb.ACQUIRE, names);
        boolean waits = !terms.patience().isZero();
        Runnable leave = waits ? access.enterToWait() : () -> {};
        // Waiting clients have their own limit, and do not count as requests in flight.
        Supplier<CompletableFuture<Acquisition>> call =
                () -> spans.call("acquire", names, () -> engine.acquire(names, terms));
        CompletableFuture<Acquisition> outcome = waits ? call.get() : limiter.call(Lane.OPEN, call);
        outcome.whenComplete((end, bug) -> leave.run());
        // The framework drops an outcome if the connection ends just before it is written.
        request.addEndHandler(end -> {
            if (!request.response().headWritten()) {
                outcome.thenAccept(acquisition -> takeBack(names, terms, acquisition));
            }
        });
        return HttpLoop.uni(outcome).invoke(leave); // before the answer, after which the client may wait again
    }

    /** Returns the answer to an acquire, which takes the lease back if it cannot be written. */
    public Answer delivered(Answer answer, ResourceNames names, AcquireTerms terms, Acquisition outcome) {
        return answer.ifUndelivered(() -> takeBack(names, terms, outcome));
    }

    /**
     * Releases a lease whose answer could not be written, because no client knows its token (R11). A lease whose token
     * the client chose may be in use, because the client may have repeated the request on another connection.
     */
    private void takeBack(ResourceNames names, AcquireTerms terms, Acquisition outcome) {
        if (outcome instanceof Acquisition.Acquired acquired && terms.token().isEmpty()) {
            engine.release(names, acquired.lease().token(), Duration.ZERO);
        }
    }

    public Uni<Extension> extend(ResourceNames names, LeaseToken token, Duration ttl, RoutingContext request) {
        Access.of(request).require(Verb.EXTEND, names);
        return HttpLoop.uni(
                limiter.call(Lane.RESERVED, () -> spans.call("extend", names, () -> engine.extend(names, token, ttl))));
    }

    /** @param keep how long the locks stay taken after the release */
    public Uni<Release> release(ResourceNames names, LeaseToken token, Duration keep, RoutingContext request) {
        Access.of(request).require(Verb.RELEASE, names);
        return HttpLoop.uni(limiter.call(
                Lane.RESERVED, () -> spans.call("release", names, () -> engine.release(names, token, keep))));
    }

    public Uni<Inspection> inspect(ResourceName name, RoutingContext request) {
        Access.of(request).require(Verb.READ, name);
        return HttpLoop.uni(limiter.call(Lane.OPEN, () -> spans.call("inspect", name, () -> engine.inspect(name))));
    }

    /** Lists locks. The key must be allowed to list all names with the prefix. */
    public Uni<Listing> list(PageTerms terms, RoutingContext request) {
        Access.of(request).requireAll(Verb.LIST, terms.prefix());
        return HttpLoop.uni(
                limiter.call(Lane.OPEN, () -> spans.call("list", terms.prefix(), () -> directory.list(terms))));
    }

    /**
     * Breaks a lock. Completes and logs the release even if the client disconnects, which cancels only the copy. Fails if it
     * cannot be logged.
     */
    public Uni<ForcedRelease> force(ResourceName name, ForceTerms terms, ForceReason reason, RoutingContext request) {
        Access access = Access.of(request);
        access.require(Verb.FORCE, name);
        ForceAudit audit = ForceAudit.of(name, terms, reason, access, request.request());
        return HttpLoop.uni(limiter.call(
                Lane.RESERVED, () -> spans.call("force release", name, () -> directory.forceRelease(name, terms))
                        .thenApply(end -> {
                            audit.log(outcomes.forcedRelease(end).status(), end);
                            return end;
                        })
                        .copy()));
    }
}
