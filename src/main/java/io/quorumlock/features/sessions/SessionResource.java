// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import io.quorumlock.lock.Limits;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.rest.Access;
import io.quorumlock.rest.AcquireRequest;
import io.quorumlock.rest.Answer;
import io.quorumlock.rest.LockResource;
import io.quorumlock.rest.Route;
import io.quorumlock.security.Verb;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestPath;

/** Sessions, which hold a lock while their client is connected. */
@Path("/sessions")
@Singleton
public final class SessionResource {
    private final SessionStreams streams;
    private final Limits limits;

    SessionResource(SessionStreams streams, Limits limits) {
        this.streams = streams;
        this.limits = limits;
    }

    @Produces
    @Singleton
    static Route route() {
        return Route.ofNames("sessions", "POST");
    }

    /** Acquires the lock, and extends the lease while the client is connected. */
    @POST
    @Path(LockResource.NAME)
    @NonBlocking
    public Answer open(@RestPath ResourceName name, AcquireRequest request, RoutingContext context) {
        request.only(name);
        Access access = Access.of(context);
        Runnable accessCheck = () -> {
            access.require(Verb.ACQUIRE, name);
            access.require(Verb.EXTEND, name);
        };
        accessCheck.run();
        return streams.open(name, request.terms(limits), access, accessCheck);
    }
}
