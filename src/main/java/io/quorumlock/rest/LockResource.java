// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

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
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;

/** One lock: acquire, extend, release, inspect. */
@Path("/locks")
@Singleton
public final class LockResource {
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
    @Path("/{resource}")
    public Uni<Answer> acquire(
            @RestPath ResourceName resource,
            RequestParameters parameters,
            @RestHeader("Prefer") List<String> prefer,
            RoutingContext context) {
        Access access = RequestFilter.access(context);
        access.require(Verb.ACQUIRE, resource);
        AcquireRequest request = AcquireRequest.read(resource, parameters, WaitPreference.read(prefer), limits);
        CompletableFuture<Acquisition> outcome = request.terms().patience().isZero()
                ? limiter.call(RequestClass.OPEN, () -> engine.acquire(resource, request.terms()))
                : waitFor(request, access);
        return Uni.createFrom()
                .completionStage(outcome)
                .onCancellation()
                .invoke(() -> outcome.thenAccept(acquisition -> takeBack(request, acquisition)))
                .map(acquisition ->
                        outcomes.acquisition(request, acquisition).ifUndelivered(() -> takeBack(request, acquisition)));
    }

    /**
     * Releases a lease whose answer could not be written, because no client knows its token (R11). A lease whose token
     * the client chose may be in use, because the client may have repeated the request on another connection.
     */
    private void takeBack(AcquireRequest request, Acquisition outcome) {
        if (outcome instanceof Acquisition.Acquired acquired
                && request.terms().token().isEmpty()) {
            engine.release(request.resource(), acquired.lease().token());
        }
    }

    /** Waits without counting as a request in flight, because waiting clients have their own limit. */
    private CompletableFuture<Acquisition> waitFor(AcquireRequest request, Access access) {
        Runnable leave = access.enterToWait();
        CompletableFuture<Acquisition> outcome = engine.acquire(request.resource(), request.terms());
        outcome.whenComplete((end, bug) -> leave.run());
        return outcome;
    }

    /** Extends the lease. */
    @PUT
    @Path("/{resource}/extend")
    public Uni<Answer> extend(@RestPath ResourceName resource, RequestParameters parameters, RoutingContext context) {
        RequestFilter.access(context).require(Verb.EXTEND, resource);
        ExtendRequest request = ExtendRequest.read(resource, parameters, limits);
        return Uni.createFrom()
                .completionStage(limiter.call(
                        RequestClass.RESERVED, () -> engine.extend(resource, request.token(), request.terms())))
                .map(outcomes::extension);
    }

    /** Releases the lease, or breaks the lock by force. */
    @DELETE
    @Path("/{resource}")
    public Uni<Answer> release(@RestPath ResourceName resource, RequestParameters parameters, RoutingContext context) {
        Access access = RequestFilter.access(context);
        parameters.only(ReleaseRequest.FIELDS);
        if (parameters.flag(ForceRequest.FORCE)) {
            access.require(Verb.FORCE, resource);
            ForceRequest request = ForceRequest.read(resource, parameters, access, context.request());
            return Uni.createFrom()
                    .completionStage(limiter.call(RequestClass.RESERVED, () -> force(request)))
                    .map(outcomes::forcedRelease);
        }
        access.require(Verb.RELEASE, resource);
        ReleaseRequest request = ReleaseRequest.read(resource, parameters);
        return Uni.createFrom()
                .completionStage(limiter.call(RequestClass.RESERVED, () -> engine.release(resource, request.token())))
                .map(outcomes::release);
    }

    /**
     * Completes and logs the release even if the client disconnects, which cancels only the copy. Fails if it cannot be
     * logged.
     */
    private CompletableFuture<ForcedRelease> force(ForceRequest request) {
        return directory
                .forceRelease(request.resource())
                .thenApply(end -> {
                    ForceAudit.log(request, outcomes.forcedRelease(end).status(), end);
                    return end;
                })
                .copy();
    }

    /** Returns the state of the lock. */
    @GET
    @Path("/{resource}")
    public Uni<Answer> inspect(@RestPath ResourceName resource, RequestParameters parameters, RoutingContext context) {
        RequestFilter.access(context).require(Verb.READ, resource);
        parameters.only(Set.of()).check();
        return Uni.createFrom()
                .completionStage(limiter.call(RequestClass.OPEN, () -> engine.inspect(resource)))
                .map(outcome -> outcomes.inspection(outcome, waiters.on(resource)));
    }
}
