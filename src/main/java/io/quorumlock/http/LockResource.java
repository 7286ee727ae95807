// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.http.keys.Verb;
import io.quorumlock.service.waiting.WaiterCount;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestPath;

/** Locks: acquire, extend, release, inspect, list. */
@Path("/locks")
@Singleton
public final class LockResource {
    /** Takes slashes. Anchored, because the framework would search the expression at each character. */
    public static final String NAME = "/{name:\\G.+}";

    private final LockCalls calls;
    private final WaiterCount waiters;
    private final Limits limits;
    private final OutcomeMapper outcomes;
    private final OutcomeMapper outcomesOfSeveral;

    LockResource(LockCalls calls, WaiterCount waiters, Limits limits, OutcomeMapper outcomes) {
        this.calls = calls;
        this.waiters = waiters;
        this.limits = limits;
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
        AcquireTerms terms = request.terms(limits);
        return calls.acquire(names, terms, context)
                .map(outcome -> calls.delivered(mapper.acquisition(outcome), names, terms, outcome));
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
        return calls.extend(names, request.token().orElseThrow(), request.ttl(limits), context)
                .map(mapper::extension);
    }

    /** Releases the lease, or breaks the lock by force. */
    @DELETE
    @Path(NAME)
    public Uni<Answer> release(@RestPath ResourceName name, ReleaseRequest request, RoutingContext context) {
        if (!request.isForced()) {
            return release(request.only(name), request, context);
        }
        return calls.force(name, request.forceTerms(), request.reason().orElseThrow(), context)
                .map(outcomes::forcedRelease);
    }

    /** Releases the lease of several locks. */
    @DELETE
    public Uni<Answer> releaseAll(ReleaseRequest request, RoutingContext context) {
        return release(request.several(), request, context);
    }

    private Uni<Answer> release(ResourceNames names, ReleaseRequest request, RoutingContext context) {
        return calls.release(names, request.token().orElseThrow(), request.keep(), context)
                .map(outcomes::release);
    }

    /** Returns the state of the lock. */
    @GET
    @Path(NAME)
    public Uni<Answer> inspect(@RestPath ResourceName name, NoFields none, RoutingContext context) {
        Access access = Access.of(context);
        return calls.inspect(name, context)
                .map(outcome -> outcomes.inspection(outcome, other -> access.may(Verb.READ, other), waiters.on(name)));
    }

    /** Checks a fencing token for a proxy, before it forwards a write. */
    @GET
    @Path(NAME + "/fence")
    public Uni<Answer> fence(@RestPath ResourceName name, FenceRequest request, RoutingContext context) {
        return calls.inspect(name, context).map(outcome -> outcomes.fence(outcome, request.token()));
    }

    /** Returns one page of the list of held locks. */
    @GET
    public Uni<Answer> list(ListRequest request, RoutingContext context) {
        Access access = Access.of(context);
        return calls.list(request.terms(), context)
                .map(outcome -> outcomes.listing(outcome, other -> access.may(Verb.LIST, other)));
    }
}
