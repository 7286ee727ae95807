// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockDirectory.PageTerms;
import io.quorumlock.lock.RequestLoad.RequestClass;
import io.quorumlock.security.Verb;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** The list of held locks. */
@Path("/locks")
@Singleton
public final class LocksResource {
    private final LockDirectory directory;
    private final RequestLimiter limiter;
    private final OutcomeMapper outcomes;

    LocksResource(LockDirectory directory, RequestLimiter limiter, OutcomeMapper outcomes) {
        this.directory = directory;
        this.limiter = limiter;
        this.outcomes = outcomes;
    }

    /** Returns one page of the list. */
    @GET
    public Uni<Answer> list(RequestParameters parameters, RoutingContext context) {
        PageTerms terms = ListRequest.read(parameters).terms();
        RequestFilter.access(context).requireAll(Verb.LIST, terms.prefix());
        return Uni.createFrom()
                .completionStage(limiter.call(RequestClass.OPEN, () -> directory.list(terms)))
                .map(outcome -> outcomes.listing(terms.prefix(), outcome));
    }
}
