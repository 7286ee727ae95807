// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockDirectory.ForceTerms;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.RequestLoad.RequestClass;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
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
import java.time.Duration;
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
    private final OutcomeMapper outcomesOfSeveral;

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
        this.outcomesOfSeveral = outcomes.ofSeveral();
    }

    /** Acquires the lock, and waits for it if the client requests that. */
    @POST
    @Path(NAME)
    public Uni<Answer> acquire(@RestPath ResourceName name, AcquireRequest request, RoutingContext context) {
        return acquire(request.only(name), request, context, outcomes);
    }

    /** Acquires several locks, all or none. */
    @POST
    public Uni<Answer> acquireAll(AcquireRequest request, RoutingContext context) {
        return acquire(request.several(), request, context, outcomesOfSeveral);
    }

    private Uni<Answer> acquire(
            ResourceNames names, AcquireRequest request, RoutingContext context, OutcomeMapper mapper) {
        Access access = Access.of(context);
        access.require(Verb.ACQUIRE, names);
        AcquireTerms terms = request.terms(limits);
        boolean waits = !terms.patience().isZero();
        Runnable leave = waits ? access.enterToWait() : () -> {};
        // Waiting clients have their own limit, and do not count as requests in flight.
        CompletableFuture<Acquisition> outcome = waits
                ? engine.acquire(names, terms)
                : limiter.call(RequestClass.OPEN, () -> engine.acquire(names, terms));
        outcome.whenComplete((end, bug) -> leave.run());
        // The framework drops an outcome if the connection ends just before it is written.
        context.addEndHandler(end -> {
            if (!context.response().headWritten()) {
                outcome.thenAccept(acquisition -> takeBack(names, terms, acquisition));
            }
        });
        return HttpLoop.uni(outcome).map(acquisition -> {
            leave.run(); // before the answer, after which the client may wait again
            return mapper.acquisition(acquisition).ifUndelivered(() -> takeBack(names, terms, acquisition));
        });
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

    /** Extends the lease. */
    @PUT
    @Path(NAME + "/extend")
    public Uni<Answer> extend(@RestPath ResourceName name, ExtendRequest request, RoutingContext context) {
        return extend(request.only(name), request, context, outcomes);
    }

    /** Extends the lease of several locks. */
    @PUT
    @Path("/extend")
    public Uni<Answer> extendAll(ExtendRequest request, RoutingContext context) {
        return extend(request.several(), request, context, outcomesOfSeveral);
    }

    private Uni<Answer> extend(
            ResourceNames names, ExtendRequest request, RoutingContext context, OutcomeMapper mapper) {
        Access.of(context).require(Verb.EXTEND, names);
        return HttpLoop.uni(limiter.call(
                        RequestClass.RESERVED,
                        () -> engine.extend(names, request.token().orElseThrow(), request.terms(limits))))
                .map(mapper::extension);
    }

    /** Releases the lease, or breaks the lock by force. */
    @DELETE
    @Path(NAME)
    public Uni<Answer> release(@RestPath ResourceName name, ReleaseRequest request, RoutingContext context) {
        if (!request.isForced()) {
            return release(request.only(name), request, context);
        }
        Access access = Access.of(context);
        access.require(Verb.FORCE, name);
        ForceAudit audit = ForceAudit.of(name, request, access, context.request());
        return HttpLoop.uni(limiter.call(RequestClass.RESERVED, () -> force(name, request.forceTerms(), audit)))
                .map(outcomes::forcedRelease);
    }

    /** Releases the lease of several locks. */
    @DELETE
    public Uni<Answer> releaseAll(ReleaseRequest request, RoutingContext context) {
        return release(request.several(), request, context);
    }

    private Uni<Answer> release(ResourceNames names, ReleaseRequest request, RoutingContext context) {
        Access.of(context).require(Verb.RELEASE, names);
        return HttpLoop.uni(limiter.call(
                        RequestClass.RESERVED,
                        () -> engine.release(names, request.token().orElseThrow(), request.keep())))
                .map(outcomes::release);
    }

    /**
     * Completes and logs the release even if the client disconnects, which cancels only the copy. Fails if it cannot be
     * logged.
     */
    private CompletableFuture<ForcedRelease> force(ResourceName name, ForceTerms terms, ForceAudit audit) {
        return directory
                .forceRelease(name, terms)
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
        Access access = Access.of(context);
        access.require(Verb.READ, name);
        return HttpLoop.uni(limiter.call(RequestClass.OPEN, () -> engine.inspect(name)))
                .map(outcome -> outcomes.inspection(outcome, other -> access.may(Verb.READ, other), waiters.on(name)));
    }

    /** Checks a fencing token for a proxy, before it forwards a write. */
    @GET
    @Path(NAME + "/fence")
    public Uni<Answer> fence(@RestPath ResourceName name, FenceRequest request, RoutingContext context) {
        Access.of(context).require(Verb.READ, name);
        return HttpLoop.uni(limiter.call(RequestClass.OPEN, () -> engine.inspect(name)))
                .map(outcome -> outcomes.fence(outcome, request.token()));
    }

    /** Returns one page of the list of held locks. */
    @GET
    public Uni<Answer> list(ListRequest request, RoutingContext context) {
        Access access = Access.of(context);
        access.requireAll(Verb.LIST, request.terms().prefix());
        return HttpLoop.uni(limiter.call(RequestClass.OPEN, () -> directory.list(request.terms())))
                .map(outcome -> outcomes.listing(outcome, other -> access.may(Verb.LIST, other)));
    }
}
