// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.RequestLoad.RequestClass;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.security.Verb;
import io.quorumlock.waiting.WaiterCount;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.concurrent.CompletableFuture;
import org.jboss.resteasy.reactive.RestPath;

/** Locks: acquire, extend, release, inspect, list. */
@Path("/locks")
@Singleton
public final class LockResource {
    /** Takes slashes. Anchored, because the framework would search the expression at each character. */
    static final String NAME = "/{name:\\G.+}";

    private final LockEngine engine;
    private final LockDirectory directory;
    private final WaiterCount waiters;
    private final Limits limits;
    private final RequestLimiter limiter;
    private final OutcomeMapper outcomes;

    LockResource(
            LockEngine engine,
            LockDirectory directory,
            WaiterCount waiters,
            Limits limits,
            RequestLimiter limiter,
            OutcomeMapper outcomes) {
        this.engine = engine;
        this.directory = directory;
        this.waiters = waiters;
        this.limits = limits;
        this.limiter = limiter;
        this.outcomes = outcomes;
    }

    /** Acquires the lock, and waits for it if the client requests that. */
    @POST
    @Path(NAME)
    public Uni<Answer> acquire(@RestPath ResourceName name, AcquireRequest request, RoutingContext context) {
        Access access = Access.of(context);
        access.require(Verb.ACQUIRE, name);
        AcquireTerms terms = request.terms(limits);
        CompletableFuture<Acquisition> outcome = terms.patience().isZero()
                ? limiter.call(RequestClass.OPEN, () -> engine.acquire(name, terms))
                : waitFor(name, terms, access);
        // The framework drops an outcome if the connection ends just before it is written.
        context.addEndHandler(end -> {
            if (!context.response().headWritten()) {
                outcome.thenAccept(acquisition -> takeBack(name, terms, acquisition));
            }
        });
        return HttpLoop.uni(outcome).map(acquisition -> outcomes.acquisition(acquisition)
                .ifUndelivered(() -> takeBack(name, terms, acquisition)));
    }

    /**
     * Releases a lease whose answer could not be written, because no client knows its token (R11). A lease whose token
     * the client chose may be in use, because the client may have repeated the request on another connection.
     */
    private void takeBack(ResourceName name, AcquireTerms terms, Acquisition outcome) {
        if (outcome instanceof Acquisition.Acquired acquired && terms.token().isEmpty()) {
            engine.release(name, acquired.lease().token());
        }
    }

    /** Waits without counting as a request in flight, because waiting clients have their own limit. */
    private CompletableFuture<Acquisition> waitFor(ResourceName name, AcquireTerms terms, Access access) {
        Runnable leave = access.enterToWait();
        CompletableFuture<Acquisition> outcome = engine.acquire(name, terms);
        outcome.whenComplete((end, bug) -> leave.run());
        return outcome;
    }

    /** Extends the lease. */
    @PUT
    @Path(NAME + "/extend")
    public Uni<Answer> extend(@RestPath ResourceName name, ExtendRequest request, RoutingContext context) {
        Access.of(context).require(Verb.EXTEND, name);
        return HttpLoop.uni(limiter.call(
                        RequestClass.RESERVED,
                        () -> engine.extend(name, request.token().orElseThrow(), request.terms(limits))))
                .map(outcomes::extension);
    }

    /** Releases the lease, or breaks the lock by force. */
    @DELETE
    @Path(NAME)
    public Uni<Answer> release(@RestPath ResourceName name, ReleaseRequest request, RoutingContext context) {
        Access access = Access.of(context);
        access.require(request.isForced() ? Verb.FORCE : Verb.RELEASE, name);
        if (request.isForced()) {
            ForceAudit audit = ForceAudit.of(name, request, access, context.request());
            return HttpLoop.uni(limiter.call(RequestClass.RESERVED, () -> force(name, audit)))
                    .map(outcomes::forcedRelease);
        }
        return HttpLoop.uni(limiter.call(
                        RequestClass.RESERVED,
                        () -> engine.release(name, request.token().orElseThrow())))
                .map(outcomes::release);
    }

    /**
     * Completes and logs the release even if the client disconnects, which cancels only the copy. Fails if it cannot be
     * logged.
     */
    private CompletableFuture<ForcedRelease> force(ResourceName name, ForceAudit audit) {
        return directory
                .forceRelease(name)
                .thenApply(end -> {
                    audit.log(outcomes.forcedRelease(end).status(), end);
                    return end;
                })
                .copy();
    }

    /** Returns the state of the lock. */
    @GET
    @Path(NAME)
    public Uni<Answer> inspect(@RestPath ResourceName name, NoFields none, RoutingContext context) {
        Access.of(context).require(Verb.READ, name);
        return HttpLoop.uni(limiter.call(RequestClass.OPEN, () -> engine.inspect(name)))
                .map(outcome -> outcomes.inspection(outcome, waiters.on(name)));
    }

    /** Returns one page of the list of held locks. */
    @GET
    public Uni<Answer> list(ListRequest request, RoutingContext context) {
        Access.of(context).requireAll(Verb.LIST, request.terms().prefix());
        return HttpLoop.uni(limiter.call(RequestClass.OPEN, () -> directory.list(request.terms())))
                .map(outcomes::listing);
    }
}
